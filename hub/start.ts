// `npm start`: a simulated board and a backend in one terminal; shows how the backend discovers and moves the device, then takes commands.

import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { parseBoard } from "../cli/boards.js";
import { atMost, EXIT_LIMIT_MS, onceSignalled, Problem, parseOptions, parsePort, runProgram } from "../cli/program.js";
import { inline, plain } from "../cli/terminal.js";
import { type RunningDevice, runDevice } from "../simulator/run-device.js";
import { type Backend, type DeviceSession, startBackend } from "./backend.js";
import { BoardState } from "./board-state.js";
import { DemoError, messageOf, runDemo } from "./demo.js";
import { defaultMacAddress, uuidOf } from "./options.js";
import { type PromptSession, runPrompt } from "./prompt.js";
import { toolTable } from "./text.js";
import { startFailure, Transcript } from "./transcript.js";

const USAGE = `Usage: npm start -- [--once] [--port N] [--board NAME]

Starts a backend on 127.0.0.1 and a simulated board that connects to it, shows what goes over the
wire, and then takes commands.

  --once        no commands: ends with 0 if all of it worked, with 1 and the reason if not
  --port N      the backend's port; any free one where it is not given
  --board NAME  a folder of boards/, or a path to one; "simulator" where it is not given
  --help        shows this text
`;

/** A device that has not been discovered after this long counts as failed. */
const CONNECT_LIMIT_MS = 30_000;

interface Discovered extends PromptSession {
	readonly session: DeviceSession;
}

/** The backend, the device and what is known about both. */
class Bench {
	readonly #options: { once: boolean; port: number; board: string };
	readonly #transcript = new Transcript();
	readonly #state = new BoardState(this.#transcript.palette, (line) => this.#transcript.line(`    ${line}`));
	readonly #problems: string[] = [];
	readonly #stopped = new AbortController();
	#backend: Backend | undefined;
	#device: RunningDevice | undefined;
	#discovered: Discovered | undefined;
	#waiting: ((discovered: Discovered) => void)[] = [];
	#toolNames: readonly string[] = [];
	#introduced = false;
	#closing = false;
	#fail: (reason: Error) => void = () => {};

	constructor(options: { once: boolean; port: number; board: string }) {
		this.#options = options;
	}

