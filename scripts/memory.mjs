// `npm run memory`: what the firmware takes of a chip's RAM, measured on the link for an ESP32 in a 32-bit program of this computer.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer as createHttpServer, request } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { WebSocketServer } from "ws";
import { root } from "../cli/boards.js";
import { findSdk } from "../cli/moddable.js";
import { Problem, parseCommandLine, runProgram } from "../cli/program.js";
import { buildProgram, compileEngine, imports } from "./chip-program.mjs";
import { run } from "./link.mjs";

const ROUNDS = 200;
const HOSTILE_MESSAGES = 10_000;
const WORST_ROUNDS = 20;
/** As long as messages may be, `MAX_INBOUND_BYTES`, and past it. */
const SIZES = [2000, 4096, 16_384];
/** A slot of the machine on a chip, in bytes. */
const SLOT_BYTES = 16;

/** All that there is with --limit, 64 KB: chunks, their increment, slots, their increment. */
const LIMITED = [65_536 - 2304 * SLOT_BYTES, 0, 2304, 0];
const RUNTIME_TOOLS = 10;
const SETTLE_MS = 500;
const ANSWER_TIMEOUT_MS = 120_000;
/**
 * Fixed tools, and sessions with endpoints beside the main one.
 * @type {[tools: number, endpoints: number][]}
 */
const RUNS = [
	[10, 0],
	[10, 1],
	[10, 4],
	[30, 0],
];

/** The resource with the certificate of the server that is reached over TLS. */
const OWN_CA = "own-ca.der";
const TLS_ROUNDS = 40;

const TOKEN = "a-token-for-measuring";
/** As many as the device serves at a time. */
const HTTP_CLIENTS = 3;

const USAGE = `Usage: npm run memory [-- --limit | --census | --http | --tls]

Measures the RAM that the firmware takes on a chip, and prints the table of docs/memory.md. It needs the Moddable SDK (not ESP-IDF),
git, make, and gcc that can build for 32 bits (Debian and Ubuntu: apt install gcc-multilib).
  --limit   gives it 64 KB and not a byte more, sends the worst messages, and fails unless it keeps answering
  --census  lists what is alive with a session, and what a further session adds to it
  --http    measures MCP over HTTP: the listener, and clients of both eras that stay connected
  --tls     measures a session over TLS, with the longest messages and records; it needs openssl`;

/** Its own certificate, which the firmware gets as that of a CA, in files. @typedef {{ key: string, pem: string, der: string }} Certificate */

/** @param {Certificate} [certificate] for TLS @returns {Promise<{ server: WebSocketServer, port: number }>} */
function listen(certificate) {
	return new Promise((resolve, reject) => {
		const below = certificate
			? createTlsServer({ key: readFileSync(certificate.key), cert: readFileSync(certificate.pem), maxVersion: "TLSv1.2" })
			: createHttpServer();
		const server = new WebSocketServer({ server: below });
		server.once("close", () => below.close());
		below.once("error", reject);
		below.listen(0, "127.0.0.1", () => resolve({ server, port: /** @type {import("node:net").AddressInfo} */ (below.address()).port }));
	});
}

/** @returns {Certificate} */
function makeCertificate() {
	const folder = mkdtempSync(join(tmpdir(), "memory-"));
	const [key = "", pem = "", der = ""] = ["key.pem", "own.pem", "own.der"].map((name) => join(folder, name));
	const subject = ["-subj", "/CN=own", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"];
	run("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", pem, ...subject]);
	run("openssl", ["x509", "-in", pem, "-outform", "DER", "-out", der]);
	return { key, pem, der };
}

/**
 * The product with this many tools on a board without parts, as a program.
 * @param {{ bin: string, moddable: string }} sdk
 * @param {string[]} engine what `compileEngine` gave
 * @param {number} tools
 * @returns {Promise<string>} its path
 */
