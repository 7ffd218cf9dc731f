// `npm run test:moddable`: builds the test apps and runs them in Moddable's simulator without a window; `-- sessions` runs
// those of the whole firmware only, `-- faults` those of its faulty connections, `-- boards` every board, `-- FOLDER` an app of your own.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { boardNames, root } from "../cli/boards.js";
import { findSdk, mcconfig } from "../cli/moddable.js";
import { Problem, runProgram } from "../cli/program.js";
import { bundleForFlash } from "../scripts/flash-bundle.js";
import { commandOf, runInSimulator } from "../scripts/xsbug.mjs";
import { makeCertificate } from "./support/certificates.mjs";

/**
 * A test app writes one line per test, "ok ..." or "not ok ...", and in the end this one.
 * Its folder may have a program peer.mjs or peer.ts, the other side of its connections: that prints the line "PORT N"
 * when it listens, and the app finds N as `port` in "mc/config". A module prepare.mjs runs before it is built.
 */
const SUMMARY = /^DONE (\d+) ok, (\d+) failed$/;
const RUN_TIMEOUT_MS = 300_000;
/** The apps in tests/ that test themselves: transports, HTTP, certificates, clock and names, screen. */
const APPS = ["moddable", "moddable-http", "moddable-certificates", "moddable-udp", "moddable-screen"];
const PEER_TIMEOUT_MS = 20_000;
/** Where the firmware keeps its settings, in the file modpreferences.json. */
const STORE = join(root, "build", "store");

const USAGE = `Usage: npm run test:moddable -- [sessions | bundle | faults | boards | browser | FOLDER] [options of jest]

Runs the test apps in Moddable's simulator without a window: all of them, those of the whole firmware, the same with its
modules bundled as for a chip, those of its faulty connections, every board as npm run sim builds it, those of the set-up
page, or an app of your own.`;

await runProgram(USAGE, async ([given]) => {
	const sdk = findSdk();
	if (process.platform !== "linux") throw new Problem("The headless run needs Linux. Elsewhere use npm run sim.");
	if (spawnSync("xvfb-run", ["--help"], { stdio: "ignore" }).error) throw new Problem("xvfb-run is missing (Debian and Ubuntu: apt install xvfb).");
	if (given === "sessions") return await runSessions(sdk);
	if (given === "bundle") return await runSessions(sdk, true);
	if (given === "faults") return await runFaults(sdk);
	if (given === "boards") return await runBoards(sdk);
	if (given === "browser") return await runBrowser(sdk);
	if (given !== undefined) return await runApp(sdk, resolve(process.env.INIT_CWD ?? root, given));
	let code = 0;
	for (const app of APPS) code = (await runApp(sdk, join(root, "tests", app))) || code;
	code = (await runSessions(sdk, true)) || code;
	for (const tests of [runSessions, runFaults, runBoards]) code = (await tests(sdk)) || code;
	return code;
});

/**
 * The tests of the whole firmware, tests/firmware/sessions.ts and secure-sessions.ts, with the simulator as its machine.
 * @param {{ bin: string, moddable: string }} sdk
 * @param {boolean} [bundled] bundled as for the flash of a chip?
 */
async function runSessions(sdk, bundled) {
	const port = await freePort();
	const settings = ["token=test-token", "device_id=02:00:00:00:00:01"];
	const plain = await build(sdk, writeFirmware("firmware"), [`url=ws://127.0.0.1:${port}/xiaozhi/v1/`, ...settings], bundled);
	const environment = { MODDABLE_PORT: String(port) };
	const sessions = await runJest("**/moddable-sessions.test.ts", plain, environment);
	const ca = makeCertificate({ name: "Own CA", authority: true });
	const app = writeFirmware("firmware-tls", ca.bytes);
	const secure = await build(sdk, app, [`url=wss://localhost:${port}/xiaozhi/v1/`, "certificate=own-ca.der", ...settings], bundled);
	return sessions || (await runJest("**/moddable-sessions.test.ts", secure, { ...environment, MODDABLE_CA: asText(ca) }));
}

/**
 * The tests of faulty connections, tests/reliability. The firmware gets its settings from the store, where each test writes them.
 * @param {{ bin: string, moddable: string }} sdk
 */
