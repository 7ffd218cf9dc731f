// The session tests in Moddable's simulator; `npm run test:moddable` builds the app and runs them.

import { runInSimulator } from "../../scripts/xsbug.mjs";
import { readCertificate } from "../support/certificates.mjs";
import { LogWatch } from "../support/launch.js";
import { describeSecureSessions } from "./secure-sessions.js";
import { describeSessions, type Firmware, type Launcher } from "./sessions.js";

const { MODDABLE_APP, MODDABLE_PORT, MODDABLE_CA } = process.env;
if (!MODDABLE_APP || !MODDABLE_PORT) throw new Error("run these tests by `npm run test:moddable`");
const [simulator, ...rest] = JSON.parse(MODDABLE_APP) as string[];

const launcher: Launcher = {
	port: Number(MODDABLE_PORT),
	async launch(): Promise<Firmware> {
		const watch = new LogWatch();
		const stop = new AbortController();
		const run = runInSimulator({
			simulator: simulator as string,
			arguments: rest,
			timeoutMs: 600_000,
			signal: stop.signal,
			onLine(line) {
				watch.add(line);
				return false;
			},
			onReport: (line) => watch.add(`simulator: ${line}`),
		});
		return {
			log: watch.lines,
			logged: (pattern) => watch.logged(pattern),
			async close() {
				stop.abort();
				const { memory } = await run;
				for (const name of ["Chunk used", "Slot used", "Stack used", "Keys used"]) {
					const value = memory[name];
					if (value) process.stdout.write(`# ${name}: ${value.last}, at most ${value.most}\n`);
				}
			},
		};
	},
};

if (MODDABLE_CA) describeSecureSessions("Moddable's simulator", readCertificate(JSON.parse(MODDABLE_CA)), launcher);
else describeSessions("Moddable's simulator", launcher);
