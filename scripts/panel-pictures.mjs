// `npm run docs:panel`: takes the pictures of the panel in Moddable's simulator: each board is built, started on a screen that nobody sees,
// connected to a backend, and made to do what the picture shows.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { crc32, deflateSync } from "node:zlib";
import { root } from "../cli/boards.js";
import { findSdk } from "../cli/moddable.js";
import { Problem, parseCommandLine, runProgram } from "../cli/program.js";
import { commandOf, runInSimulator } from "./xsbug.mjs";

const USAGE = `Usage: npm run docs:panel

Makes docs/simulator-panel.png and docs/simulator-esp-hi.png. It needs the Moddable SDK and xvfb
(Debian and Ubuntu: apt install xvfb).`;

const PORT = 8012;
const BACKEND = `http://127.0.0.1:${PORT}`;
const WINDOW = { width: 1050, height: 620 };
/** Servos come to rest one after the other after a start. */
const START_MS = 9000;
/** The panel draws within this time what it was told. */
const DRAW_MS = 1900;
const RUN_LIMIT_MS = 120_000;

/** What each picture shows; after the last call it is taken at once, while things move. */
const PICTURES = /** @type {const} */ ([
	{
		file: "simulator-panel.png",
		board: "simulator",
		calls: [
			["self.audio_speaker.set_volume", { volume: 35 }],
			["self.screen.set_brightness", { brightness: 60 }],
			["self.light.set_rgb", { r: 0, g: 128, b: 255 }],
			["self.lamp.turn_on", {}],
			["self.servo.set_angle", { servo: 0, angle: 60 }],
			["self.servo.set_angle", { servo: 1, angle: 160, speed: 20 }],
		],
	},
	{
		file: "simulator-esp-hi.png",
		board: "esp_hi",
		calls: [
			["self.light.set_rgb", { r: 255, g: 96, b: 0 }],
			["self.audio_speaker.play_tone", { frequency: 440, duration: 10_000 }],
			["self.dog.basic_control", { action: "forward", steps: 100 }],
		],
	},
]);

await runProgram(USAGE, async (args) => {
	if (parseCommandLine(args, {}).words.length > 0) throw new Problem("It takes no arguments.");
	const sdk = findSdk();
	if (spawnSync("xvfb-run", ["--help"], { stdio: "ignore" }).error) throw new Problem("xvfb-run is missing (Debian and Ubuntu: apt install xvfb).");
	const backend = spawn(process.execPath, ["--import", "tsx", "hub/serve.ts", "--port", String(PORT)], {
		cwd: root,
		stdio: ["ignore", "pipe", "inherit"],
	});
	try {
		for await (const line of createInterface({ input: backend.stdout })) if (line.startsWith("flash")) break;
		backend.stdout.resume();
		for (const picture of PICTURES) await take(sdk, picture);
	} finally {
		backend.kill("SIGINT");
	}
	return 0;
});

/**
 * @param {{ bin: string, moddable: string }} sdk
 * @param {(typeof PICTURES)[number]} picture
 */