async function build(sdk, engine, tools) {
	const app = join(root, "build", "memory", `tools-${tools}`);
	rmSync(app, { recursive: true, force: true });
	mkdirSync(app, { recursive: true });
	const here = (/** @type {string} */ path) => relative(app, join(root, path));
	const manifest = {
		include: [here("src/manifest.json")],
		modules: { main: here("src/main"), "features/*": here("src/features/absent/*"), "board/board": "./board", "board/tools/index": "./tools" },
		preload: ["board/board", "board/tools/index"],
		config: { url: "", certificate: OWN_CA },
	};
	writeFileSync(join(app, "manifest.json"), JSON.stringify(manifest, undefined, "\t"));
	// Without parts, whose drivers are another matter.
	writeFileSync(
		join(app, "board.ts"),
		`${imports('type { Board } from "hardware/board"', 'type { RuntimeTools } from "mcp/server"', '{ addTool } from "board/tools/index"')}

export function createBoard(): Board {
	const system = { version: "1.0.0", macAddress: "02:00:00:00:00:01", uuid: "8a2f0c1e-0000-4000-8000-000000000001", chip: "none", restart() {} };
	const board: Board & { addTool?(i: number): void } = { name: "memory", system, close() {} };
	board.useTools = (tools: RuntimeTools<unknown>) => {
		board.addTool = (i) => addTool(tools, i);
	};
	return board;
}
`,
	);
	writeFileSync(
		join(app, "tools.ts"),
		`${imports('{ integer } from "mcp/schema"', 'type { RuntimeTools } from "mcp/server"', '{ defineTool } from "mcp/tool"', '{ defineTools } from "mcp/tool-list"')}

const part = (name: string) => integer({ minimum: 0, maximum: 255, description: \`The \${name} part, 0 to 255\` });
const red = part("red");
const green = part("green");
const blue = part("blue");
const about = (kind: string, i: number) => \`Sets the three values of \${kind} number \${i} at once\`;
const define = (i: number) =>
	defineTool({
		name: \`self.thing\${i}.set_value\`,
		description: about("thing", i),
		properties: { red, green, blue },
		call: ({ red, green, blue }) => red + green + blue,
	});

export function addTool(tools: RuntimeTools<unknown>, i: number): void {
	tools.addTool(\`self.added\${i}.set_value\`, about("added", i), { red: part("red"), green: part("green"), blue: part("blue") }, ({ red, green, blue }) => red + green + blue);
}

const adder = defineTool({
	name: "self.memory.add_tool",
	description: "Adds a tool",
	properties: { i: integer() },
	call: ({ i }, board: unknown) => {
		(board as { addTool?(i: number): void }).addTool?.(i);
		return true;
	},
});

export default defineTools([adder, ...Array.from({ length: ${tools - 1} }, (_, i) => define(i))]);
`,
	);
	return await buildProgram(sdk, engine, app);
}

/**
 * Runs the firmware with a peer.
 * @template T
 * @param {string} program
 * @param {number} endpoints
 * @param {string} creation what the machine begins with, where it is not as on a device
 * @param {(firmware: Firmware) => Promise<T>} use
 * @param {string[]} [more] settings
 * @param {Certificate} [certificate] of the server, for TLS
 * @returns {Promise<T>}
 */