async function runFaults(sdk) {
	const ca = makeCertificate({ name: "Own CA", authority: true });
	const command = await build(sdk, writeFirmware("firmware-faults", ca.bytes), ["certificate=own-ca.der"]);
	return await runJest("**/moddable-faults.test.ts", command, { MODDABLE_CA: asText(ca) });
}

/**
 * Every board as `npm run sim` builds it.
 * @param {{ bin: string, moddable: string }} sdk
 */
async function runBoards(sdk) {
	const port = await freePort();
	/** @type {{ [board: string]: string[] }} */
	const apps = {};
	for (const board of boardNames()) {
		const { status } = spawnSync("npm", ["run", "-s", "sim", "--", board, "--build", `url=ws://127.0.0.1:${port}/`], { cwd: root, stdio: "inherit" });
		if (status !== 0) throw new Problem(`npm run sim -- ${board} --build ended with ${status}.`);
		apps[board] = commandOf(sdk, join(root, "build", "sim", board, "out"), board);
	}
	return await runJest("**/moddable-boards.test.ts", [], { MODDABLE_PORT: String(port), MODDABLE_APPS: JSON.stringify(apps) });
}

/**
 * The tests of the set-up page in a browser; `npm run test:browser -- --moddable` finds that first.
 * @param {{ bin: string, moddable: string }} sdk
 */
async function runBrowser(sdk) {
	const ports = [await freePort(), await freePort()];
	const settings = ["wifi=simulated", `setup_port=${ports[0]}`, `dns_port=${ports[1]}`];
	const command = await build(sdk, writeFirmware("firmware"), settings);
	return await runJest("**/tests/browser/setup-page.test.ts", command, { MODDABLE_PORTS: JSON.stringify(ports) });
}

/** @param {ReturnType<typeof makeCertificate>} certificate */
function asText({ name, pem, key }) {
	return JSON.stringify({ name, pem, key });
}

/**
 * The app of the whole firmware, which keeps its settings in a store of its own and not in the one that all apps share.
 * @param {string} name
 * @param {Uint8Array} [certificate] of a CA, as a board brings its own
 * @returns {string} its folder
 */
function writeFirmware(name, certificate) {
	const app = join(root, "build", name);
	mkdirSync(app, { recursive: true });
	mkdirSync(STORE, { recursive: true });
	if (certificate) writeFileSync(join(app, "own-ca.der"), certificate);
	const manifest = {
		include: ["../../tests/firmware/manifest.json"],
		...(certificate ? { resources: { "*": ["./own-ca"] } } : {}),
		config: { file: { root: `${STORE}/` } },
	};
	writeFileSync(join(app, "manifest.json"), JSON.stringify(manifest));
	return app;
}

/**
 * @param {string} tests which files
 * @param {string[]} command the simulator and its arguments
 * @param {Record<string, string>} environment what else the tests have to know, such as where the app expects its server
 * @returns {Promise<number>} the exit code
 */
async function runJest(tests, command, environment) {
	const flags = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
	const jest = [
		join(root, "node_modules", "jest", "bin", "jest.js"),
		"--testPathIgnorePatterns=/node_modules/",
		`--testMatch=${tests}`,
		"--testTimeout=120000",
		...process.argv.slice(3),
	];
	const child = spawn(process.execPath, [...flags, ...jest], {
		cwd: root,
		stdio: "inherit",
		env: { ...process.env, MODDABLE_APP: JSON.stringify(command), MODDABLE_STORE: join(STORE, "modpreferences.json"), ...environment },
	});
	return await new Promise((done) => child.once("exit", (code) => done(code ?? 1)));
}

/** @returns {Promise<number>} a port on which nobody listens; the app's URL is fixed when it is built */
function freePort() {
	return new Promise((found, fail) => {
		const server = createServer();
		server.once("error", fail);
		server.listen(0, "127.0.0.1", () => {
			const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
			server.close(() => found(port));
		});
	});
}

/**
 * An app that tests itself.
 * @param {{ bin: string, moddable: string }} sdk
 * @param {string} app
 */
