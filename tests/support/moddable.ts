// The firmware in Moddable's simulator, as `npm run test:moddable` has built it.

import { rmSync } from "node:fs";
import { runInSimulator } from "../../scripts/xsbug.mjs";
import type { Firmware } from "../firmware/sessions.js";
import { LogWatch } from "./launch.js";

const { MODDABLE_APP, MODDABLE_STORE } = process.env;
/** How the app is started: the simulator and its arguments. */
const BUILT: readonly string[] = JSON.parse(MODDABLE_APP ?? "[]");

/** Was it built? */
export const builtForModdable = MODDABLE_APP !== undefined;

/**
 * Starts it, with nothing kept from a life before.
 * @param command another app: the simulator and its arguments
 * @throws Error when it was not built
 */
export function launchModdable([simulator, ...rest]: readonly string[] = BUILT): Firmware {
	if (!simulator || !MODDABLE_STORE) throw new Error("run these tests by `npm run test:moddable`");
	rmSync(MODDABLE_STORE, { force: true });
	const watch = new LogWatch();
	const stop = new AbortController();
	const run = runInSimulator({
		simulator,
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
}