async function withFirmware(program, endpoints, creation, use, more = [], certificate = undefined) {
	const { server, port } = await listen(certificate);
	const settings = [...more, `url=${certificate ? "wss" : "ws"}://127.0.0.1:${port}/`, "device_id=02:00:00:00:00:01"];
	if (certificate) settings.push(`${OWN_CA}=${certificate.der}`);
	if (endpoints) settings.push(`endpoint=${Array.from({ length: endpoints }, (_, i) => `ws://127.0.0.1:${port}/endpoint${i}`).join(" ")}`);
	const child = spawn(program, [creation, ...settings], { stdio: ["pipe", "pipe", "pipe"] });
	const firmware = new Firmware(child, server);
	try {
		await firmware.connected(endpoints);
		return await use(firmware);
	} finally {
		child.kill();
		server.close();
	}
}

/** What the machine holds and has asked the system for. @typedef {{ slots: number, reservedSlots: number, chunks: number, reservedChunks: number, keys: number }} Sample */

/** A running firmware and the peers that it has connected to. */
class Firmware {
	/** The sessions with endpoints. @type {import("ws").WebSocket[]} */
	others = [];
	/** @type {import("ws").WebSocket | undefined} */
	main;
	#child;
	#output = "";
	#log = "";
	#id = 0;
	/** @type {(message: { id: number }) => void} */
	#onReply = () => {};
	/** @type {(output: string) => void} */
	#onOutput = () => {};
	/** @type {(problem: Problem) => void} */
	#onEnd = () => {};
	/** @type {Promise<never>} */
	#ended;

	/** @param {import("node:child_process").ChildProcessWithoutNullStreams} child @param {WebSocketServer} server */
	constructor(child, server) {
		this.#child = child;
		this.#ended = new Promise((_, reject) => (this.#onEnd = reject));
		this.#ended.catch(() => {});
		child.stdin.on("error", () => {});
		child.stdout.setEncoding("utf8").on("data", (text) => {
			this.#output += text;
			this.#onOutput(this.#output);
		});
		child.stderr.setEncoding("utf8").on("data", (text) => (this.#log = (this.#log + text).slice(-2000)));
		child.on("exit", (code, signal) => this.#onEnd(new Problem(`The firmware ended (${signal ?? code}): ${this.#log}${this.#output.slice(-500)}`)));
		server.on("connection", (socket, { url }) => {
			if (url !== "/") return this.others.push(socket);
			this.main = socket;
			socket.on("message", (data) => {
				const message = JSON.parse(String(data));
				if (message.type === "hello") socket.send(JSON.stringify({ type: "hello", transport: "websocket", session_id: "memory" }));
				else if (message.payload?.id !== undefined) this.#onReply(message.payload);
			});
		});
	}

	/** All sessions are open, and every client has said `initialize`. @param {number} endpoints */
	async connected(endpoints) {
		const open = () => this.main !== undefined && this.others.length === endpoints;
		await Promise.race([until(open), this.#ended]);
		await this.ask("initialize", { protocolVersion: "2024-11-05", capabilities: {} });
		for (const other of this.others) await call(other, "initialize", { protocolVersion: "2025-06-18", capabilities: {} });
		// The resolver that looked up the server is let go of later.
		await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
	}

	/** A request of the main session, until it is answered. @param {string} method @param {object} params */
	ask(method, params) {
		const mine = ++this.#id;
		const replied = new Promise((resolve, reject) => {
			const timer = setTimeout(reject, ANSWER_TIMEOUT_MS, new Problem("The firmware no longer answers."));
			this.#onReply = (message) => {
				if (message.id !== mine) return;
				clearTimeout(timer);
				resolve(undefined);
			};
		});
		this.send(JSON.stringify({ session_id: "memory", type: "mcp", payload: { jsonrpc: "2.0", id: mine, method, params } }));
		return Promise.race([replied, this.#ended]);
	}

	/** @param {string} text */
	send(text) {
		this.main?.send(text);
	}

	/** In one record of TLS, where that is long enough. @param {string[]} texts */
	sendTogether(texts) {
		const below = /** @type {import("node:net").Socket | undefined} */ (/** @type {any} */ (this.main)?._socket);
		below?.cork();
		for (const text of texts) this.send(text);
		below?.uncork();
	}

	/** What is alive after a collection of garbage. @returns {Promise<Sample>} */
	async sample() {
		return JSON.parse(await this.#command("s", /^(\{"slots".*\})$/m));
	}

	/** A line for each object that is alive. @returns {Promise<string[]>} */
	async census() {
		return (await this.#command("c", /^([\s\S]*)^end$/m)).split("\n");
	}

	/** @param {string} command @param {RegExp} answer @returns {Promise<string>} */
	#command(command, answer) {
		this.#output = "";
		/** @type {Promise<string>} */
		const answered = new Promise((resolve) => {
			this.#onOutput = (output) => {
				const text = answer.exec(output)?.[1];
				if (text !== undefined) resolve(text);
			};
		});
		this.#child.stdin.write(command);
		return Promise.race([answered, this.#ended]);
	}
}

/**
 * @param {Firmware} firmware
 * @param {number} tools
 * @param {number} endpoints
 */
async function measure(firmware, tools, endpoints) {
	/** @param {string} moment */
	const report = async (moment) => {
		const { slots, reservedSlots, chunks, reservedChunks, keys } = await firmware.sample();
		const live = slots * SLOT_BYTES + chunks;
		console.log(`| ${[tools, moment, slots, slots * SLOT_BYTES, chunks, live, reservedSlots * SLOT_BYTES + reservedChunks, keys].join(" | ")} |`);
		return live;
	};
	if (endpoints) {
		await report(`connected, with endpoints: ${endpoints}`);
		const message = { name: "self.thing0.set_value", arguments: { red: "x".repeat(2000) } };
		for (let round = 0; round < WORST_ROUNDS; round++)
			await Promise.all([firmware.ask("tools/call", message), ...firmware.others.map((other) => call(other, "tools/call", message))]);
		await report("after long messages of all at once");
		return;
	}
	await report("connected");
	for (let round = 0; round < ROUNDS; round++) {
		await firmware.ask("tools/list", { cursor: "" });
		await firmware.ask("tools/call", { name: `self.thing${round % (tools - 1)}.set_value`, arguments: { red: round % 256, green: 2, blue: 3 } });
	}
	await report(`after ${ROUNDS} rounds of list and call`);
	for (let i = 0; i < HOSTILE_MESSAGES; i++) {
		firmware.send(hostile(i));
		if (i % 20 === 0) await firmware.ask("ping", { [`made-up-${i}`]: i });
	}
	await firmware.ask("ping", {});
	const before = await report(`after ${HOSTILE_MESSAGES} hostile messages`);
	for (const bytes of SIZES) {
		for (let i = 0; i < WORST_ROUNDS; i++) for (const message of worstCases(bytes)) firmware.send(message);
		await firmware.ask("ping", {});
		await report(`after ${WORST_ROUNDS} each of the worst messages of ${bytes} bytes`);
	}
	for (let i = 0; i < RUNTIME_TOOLS; i++) await firmware.ask("tools/call", { name: "self.memory.add_tool", arguments: { i } });
	const grown = (await report(`with ${RUNTIME_TOOLS} tools added at run time`)) - before;
	console.log(`\nA tool that is added at run time takes ${Math.round(grown / RUNTIME_TOOLS)} bytes.\n`);
}

/** Measures MCP over HTTP. @param {string} program */
async function measureHttp(program) {
	console.log("| moment | slots | chunks | live heap | more than before | reserved |\n|---|---|---|---|---|---|");
	let before = 0;
	/** @param {string} moment @param {Firmware} firmware */
	const report = async (moment, firmware) => {
		const { slots, reservedSlots, chunks, reservedChunks } = await firmware.sample();
		const live = slots * SLOT_BYTES + chunks;
		console.log(`| ${[moment, slots, chunks, live, live - before, reservedSlots * SLOT_BYTES + reservedChunks].join(" | ")} |`);
		before = live;
	};
	await withFirmware(program, 0, "", (firmware) => report("without HTTP", firmware));
	/** @type {string[][]} */
	const lists = [];
	for (const modern of [false, true]) {
		const port = await freePort();
		const use = async (/** @type {Firmware} */ firmware) => {
			if (!modern) await report("the listener, nobody there", firmware);
			else before = await liveOf(firmware);
			if (!modern) lists.push(await firmware.census());
			/** @type {Agent[]} */
			const agents = [];
			for (let client = 1; client <= HTTP_CLIENTS; client++) {
				const agent = new Agent({ keepAlive: true, maxSockets: 1 });
				agents.push(agent);
				await useHttp(agent, port, modern);
				await report(`client ${client}, ${modern ? "2026-07-28" : "2025-11-25"}, connected after a list and a call`, firmware);
				if (!modern && client === 1) lists.push(await firmware.census());
			}
			for (const agent of agents) agent.destroy();
		};
		await withFirmware(program, 0, "", use, [`http_port=${port}`, `http_token=${TOKEN}`]);
	}
	console.log(`\nA client of 2025-11-25:\n${tally(lists[1] ?? [], lists[0] ?? [])}`);
}

/** Measures a session over TLS. @param {Firmware} firmware */
async function measureTls(firmware) {
	console.log("| moment | live heap | reserved: slots | chunks | in all |\n|---|---|---|---|---|");
	/** @param {string} moment */
	const report = async (moment) => {
		const { slots, chunks, reservedSlots, reservedChunks } = await firmware.sample();
		const reserved = reservedSlots * SLOT_BYTES;
		console.log(`| ${[moment, slots * SLOT_BYTES + chunks, reserved, reservedChunks, reserved + reservedChunks].join(" | ")} |`);
	};
	const long = (/** @type {number} */ bytes) => worstCases(bytes)[0] ?? "";
	await report("connected");
	for (let round = 0; round < TLS_ROUNDS; round++) await firmware.ask("tools/list", { cursor: "" });
	await report("a page of tools/list");
	for (const bytes of [2000, 4096]) {
		for (let round = 0; round < TLS_ROUNDS; round++) {
			firmware.send(long(bytes));
			await firmware.ask("ping", {});
		}
		await report(`messages of ${bytes} bytes`);
	}
	for (let round = 0; round < TLS_ROUNDS; round++) {
		firmware.sendTogether(Array.from({ length: 4 }, () => long(4080)));
		await firmware.ask("ping", {});
	}
	await report("four messages of 4080 bytes, written at once");
}

/** @param {Firmware} firmware */
async function liveOf(firmware) {
	const { slots, chunks } = await firmware.sample();
	return slots * SLOT_BYTES + chunks;
}

/** Begins, lists and calls over one connection, which stays open. @param {Agent} agent @param {number} port @param {boolean} modern */
async function useHttp(agent, port, modern) {
	const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
	/** @type {string | undefined} */
	let session;
	/** @param {string} method @param {object} params @param {string} [name] */
	const post = (method, params, name) =>
		new Promise((resolve, reject) => {
			const headers = {
				"content-type": "application/json",
				accept: "application/json, text/event-stream",
				authorization: `Bearer ${TOKEN}`,
				...(modern ? { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(name ? { "mcp-name": name } : {}) } : {}),
				...(session ? { "mcp-session-id": session } : {}),
			};
			const sent = request({ agent, host: "127.0.0.1", port, path: "/mcp", method: "POST", headers }, (answer) => {
				session ??= /** @type {string | undefined} */ (answer.headers["mcp-session-id"]);
				if (answer.statusCode !== 200) reject(new Problem(`${method} was answered ${answer.statusCode}`));
				answer.resume().on("end", () => resolve(undefined));
			});
			sent.on("error", reject);
			sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: modern ? { ...params, _meta } : params }));
		});
	if (!modern) await post("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "memory", version: "1" } });
	await post("tools/list", {});
	await post("tools/call", { name: "self_thing0_set_value", arguments: { red: 1, green: 2, blue: 3 } }, "self_thing0_set_value");
}

/** @returns {Promise<number>} */
function freePort() {
	return new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
			server.close(() => resolve(port));
		});
	});
}

/** @param {string} program @param {number} endpoints @returns {Promise<string[]>} */
function census(program, endpoints) {
	return withFirmware(program, endpoints, "", (firmware) => firmware.census());
}

/**
 * Slots and bytes of chunks by what has them, the largest first.
 * @param {string[]} lines of a census
 * @param {string[]} less those that do not count
 */
function tally(lines, less) {
	/** @type {Map<string, { count: number, slots: number, chunks: number }>} */
	const groups = new Map();
	for (const [list, sign] of /** @type {const} */ ([
		[lines, 1],
		[less, -1],
	]))
		for (const line of list) {
			const [slots, chunks, ...words] = line.split(" ");
			const what = words.join(" ");
			const group = groups.get(what) ?? { count: 0, slots: 0, chunks: 0 };
			groups.set(what, { count: group.count + sign, slots: group.slots + sign * Number(slots), chunks: group.chunks + sign * Number(chunks) });
		}
	return [...groups]
		.filter(([, { slots, chunks }]) => slots || chunks)
		.sort(([, a], [, b]) => b.slots * SLOT_BYTES + b.chunks - a.slots * SLOT_BYTES - a.chunks)
		.map(([what, { count, slots, chunks }]) => `${slots} slots, ${chunks} bytes: ${count} x ${what}`)
		.join("\n");
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

await runProgram(USAGE, async (args) => {
	const { values: options } = parseCommandLine(args, {
		limit: { type: "boolean" },
		census: { type: "boolean" },
		http: { type: "boolean" },
		tls: { type: "boolean" },
	});
	const sdk = findSdk();
	const engine = compileEngine(sdk);
	/** @type {Map<number, string>} */
	const programs = new Map();
	if (options.census) {
		const program = await build(sdk, engine, 10);
		const [one, two] = [await census(program, 0), await census(program, 1)];
		console.log(`What is alive with one session:\n${tally(one, [])}\n\nWhat a further session adds:\n${tally(two, one)}`);
		return 0;
	}
	if (options.tls) {
		const program = await build(sdk, engine, 30);
		await withFirmware(program, 0, "", measureTls, [], makeCertificate());
		return 0;
	}
	if (options.http) {
		await measureHttp(await build(sdk, engine, 10));
		return 0;
	}
	console.log(`| fixed tools | moment | slots | slots x ${SLOT_BYTES} | chunks | live heap | reserved | keys |\n|---|---|---|---|---|---|---|---|`);
	for (const [tools, endpoints] of options.limit ? RUNS.slice(0, 1) : RUNS) {
		const program = programs.get(tools) ?? (await build(sdk, engine, tools));
		programs.set(tools, program);
		await withFirmware(program, endpoints, options.limit ? LIMITED.join() : "", (firmware) => measure(firmware, tools, endpoints));
	}
	return 0;
});