async function runApp(sdk, app) {
	if (!existsSync(join(app, "manifest.json"))) throw new Problem(`There is no test app in ${app}: it has no manifest.json.`);
	const stopped = new AbortController();
	for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => stopped.abort());
	const preparation = join(app, "prepare.mjs");
	if (existsSync(preparation)) await import(pathToFileURL(preparation).href);
	const peer = await startPeer(app, () => stopped.abort());
	try {
		return await run(await build(sdk, app, peer ? [`port=${peer.port}`] : []), stopped.signal);
	} finally {
		peer?.close();
	}
}

/**
 * Builds a test app for the simulator.
 * @param {{ bin: string, moddable: string }} sdk
 * @param {string} app
 * @param {string[]} settings
 * @param {boolean} [bundled]
 * @returns {Promise<string[]>} the simulator and its arguments: perhaps a folder with panels, then the app
 */
async function build(sdk, app, settings, bundled = false) {
	const output = join(root, "build", `test-${basename(app)}${bundled ? "-bundle" : ""}`);
	const plain = { target: "lin", output, app, settings, debug: true, goal: "build" };
	const job = bundled ? await bundleForFlash(sdk, plain) : plain;
	const code = await mcconfig(sdk, job);
	const name = basename(job.app);
	if (code !== 0) throw new Problem(`The test app ${name} could not be built (mcconfig ended with ${code}).`);
	return commandOf(sdk, output, name);
}

/**
 * @param {string[]} command the simulator and its arguments
 * @param {AbortSignal} signal
 */
async function run([simulator = "", ...rest], signal) {
	let failed = 0;
	/** @type {RegExpExecArray | null} */
	let summary = null;
	const { problem, memory } = await runInSimulator({
		simulator,
		arguments: rest,
		timeoutMs: RUN_TIMEOUT_MS,
		signal,
		onReport: (line) => console.log(`# ${line}`),
		onLine(line) {
			console.log(line);
			if (line.startsWith("not ok")) failed++;
			summary = SUMMARY.exec(line);
			return summary !== null;
		},
	});
	for (const [instrument, { last, most }] of Object.entries(memory))
		if (/^(Chunk|Slot|Stack) /.test(instrument)) console.log(`# ${instrument}: ${last} bytes, at most ${most}`);
	const counted = /** @type {RegExpExecArray | null} */ (summary);
	if (problem || !counted) {
		console.log(`not ok: ${problem ?? "the app gave no summary"}`);
		return 1;
	}
	if (Number(counted[1]) === 0 && Number(counted[2]) === 0) {
		console.log("not ok: the app ran no test");
		return 1;
	}
	return failed > 0 || Number(counted[2]) > 0 ? 1 : 0;
}

/**
 * @param {string} app
 * @param {() => void} onEnd called when the peer ends by itself
 * @returns {Promise<{ port: number, close(): void } | undefined>}
 */
async function startPeer(app, onEnd) {
	const file = ["peer.mjs", "peer.ts"].map((name) => join(app, name)).find((path) => existsSync(path));
	if (!file) return undefined;
	const child = spawn(process.execPath, [...(file.endsWith(".ts") ? ["--import", "tsx"] : []), file], {
		cwd: root,
		stdio: ["ignore", "pipe", "inherit"],
	});
	let closing = false;
	const close = () => {
		closing = true;
		child.kill();
	};
	const lines = createInterface({ input: child.stdout });
	const port = await new Promise((found, fail) => {
		const timer = setTimeout(
			() => fail(new Problem(`${basename(file)} did not print "PORT N" within ${PEER_TIMEOUT_MS / 1000} s.`)),
			PEER_TIMEOUT_MS,
		);
		lines.on("line", (line) => {
			const match = /^PORT (\d+)$/.exec(line);
			if (match) found(Number(match[1]));
			else console.log(`# peer: ${line}`);
		});
		child.once("error", fail);
		child.once("exit", (code, signal) => {
			fail(new Problem(`${basename(file)} ended (${signal ?? code}) before it listened.`));
			if (closing) return;
			console.log(`# the peer ended (${signal ?? code})`);
			onEnd();
		});
		lines.once("close", () => clearTimeout(timer));
		lines.on("line", () => clearTimeout(timer));
	}).catch((error) => {
		close();
		throw error;
	});
	return { port, close };
}
