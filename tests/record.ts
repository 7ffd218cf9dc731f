// `npm run docs:recorded`: makes the sessions of docs/recorded anew, with the firmware on XS and real servers on this computer.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../cli/boards.js";
import { Problem, runProgram } from "../cli/program.js";
import { startBackend } from "../hub/backend.js";
import type { DeviceSession } from "../hub/device-session.js";
import { type Preferences, type RunningDevice, runDevice } from "../simulator/run-device.js";
import { TestBackend } from "./support/test-backend.js";

/** What stands for a device's identity: the same in every recording. */
const IDENTITY = { device_id: "02:00:00:00:00:01", client_id: "00000000-0000-4000-8000-000000000001" };
/** Parts that have nothing to do with these sessions. */
const SHOWN = ["lamp", "camera"];

/** Each makes the lines of one file. */
const RECORDINGS: { readonly [name: string]: () => Promise<string[]> } = {
	esp_hi: () => run("hub/start.ts", ["--board", "esp_hi", "--once"]),
	otto: () => run("hub/start.ts", ["--board", "otto", "--once"]),
	say: recordSay,
	timer: recordTimer,
	photo: recordPhoto,
	gateway: recordGateway,
};

const USAGE = `Usage: npm run docs:recorded -- [NAME ...]

Makes docs/recorded/NAME.txt anew, all of them where none is named: ${Object.keys(RECORDINGS).join(", ")}.`;

await runProgram(USAGE, async (args) => {
	for (const name of args.length > 0 ? args : Object.keys(RECORDINGS)) {
		const record = RECORDINGS[name];
		if (!record) throw new Problem(`There is no recording "${name}". There are: ${Object.keys(RECORDINGS).join(", ")}.`);
		writeFileSync(join(root, "docs", "recorded", `${name}.txt`), `${(await record()).join("\n")}\n`);
		console.log(`docs/recorded/${name}.txt: written`);
	}
	return 0;
});

/**
 * What a program prints on a pipe.
 * @param last the end of it, where it does not end by itself
 */
function run(file: string, args: readonly string[], last?: string): Promise<string[]> {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, ["--import", "tsx", file, ...args], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
		let text = "";
		child.stdout.setEncoding("utf8").on("data", (piece: string) => {
			const before = text;
			text += piece;
			// Once: a second one ends it at once.
			if (last !== undefined && text.includes(last) && !before.includes(last)) child.kill("SIGINT");
		});
		child.once("error", reject);
		child.once("close", (code) => (code === 0 ? resolve(text.trimEnd().split("\n")) : reject(new Problem(`${file} ended with ${code}.`))));
	});
}

/** The simulated board; what it logs and shows becomes lines. */
async function device(lines: string[], config: object, preferences?: Preferences): Promise<RunningDevice> {
	return await runDevice({
		board: "simulator",
		config: { ...IDENTITY, ...config },
		preferences,
		onLog: (line) => lines.push(`  device: ${line}`),
		onShow: (part, state) => SHOWN.includes(part) && lines.push(`    ${part}  ${JSON.stringify(state)}`),
	});
}