	/** @throws Problem with the reason when something did not work */
	async run(): Promise<number> {
		const failed = new Promise<never>((_resolve, reject) => {
			this.#fail = reject;
		});
		failed.catch(() => {});
		await Promise.race([this.#start(), failed]);
		const limit = setTimeout(() => this.#fail(new Problem(`the device was not discovered within ${CONNECT_LIMIT_MS / 1000} s`)), CONNECT_LIMIT_MS);
		const discovered = await Promise.race([this.#session(), failed]).finally(() => clearTimeout(limit));
		await Promise.race([this.#demonstrate(discovered), failed]);
		if (this.#options.once) return 0;
		this.#transcript.line();
		this.#transcript.line("Now you: tools, user, call NAME JSON, state, help, quit.");
		await Promise.race([
			runPrompt(
				{
					input: process.stdin,
					output: process.stdout,
					transcript: this.#transcript,
					session: () => this.#session(),
					toolNames: () => this.#toolNames,
					state: () => this.#state.lines,
				},
				this.#stopped.signal,
			),
			failed,
		]);
		return 0;
	}

	/** Ends after a signal: a fault only where nobody watches. */
	interrupted(): number {
		if (this.#options.once) throw new Problem("interrupted");
		return 0;
	}

	/** May be called twice. */
	async close(): Promise<void> {
		this.#closing = true;
		this.#stopped.abort();
		this.#state.close();
		await this.#device?.close();
		await this.#backend?.close();
	}

	async #start(): Promise<void> {
		const { palette } = this.#transcript;
		try {
			this.#backend = await startBackend({
				port: this.#options.port,
				onHello: (hello, reply) => {
					this.#arrow("device → backend", hello);
					this.#arrow("backend → device", reply);
				},
				onSession: (session) => void this.#discover(session),
				onRefused: (reason) => this.#problem(`the backend refused the device: ${reason}`),
				onProblem: (problem) => this.#problem(problem),
			});
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "EADDRINUSE")
				throw new Problem(`port ${this.#options.port} on 127.0.0.1 is in use; choose another with --port`);
			throw new Problem(`the backend cannot listen on port ${this.#options.port}: ${messageOf(error)}`);
		}
		this.#transcript.line(`${palette.bold("backend")}  listens on ${this.#backend.url}`);
		const macAddress = defaultMacAddress();
		try {
			const starting = runDevice({
				board: this.#options.board,
				config: { url: this.#backend.url, device_id: macAddress, client_id: uuidOf(macAddress) },
				engine: "auto",
				onLog: (line) => this.#transcript.line(palette.dim(`  device: ${plain(line)}`)),
				onShow: (part, state) => this.#state.show(part, state),
				onRestart: () => this.#transcript.line(`${palette.bold("device")}   restarts`),
			});
			this.#device = await this.#transcript.leadWith(starting, ({ engine, engineReason }) => {
				const where = engine === "xs" ? "the XS engine" : `Node, not the XS engine${engineReason ? `: ${plain(engineReason)}` : ""}`;
				return `${palette.bold("device")}   board ${this.#options.board} on ${where}`;
			});
		} catch (error) {
			throw startFailure(error, this.#options.board);
		}
		if (this.#closing) return void this.#device.close();
		void this.#device.exited.then(({ ok, reason }) => {
			if (!this.#closing) this.#fail(new Problem(`the device ${ok ? "ended" : "crashed"}: ${plain(reason)}`));
		});
	}

	/** Initializes a new session and learns its tools; whoever waits for a session gets it then. */
	async #discover(session: DeviceSession): Promise<void> {
		const { palette } = this.#transcript;
		const again = this.#introduced;
		this.#introduced = true;
		void session.ended.then((reason) => {
			if (this.#discovered?.session === session) this.#discovered = undefined;
			if (this.#closing) return;
			this.#transcript.line(`${palette.bold("backend")}  the session ended: ${plain(reason)}`);
		});
		session.onNotification = (method, params) => this.#arrow("device → backend", `${method} ${JSON.stringify(params ?? {})}`);
		try {
			await session.initialize();
			const server = session.server;
			this.#arrow("initialize", `${server?.name} ${server?.version}, MCP ${session.protocolVersion}`);
			const tools = await session.listTools();
			const names = new Set(tools.map((tool) => tool.name));
			const userTools = (await session.listTools(true)).filter((tool) => !names.has(tool.name));
			this.#arrow("tools/list", `${tools.length} tools, and ${userTools.length} for people only`);
			if (again) this.#transcript.line(`${palette.bold("device")}   is back, in a new session`);
			else this.#showTools(tools);
			this.#toolNames = [...tools, ...userTools].map((tool) => tool.name);
			if (session.over) return;
			const discovered: Discovered = { session, tools, userTools, callTool: (name, args) => session.callTool(name, args) };
			this.#discovered = discovered;
			for (const resolve of this.#waiting.splice(0)) resolve(discovered);
		} catch (error) {
			if (this.#closing) return;
			const reason = `the device could not be discovered: ${plain(messageOf(error))}`;
			if (!again) this.#fail(new Problem(reason));
			else this.#transcript.line(palette.red(reason));
			session.close(reason);
		}
	}

	#showTools(tools: readonly Tool[]): void {
		this.#transcript.line();
		for (const row of toolTable(tools, this.#transcript.palette, this.#transcript.width)) this.#transcript.line(row);
		this.#transcript.line();
	}

	#session(): Promise<Discovered> {
		if (this.#discovered) return Promise.resolve(this.#discovered);
		return new Promise((resolve) => this.#waiting.push(resolve));
	}

	async #demonstrate({ session, tools }: Discovered): Promise<void> {
		const { palette } = this.#transcript;
		const width = this.#transcript.width - 4;
		try {
			const count = await runDemo(session, tools, {
				onCall: (name, args) => this.#transcript.line(`  → ${palette.cyan(plain(name))} ${inline(args, width - name.length)}`),
				onResult: (text) => this.#transcript.line(`  ← ${palette.green(inline(text, width))}`),
				onRefused: (reason) => this.#transcript.line(`  ← ${palette.red(inline(reason, width))}`),
			});
			if (this.#problems.length > 0) throw new DemoError(this.#problems.join("; "));
			this.#transcript.line();
			this.#transcript.line(palette.green(`All of it worked: ${tools.length} tools discovered, ${count} calls made and checked.`));
		} catch (error) {
			const reason = `It did not work: ${plain(messageOf(error))}`;
			if (this.#options.once) throw new Problem(reason);
			this.#transcript.line(palette.red(reason));
		}
	}

	#arrow(label: string, text: string): void {
		this.#transcript.line(`${this.#transcript.palette.bold(label.padEnd(16))}  ${inline(text, this.#transcript.width - 18)}`);
	}

	#problem(text: string): void {
		if (this.#closing) return;
		// A peer that goes on and on is heard once; the list only says whether all went well.
		if (this.#problems.length < 8) this.#problems.push(plain(text));
		this.#transcript.line(this.#transcript.palette.red(`problem: ${plain(text)}`));
	}
}

// The class above has to exist when this runs.
await runProgram(USAGE, async (args) => {
	const values = parseOptions(args, {
		once: { type: "boolean", default: false },
		port: { type: "string", default: "0" },
		board: { type: "string", default: "simulator" },
	});
	const bench = new Bench({ once: values.once, port: parsePort(values.port), board: parseBoard(values.board) });
	const signalled = onceSignalled();
	try {
		return await Promise.race([bench.run(), signalled.then(() => bench.interrupted())]);
	} finally {
		await atMost(EXIT_LIMIT_MS, bench.close());
	}
});
