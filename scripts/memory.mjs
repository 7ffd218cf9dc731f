// `npm run memory`: what the firmware takes of a device's RAM, measured in Moddable's simulator with 10 and 30 fixed tools.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { WebSocketServer } from "ws";
import { root } from "../cli/boards.js";
import { findSdk, mcconfig } from "../cli/moddable.js";
import { Problem, runProgram } from "../cli/program.js";
import { runInSimulator } from "./xsbug.mjs";

const ROUNDS = 200;
const HOSTILE_MESSAGES = 10_000;
const WORST_ROUNDS = 20;
/** As long as messages may be, `MAX_INBOUND_BYTES`, and past it. */
const SIZES = [2000, 4096, 16_384];
/** A slot takes 32 bytes in the simulator, which is a 64-bit program, and 16 on an ESP32. */
const SIMULATOR_SLOT_BYTES = 32;
const DEVICE_SLOT_BYTES = 16;

/** All that there is with --limit: 64 KB, of which the slots are counted as on a device. */
const LIMITED = { heap: { initial: 2304, incremental: 0 }, chunk: { initial: 65_536 - 2304 * DEVICE_SLOT_BYTES, incremental: 0 } };
const ANSWER_TIMEOUT_MS = 120_000;
/**
 * Fixed tools, and sessions with endpoints beside the main one.
 * @type {[tools: number, endpoints: number][]}
 */
const BUILDS = [
	[10, 0],
	[30, 0],
	[10, 1],
	[10, 4],
];
/** @type {typeof BUILDS} */
const LIMITED_BUILDS = [[30, 0]];

const USAGE = `Usage: npm run memory [-- --limit]

Measures the RAM that the firmware takes, in Moddable's simulator, and prints the table of docs/memory.md.
  --limit  gives it 64 KB and not a byte more, sends the worst messages, and fails unless it keeps answering`;

await runProgram(USAGE, async () => {
	const sdk = findSdk();
	const limited = process.argv[2] === "--limit";
	console.log("| fixed tools | moment | slots | slots x 16 | chunks | live heap | reserved | keys |\n|---|---|---|---|---|---|---|---|");
	for (const [tools, endpoints] of limited ? LIMITED_BUILDS : BUILDS) {
		const { server, port } = await listen();
		try {
			const library = await build(sdk, tools, endpoints, port, limited ? LIMITED : {});
			await measure(join(sdk.bin, "mcsim"), library, server, tools, endpoints);
		} finally {
			server.close();
		}
	}
	return 0;
});

/** @returns {Promise<{ server: WebSocketServer, port: number }>} */
function listen() {
	return new Promise((resolve, reject) => {
		const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
		server.once("error", reject);
		server.once("listening", () => resolve({ server, port: /** @type {import("node:net").AddressInfo} */ (server.address()).port }));
	});
}

/**
 * An app of the product with this many tools on a board without parts, which collects garbage before each sample.
 * @param {{ bin: string, moddable: string }} sdk
 * @param {number} tools
 * @param {number} endpoints
 * @param {number} port
 * @param {object} creation what the machine begins with, where it is not as on a device
 */