/** Settles when a line has come that contains the text, from one line on. */
async function until(lines: readonly string[], text: string, from = 0): Promise<void> {
	while (!lines.some((line, i) => i >= from && line.includes(text))) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function recordSay(): Promise<string[]> {
	const backend = await startBackend({
		async assistant(text, session) {
			if (!/lamp/.test(text)) return "I can turn the lamp on and off.";
			await session.callTool("self.lamp.turn_on", {});
			return "There is light.";
		},
		onSession: (session) => void session.initialize(),
	});
	const said = ["What can you do?", "Turn the lamp on"];
	const lines = await run("hub/device.ts", ["--url", backend.url, ...said.flatMap((text) => ["--say", text])], "assistant  There is light.");
	await backend.close();
	return [
		"# A scripted backend that turns the lamp on, and:",
		`$ npm run device -- --url ${backend.url} ${said.map((text) => `--say "${text}"`).join(" ")}`,
		...lines,
	];
}

async function recordTimer(): Promise<string[]> {
	const lines = [
		"# The simulated board on XS. A model sets two timers over the backend; the device is switched off, and on again without a backend.",
	];
	const sessions: DeviceSession[] = [];
	const backend = await startBackend({ onSession: (session) => sessions.push(session) });
	const first = await device(lines, { url: backend.url });
	await until(lines, "connecting -> idle");
	const [session] = sessions as [DeviceSession];
	await session.initialize();
	const call = async (name: string, args: Record<string, unknown>) => {
		lines.push(`→ ${name} ${JSON.stringify(args)}`);
		try {
			lines.push(`← ${((await session.callTool(name, args)).content[0] as { text: string }).text}`);
		} catch (error) {
			lines.push(`← ${JSON.stringify({ code: (error as { code?: number }).code, message: (error as Error).message })}`);
		}
	};
	await call("self.timer.set", { seconds: 3, tool: "self.lamp.turn_on" });
	await call("self.timer.set", { seconds: 4, say: "The oven" });
	await call("self.timer.set", { seconds: 5, tool: "self.reboot" });
	await call("self.timer.list", {});
	const { preferences } = first;
	await first.close();
	await backend.close();
	lines.push("the device is off", "the device is on again, without a backend");
	const second = await device(lines, {}, preferences);
	await until(lines, "timer 2: due");
	await second.close();
	return lines;
}

async function recordPhoto(): Promise<string[]> {
	const lines = ["# The simulated board on XS, a backend that names a vision server, and that server: Node's own HTTP server."];
	const vision = createServer(async (request, response) => {
		const pieces: Buffer[] = [];
		for await (const piece of request) pieces.push(piece as Buffer);
		const body = Buffer.concat(pieces);
		lines.push(`vision server  ${request.method} ${request.url}, ${body.length} bytes`);
		for (const name of ["device-id", "client-id", "authorization", "content-type"]) lines.push(`               ${name}: ${request.headers[name]}`);
		const head = body.subarray(0, body.indexOf(Buffer.from([0xff, 0xd8]))).toString();
		for (const line of head.trimEnd().split("\r\n")) lines.push(`               | ${line}`.trimEnd());
		response.end('{"success":true,"action":"RESPONSE","response":"A strip of eight lights on a dark wall."}');
	});
	await new Promise<void>((resolve) => vision.listen(0, "127.0.0.1", resolve));
	const backend = await TestBackend.listen();
	const photo = { name: "self.camera.take_photo", arguments: { question: "What do you see?" } };
	const session = async (initialize: object) => {
		const from = lines.length;
		const running = await device(lines, { url: backend.url });
		const connection = await backend.session();
		await until(lines, "connecting -> idle", from);
		for (const [method, params] of [["initialize", initialize] as const, ["tools/call", photo] as const]) {
			lines.push(`→ ${method} ${JSON.stringify(params)}`);
			const { result } = await connection.ask(method, params);
			lines.push(`← ${JSON.stringify(result).replace(/("data":"[^"]{24})[^"]*/, "$1…")}`);
		}
		await running.close();
	};
	const url = `http://127.0.0.1:${(vision.address() as AddressInfo).port}/mcp/vision/explain`;
	await session({ protocolVersion: "2024-11-05", capabilities: { vision: { url, token: "t0ken" } } });
	lines.push("", "# The same board, and a client that names no vision server and takes large results: it gets the picture.");
	await session({ protocolVersion: "2025-11-25", capabilities: {} });
	await backend.close();
	vision.close();
	return lines;
}

/** An MCP client's lines (→) and those of the gateway (←), as they are on its stdin and stdout. */
async function recordGateway(): Promise<string[]> {
	const free = createServer();
	await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
	const { port } = free.address() as AddressInfo;
	await new Promise((resolve) => free.close(resolve));
	const args = ["--listen", `127.0.0.1:${port}`];
	const lines = [
		"# What is on the gateway's stdin (→) and stdout (←), and the board examples/countdown, which connects to it. Long texts are cut.",
		`$ npm run --silent gateway -- ${args.join(" ")}`,
	];
	const gateway = spawn(process.execPath, ["--import", "tsx", "hub/serve-mcp.ts", ...args], { cwd: root, stdio: ["pipe", "pipe", "ignore"] });
	const exited = new Promise((resolve) => gateway.once("exit", resolve));
	const cut = (line: string) =>
		JSON.stringify(JSON.parse(line), (key, value) => {
			if (key === "tools" && Array.isArray(value) && value.length > 1) return [...value.slice(0, 1), `… ${value.length - 1} more`];
			return typeof value === "string" && value.length > 160 ? `${value.slice(0, 160)}…` : value;
		});
	createInterface({ input: gateway.stdout }).on("line", (line) => lines.push(`← ${cut(line)}`));
	const send = (message: object) => {
		const line = JSON.stringify({ jsonrpc: "2.0", ...message });
		lines.push(`→ ${line}`);
		gateway.stdin.write(`${line}\n`);
	};
	/** A request, until its answer is there. */
	const ask = async (id: number, method: string, params: object = {}) => {
		const from = lines.length;
		send({ id, method, params });
		await until(lines, `"id":${id}}`, from + 1);
	};
	const note = (text: string) => lines.push("", `# ${text}`);
	const url = `ws://127.0.0.1:${port}/xiaozhi/v1/`;
	const connect = () => runDevice({ board: join(root, "examples", "countdown"), config: { ...IDENTITY, url } });
	const count = { name: "self_rocket_count_down", arguments: { seconds: 2 } };
	note("The client begins. There is no board yet.");
	const clientInfo = { name: "recording", version: "1.0.0" };
	await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
	send({ method: "notifications/initialized" });
	await ask(2, "tools/list");
	note("The board connects.");
	let from = lines.length;
	let board = await connect();
	await until(lines, "tools/list_changed", from);
	await ask(3, "tools/list");
	note("A call that takes two seconds, with progress.");
	await ask(4, "tools/call", { ...count, _meta: { progressToken: "p" } });
	note("Another one, given up after its first word: it is not answered.");
	from = lines.length;
	send({ id: 5, method: "tools/call", params: { ...count, _meta: { progressToken: "q" } } });
	await until(lines, '"progressToken":"q"', from + 1);
	send({ method: "notifications/cancelled", params: { requestId: 5, reason: "changed my mind" } });
	note("What does not fit is a result that a model can read.");
	await ask(6, "tools/call", { name: "self_rocket_count_down", arguments: { seconds: 2, loud: true } });
	note("The board's state.");
	await ask(7, "resources/read", { uri: "board://status" });
	note("The board is lost in the middle of a call.");
	from = lines.length;
	send({ id: 8, method: "tools/call", params: { ...count, _meta: { progressToken: "r" } } });
	await until(lines, '"progressToken":"r"', from + 1);
	await board.close();
	await until(lines, '"id":8}', from + 1);
	await ask(9, "tools/call", count);
	note("And is back.");
	board = await connect();
	for (let id = 10; ; id++) {
		from = lines.length;
		await ask(id, "tools/call", { name: "self_get_device_status", arguments: {} });
		if (!lines.slice(from).some((line) => line.includes('"isError":true'))) break;
		lines.length = from;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	note("The client ends.");
	gateway.stdin.end();
	lines.push(`exit code ${await exited}`);
	await board.close();
	return lines;
}