async function take(sdk, { file, board, calls }) {
	const url = `ws://127.0.0.1:${PORT}/xiaozhi/v1/`;
	const { status } = spawnSync(process.execPath, ["--import", "tsx", "simulator/sim.ts", board, "--build", `url=${url}`], {
		cwd: root,
		stdio: "inherit",
	});
	if (status !== 0) throw new Problem(`The board ${board} could not be built for Moddable's simulator.`);
	const output = join(root, "build", "sim", board, "out");
	// What an earlier life has left, such as a count of failed starts, is put aside.
	const settings = join(root, "build", "sim", board, "settings");
	const aside = `${settings}-aside`;
	renameSync(settings, aside);
	mkdirSync(settings, { mode: 0o700 });
	const frames = mkdtempSync(join(tmpdir(), "panel-"));
	const stop = new AbortController();
	const [simulator = "", ...rest] = commandOf(sdk, output, board);
	const run = runInSimulator({
		simulator,
		arguments: rest,
		display: `-screen 0 ${WINDOW.width}x${WINDOW.height}x24 -fbdir ${frames}`,
		window: WINDOW,
		timeoutMs: RUN_LIMIT_MS,
		signal: stop.signal,
		onLine: () => false,
		onReport: (line) => console.log(line),
	});
	try {
		const id = await Promise.race([connected(board), run.then(({ problem }) => Promise.reject(new Problem(problem ?? "the simulator ended")))]);
		await new Promise((resolve) => setTimeout(resolve, START_MS));
		for (const [name, values] of calls) await call(id, name, values);
		await new Promise((resolve) => setTimeout(resolve, DRAW_MS));
		const [screen = ""] = readdirSync(frames);
		writeFileSync(join(root, "docs", file), toPng(readFileSync(join(frames, screen))));
		console.log(`docs/${file}`);
	} finally {
		stop.abort();
		await run;
		for (const folder of [frames, settings]) rmSync(folder, { recursive: true, force: true });
		renameSync(aside, settings);
	}
}

/** @param {string} board @returns {Promise<string>} the device's id, once it is there */
async function connected(board) {
	for (;;) {
		// The connection of a request before may have gone meanwhile.
		/** @type {{ devices: { id: string, name: string, connected: boolean }[] }} */
		const { devices } = await fetch(`${BACKEND}/devices`)
			.then((response) => /** @type {any} */ (response.json()))
			.catch(() => ({ devices: [] }));
		const found = devices.find(({ name, connected }) => connected && name === board);
		if (found) return found.id;
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

/** @param {string} id @param {string} name @param {object} values */
async function call(id, name, values) {
	const headers = { "Content-Type": "application/json" };
	const response = await fetch(`${BACKEND}/devices/${id}/call`, { method: "POST", headers, body: JSON.stringify({ name, arguments: values }) });
	const answer = await response.text();
	if (!response.ok || answer.includes('"isError":true')) throw new Problem(`${name}: ${answer}`);
}

/**
 * A screen as PNG, as far as anything is on it.
 * @param {Buffer} dump in the format of xwd (XWDFile.h): a header of numbers, the color map, then rows of blue, green, red and a byte of nothing
 */
function toPng(dump) {
	const header = (/** @type {number} */ index) => dump.readUInt32BE(4 * index);
	const [size, columns, rows, bytesPerRow, colors] = [header(0), header(4), header(5), header(12), header(19)];
	const at = (/** @type {number} */ x, /** @type {number} */ y) => size + 12 * colors + y * bytesPerRow + 4 * x;
	let [width, height] = [1, 1];
	for (let y = 0; y < rows; y++)
		for (let x = 0; x < columns; x++) if (dump.readUIntLE(at(x, y), 3) !== 0) [width, height] = [Math.max(width, x + 1), Math.max(height, y + 1)];
	const pixels = Buffer.alloc(height * (1 + 3 * width));
	for (let y = 0; y < height; y++)
		for (let x = 0; x < width; x++) pixels.writeUIntBE(dump.readUIntLE(at(x, y), 3), y * (1 + 3 * width) + 1 + 3 * x, 3);
	const facts = Buffer.from([...[width, height].flatMap((value) => [0, 0, value >> 8, value & 255]), 8, 2, 0, 0, 0]);
	return Buffer.concat([
		Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
		...[
			["IHDR", facts],
			["IDAT", deflateSync(pixels, { level: 9 })],
			["IEND", Buffer.alloc(0)],
		].map(([name, data]) => {
			const body = Buffer.concat([Buffer.from(/** @type {string} */ (name)), /** @type {Buffer} */ (data)]);
			const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
			length.writeUInt32BE(body.length - 4);
			sum.writeUInt32BE(crc32(body));
			return Buffer.concat([length, body, sum]);
		}),
	]);
}