async function build(sdk, tools, endpoints, port, creation) {
	const app = join(root, "build", `memory-${tools}-${endpoints}`);
	rmSync(app, { recursive: true, force: true });
	mkdirSync(app, { recursive: true });
	const here = (/** @type {string} */ path) => relative(app, join(root, path));
	const manifest = {
		include: [here("src/manifest.json"), "$(MODULES)/base/debug/manifest.json"],
		modules: {
			// Linux alone has a `preference` that cannot live in flash, and so keeps whatever uses settings out of it.
			"~": "$(MODULES)/files/preference/lin/*",
			preference: "./preference",
			main: here("src/main"),
			entry: "./entry",
			"board/board": "./board",
			"board/tools/index": "./tools",
		},
		preload: ["preference", ...devicePreload(), "board/board", "board/tools/index"],
		creation: { main: "entry", ...creation },
		config: { url: "" },
	};
	writeFileSync(join(app, "manifest.json"), JSON.stringify(manifest, undefined, "\t"));
	writeFileSync(
		join(app, "entry.ts"),
		'import "main";\nimport Debug from "debug";\nimport Timer from "timer";\n\nTimer.repeat(() => Debug.gc(), 200);\n',
	);
	// Without parts: simulated ones cannot live in flash, and take what no driver takes on a chip.
	writeFileSync(
		join(app, "board.ts"),
		'import type { Board } from "hardware/board";\n\nexport function createBoard(): Board {\n\tconst system = { version: "1.0.0", macAddress: "02:00:00:00:00:01", uuid: "8a2f0c1e-0000-4000-8000-000000000001", chip: "none", restart() {} };\n\treturn { name: "memory", system, close() {} };\n}\n',
	);
	writeFileSync(
		join(app, "preference.js"),
		"export default class Preference {\n\tstatic get() {}\n\tstatic set() {}\n\tstatic delete() {}\n\tstatic keys() {\n\t\treturn [];\n\t}\n}\n",
	);
	const definitions = Array.from({ length: tools }, (_, i) => definition(i)).join(",\n");
	writeFileSync(
		join(app, "tools.ts"),
		`import { integer } from "mcp/schema";\nimport { defineTool } from "mcp/tool";\nimport { defineTools } from "mcp/tool-list";\n\nexport default defineTools([\n${definitions},\n]);\n`,
	);
	const output = join(app, "out");
	const settings = [`url=ws://127.0.0.1:${port}/`, "device_id=02:00:00:00:00:01"];
	if (endpoints) settings.push(`endpoint=${Array.from({ length: endpoints }, (_, i) => `ws://127.0.0.1:${port}/endpoint${i}`).join(" ")}`);
	const code = await mcconfig(sdk, { target: "lin", output, app, settings, debug: true, goal: "build" });
	if (code !== 0) throw new Problem(`The app with ${tools} tools could not be built (mcconfig ended with ${code}).`);
	const library = readdirSync(output, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("mc.so"));
	if (!library) throw new Problem("The build made no mc.so; the reason stands above.");
	return join(output, library);
}

/** What lives in flash on an ESP32 besides what does so everywhere. @returns {string[]} */
function devicePreload(path = join(root, "src", "manifest.json")) {
	const { include = [], platforms } = JSON.parse(readFileSync(path, "utf8"));
	const included = include
		.filter((/** @type {string} */ other) => other.startsWith("."))
		.map((/** @type {string} */ other) => join(dirname(path), other));
	return [...new Set([...(platforms?.esp32.preload ?? []), ...included.flatMap((/** @type {string} */ other) => devicePreload(other))])];
}

/** @param {number} i */
function definition(i) {
	const part = (/** @type {string} */ name) => `${name}: integer({ minimum: 0, maximum: 255, description: "The ${name} part, 0 to 255" })`;
	return `defineTool({ name: "self.thing${i}.set_value", description: "Sets the three values of thing number ${i} at once", properties: { ${["red", "green", "blue"].map(part).join(", ")} }, call: ({ red, green, blue }) => red + green + blue })`;
}

/**
 * @param {string} simulator
 * @param {string} library
 * @param {WebSocketServer} server
 * @param {number} tools
 * @param {number} endpoints
 */
async function measure(simulator, library, server, tools, endpoints) {
	const stop = new AbortController();
	/** @type {Map<string, { last: number, most: number }>} */
	let values = new Map();
	let onSample = () => {};
	const run = runInSimulator({
		simulator,
		arguments: [library],
		timeoutMs: 600_000,
		signal: stop.signal,
		onLine: () => false,
		onReport: () => {},
		onSample(samples) {
			values = samples;
			onSample();
		},
	});
	/** @param {string} moment */
	const report = async (moment) => {
		// The first samples after the traffic may still be of it.
		for (let i = 0; i < 3; i++) await new Promise((resolve) => (onSample = () => resolve(undefined)));
		const last = (/** @type {string} */ name) => values.get(name)?.last ?? Number.NaN;
		const slots = last("Slot used") / SIMULATOR_SLOT_BYTES;
		const chunks = last("Chunk used");
		const reserved = (last("Slot available") / SIMULATOR_SLOT_BYTES) * DEVICE_SLOT_BYTES + last("Chunk available");
		const cells = [tools, moment, slots, slots * DEVICE_SLOT_BYTES, chunks, slots * DEVICE_SLOT_BYTES + chunks, reserved, last("Keys used")];
		console.log(`| ${cells.join(" | ")} |`);
	};
	try {
		/** @type {import("ws").WebSocket[]} */
		const others = [];
		/** @type {import("ws").WebSocket} */
		const socket = await new Promise((resolve) =>
			server.on("connection", (socket, { url }) => (url === "/" ? resolve(socket) : others.push(socket))),
		);
		/** @type {(message: { id: number }) => void} */
		let onReply = () => {};
		socket.on("message", (data) => {
			const message = JSON.parse(String(data));
			if (message.type === "hello") socket.send(JSON.stringify({ type: "hello", transport: "websocket", session_id: "memory" }));
			else if (message.payload?.id !== undefined) onReply(message.payload);
		});
		let id = 0;
		/** @param {string} method @param {object} params */
		const ask = (method, params) => {
			const mine = ++id;
			const replied = new Promise((resolve, reject) => {
				const timer = setTimeout(reject, ANSWER_TIMEOUT_MS, new Problem("The firmware no longer answers."));
				onReply = (message) => {
					if (message.id !== mine) return;
					clearTimeout(timer);
					resolve(undefined);
				};
			});
			socket.send(JSON.stringify({ session_id: "memory", type: "mcp", payload: { jsonrpc: "2.0", id: mine, method, params } }));
			return replied;
		};
		await ask("initialize", { protocolVersion: "2024-11-05", capabilities: {} });
		if (endpoints) {
			await until(() => others.length === endpoints);
			for (const other of others) await call(other, "initialize", { protocolVersion: "2025-06-18", capabilities: {} });
			await report(`connected, with endpoints: ${endpoints}`);
			const message = { name: "self.thing0.set_value", arguments: { red: "x".repeat(2000) } };
			for (let round = 0; round < WORST_ROUNDS; round++) {
				await Promise.all([ask("tools/call", message), ...others.map((other) => call(other, "tools/call", message))]);
			}
			await report("after long messages of all at once");
			return;
		}
		await report("connected");
		for (let round = 0; round < ROUNDS; round++) {
			await ask("tools/list", { cursor: "" });
			await ask("tools/call", { name: `self.thing${round % tools}.set_value`, arguments: { red: round % 256, green: 2, blue: 3 } });
		}
		await report(`after ${ROUNDS} rounds of list and call`);
		for (let i = 0; i < HOSTILE_MESSAGES; i++) {
			socket.send(hostile(i));
			if (i % 20 === 0) await ask("ping", { [`made-up-${i}`]: i });
		}
		await ask("ping", {});
		await report(`after ${HOSTILE_MESSAGES} hostile messages`);
		for (const bytes of SIZES) {
			for (let i = 0; i < WORST_ROUNDS; i++) for (const message of worstCases(bytes)) socket.send(message);
			await ask("ping", {});
			await report(`after ${WORST_ROUNDS} each of the worst messages of ${bytes} bytes`);
		}
	} finally {
		stop.abort();
		await run;
	}
}

/** @param {() => boolean} condition */
async function until(condition) {
	while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** A request in the standard dialect, until it is answered. @param {import("ws").WebSocket} socket @param {string} method @param {object} params */
function call(socket, method, params) {
	const replied = new Promise((resolve) => socket.once("message", resolve));
	socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
	return replied;
}

/**
 * Messages of a length that would build the most, under a name that is known and one that is not.
 * @param {number} bytes
 * @returns {string[]}
 */
function worstCases(bytes) {
	/** @type {((bytes: number) => string)[]} */
	const values = [
		(bytes) => `"${"x".repeat(bytes - 2)}"`,
		(bytes) => `["${"x".repeat((bytes - 7) >> 1)}","${"x".repeat((bytes - 7) >> 1)}"]`,
		(bytes) => `[${"1,".repeat((bytes - 3) >> 1)}1]`,
		(bytes) => `[${"1,".repeat(Math.min(240, (bytes - 3) >> 1))}1]`,
		(bytes) => `[${"[],".repeat(Math.floor((bytes - 4) / 3))}[]]`,
		(bytes) => `{${'"red":1,'.repeat((bytes - 10) >> 3)}"red":1}`,
		(bytes) => `{${Array.from({ length: Math.floor((bytes - 10) / 9) }, (_, i) => `"${String(i).padStart(4, "z")}":1,`).join("")}"red":1}`,
	];
	return values.flatMap((value) =>
		["red", "unknown"].map((name) => {
			const around = (/** @type {string} */ inside) =>
				`{"type":"mcp","payload":{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"self.thing0.set_value","arguments":{"${name}":${inside}}}}}`;
			return around(value(bytes - around("").length));
		}),
	);
}

/** One of many kinds of bad message. @param {number} i */
function hostile(i) {
	const mcp = (/** @type {unknown} */ payload) => JSON.stringify({ type: "mcp", payload });
	switch (i % 10) {
		case 0:
			return `not JSON ${i}`;
		case 1:
			return "[".repeat(50 + (i % 300));
		case 2:
			return mcp({ jsonrpc: "1.0", id: i, method: "ping" });
		case 3:
			return mcp({ jsonrpc: "2.0", id: i, method: `no/such/${i}` });
		case 4:
			return mcp({ jsonrpc: "2.0", id: `id-${i}`, method: "tools/call", params: { name: `no.tool.${i}`, arguments: { [`argument-${i}`]: i } } });
		case 5:
			return mcp({
				jsonrpc: "2.0",
				id: i,
				method: "tools/call",
				params: { name: "self.thing0.set_value", arguments: { red: `x${i}`, [`extra-${i}`]: [i] } },
			});
		case 6:
			return JSON.stringify({ [`unknown-${i}`]: { [`deep-${i}`]: i }, type: `type-${i}` });
		case 7:
			return mcp({ jsonrpc: "2.0", id: i, method: "tools/list", params: { cursor: `cursor-${i}` } });
		case 8:
			return `{"type":"mcp","payload":{"jsonrpc":"2.0","id":${i},"method":"tools/call","params":{"name":"self.thing0.set_value","arguments":{"red":1e999`;
		default:
			return mcp([{ jsonrpc: "2.0", id: i, method: "ping", params: { x: "y".repeat(i % 500) } }]);
	}
}
