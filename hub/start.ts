// `npm start`: a simulated board and a backend in one terminal; shows how the backend discovers and moves the device, then takes commands.

import { basename } from "node:path";
import type { Tool } from "@modelcontextprotocol/client";
import { parseBoard, parseLanguage } from "../cli/boards.js";
import { atMost, EXIT_LIMIT_MS, onceSignalled, Problem, parseOptions, parsePort, runProgram } from "../cli/program.js";
import { inline, plain } from "../cli/terminal.js";
import type { RunningDevice } from "../simulator/run-device.js";
import { type Backend, startBackend } from "./backend.js";
import { BoardState } from "./board-state.js";
import { DemoError, messageOf, runDemo } from "./demo.js";
import { type Device, Devices } from "./devices.js";
import { parseObject } from "./json.js";
import { Observer } from "./observer.js";
import { createPage, type Page } from "./page.js";
import { runPrompt } from "./prompt.js";
import { pageUrl } from "./serving.js";
import { runSimulatedBoard, simulatedId } from "./simulated-board.js";
import { toolTable } from "./text.js";
import { startFailure, Transcript } from "./transcript.js";

const USAGE = `Usage: npm start -- [--once] [--port N] [--board NAME] [--language en|zh] [--verbose | --json]

Starts a backend on 127.0.0.1 and a simulated board that connects to it, with a page that draws the board,
shows what goes over the wire, and then takes commands.

  --once        no commands: ends with 0 if all of it worked, with 1 and the reason if not
  --port N      the backend's port; any free one where it is not given
  --board NAME  a folder of boards/, or a path to one; "simulator" where it is not given
  --language L  the language of the board's tools, en or zh; en where it is not given
  --verbose     shows every message whole
  --json        one JSON object a line on stdout: messages, states and the device's log; everything else goes to stderr
  --help        shows this text

Ends with 1 when something failed, a command that came from a pipe included, and with 2 for a wrong option.
`;

/** A device that has not been discovered after this long counts as failed. */
const CONNECT_LIMIT_MS = 30_000;

interface BenchOptions {
	once: boolean;
	port: number;
	board: string;
	language: "en" | "zh" | undefined;
	verbose: boolean;
	json: boolean;
}

/** The backend, the device and what is known about both. */
class Bench {
	readonly #options: BenchOptions;
	readonly #transcript: Transcript;
	readonly #state: BoardState;
	readonly #problems: string[] = [];
	readonly #stopped = new AbortController();
	readonly #devices = new Devices({ withUserTools: true });
	/** The prompt is for this device; others may connect, and are only mentioned. */
	readonly #own = simulatedId();
	readonly #observer = new Observer(this.#devices);
	#page: Page | undefined;
	#backend: Backend | undefined;
	#device: RunningDevice | undefined;
	#waiting: ((device: Device) => void)[] = [];
	#introduced = false;
	#closing = false;
	#fail: (reason: Error) => void = () => {};

	constructor(options: BenchOptions) {
		this.#options = options;
		this.#transcript = new Transcript(options.json ? process.stderr : process.stdout);
		this.#state = new BoardState(this.#transcript);
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
		this.#transcript.line("Now you: tools, user, call NAME JSON, say TEXT, state, help, quit.");
		const failures = await Promise.race([
			runPrompt(
				{
					input: process.stdin,
					output: process.stdout,
					transcript: this.#transcript,
					session: () => this.#session(),
					device: () => this.#known,
					say: (text) => this.#device?.say(text),
					state: () => this.#state.lines,
				},
				this.#stopped.signal,
			),
			failed,
		]);
		// A script wants to know; a person has read it.
		return failures > 0 && !process.stdin.isTTY ? 1 : 0;
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
		this.#page?.close();
		this.#devices.close();
		await this.#backend?.close();
	}

	async #start(): Promise<void> {
		const { palette } = this.#transcript;
		this.#listen();
		try {
			this.#page = await createPage(this.#observer, { deviceId: this.#own, userTools: true });
			this.#backend = await startBackend({
				port: this.#options.port,
				routes: this.#page.routes,
				openRoutes: this.#page.openRoutes,
				onHello: (hello, reply) => {
					this.#arrow("device → backend", hello);
					this.#arrow("backend → device", reply);
				},
				onSession: (session) => void this.#devices.add(session),
				onRefused: (reason) => this.#problem(`the backend refused the device: ${reason}`),
				onProblem: (problem) => this.#problem(problem),
			});
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "EADDRINUSE")
				throw new Problem(`port ${this.#options.port} on 127.0.0.1 is in use; choose another with --port`);
			throw new Problem(`the backend cannot listen on port ${this.#options.port}: ${messageOf(error)}`);
		}
		this.#transcript.line(`${palette.bold("page")}     ${pageUrl(this.#backend.port)}`);
		this.#transcript.line(`${palette.bold("backend")}  listens on ${this.#backend.url}`);
		try {
			const starting = runSimulatedBoard({
				board: this.#options.board,
				language: this.#options.language,
				url: this.#backend.url,
				onLog: (line) => {
					this.#transcript.line(palette.dim(`  device: ${plain(line)}`));
					this.#observer.log(this.#own, line);
					this.#emit({ type: "log", line });
				},
				onDescribe: (part, description) => {
					this.#state.describe(part, description);
					this.#observer.describe(this.#own, part, description);
				},
				onShow: (part, state) => {
					// Calls are shown where they are made.
					if (part !== "assistant" || (state as { kind?: unknown }).kind !== "call") this.#state.show(part, state);
					this.#observer.show(this.#own, part, state);
					this.#emit({ type: "state", part, state });
				},
				onRestart: () => {
					this.#transcript.line(`${palette.bold("device")}   restarts`);
					this.#observer.restarted(this.#own);
				},
			});
			this.#device = await this.#transcript.leadWith(starting, ({ engine, engineReason }) => {
				const where = engine === "xs" ? "the XS engine" : `Node, not the XS engine${engineReason ? `: ${plain(engineReason)}` : ""}`;
				return `${palette.bold("device")}   board ${this.#options.board} on ${where}`;
			});
		} catch (error) {
			throw startFailure(error, this.#options.board);
		}
		const { engine, engineReason } = this.#device;
		this.#observer.view(this.#own).simulation = {
			board: basename(this.#options.board),
			engine: engine === "xs" ? "XS" : `Node${engineReason ? `: ${engineReason}` : ""}`,
			input: (part, input) => this.#device?.input(part, input),
		};
		if (this.#closing) return void this.#device.close();
		void this.#device.exited.then(({ ok, reason }) => {
			if (!this.#closing) this.#fail(new Problem(`the device ${ok ? "ended" : "crashed"}: ${plain(reason)}`));
		});
	}

	/** Tells what becomes of the devices; whoever waits for this board's session gets it when it is there. */
	#listen(): void {
		const { palette } = this.#transcript;
		const nameOf = (deviceId: string | undefined) => (deviceId === this.#own ? "" : ` of ${plain(deviceId ?? "a device")}`);
		this.#devices.listen({
			onReady: (device) => {
				const { session, tools, userTools } = device;
				const [title, list] = device.id === this.#own ? ["initialize", "tools/list"] : ["another device", "its tools"];
				this.#arrow(title, `${device.name} ${device.version}, MCP ${session?.protocolVersion}`);
				this.#arrow(list, `${tools.length} tools, and ${userTools.length} for people only`);
				if (device.id !== this.#own) return;
				if (this.#introduced) this.#transcript.line(`${palette.bold("device")}   is back, in a new session`);
				else this.#showTools(tools);
				this.#introduced = true;
				for (const resolve of this.#waiting.splice(0)) resolve(device);
			},
			onFailed: (session, cause) => {
				if (this.#closing) return;
				const reason = `the device could not be discovered: ${plain(cause)}`;
				if (session.deviceId === this.#own && !this.#introduced) this.#fail(new Problem(reason));
				else this.#transcript.line(palette.red(reason));
			},
			onEnded: (session, reason) => {
				if (this.#closing) return;
				this.#transcript.line(`${palette.bold("backend")}  the session${nameOf(session.deviceId)} ended: ${plain(reason)}`);
			},
			onWire: (session, direction, text) => {
				if (session.deviceId !== this.#own) return;
				this.#emit({ type: "message", direction, message: parseObject(text) ?? text });
				if (this.#options.verbose) this.#transcript.line(palette.dim(`${direction === "in" ? "←" : "→"} ${plain(text)}`));
			},
			onNotification: (session, method, params) => {
				if (session.deviceId === this.#own) this.#arrow("device → backend", `${method} ${JSON.stringify(params ?? {})}`);
			},
			onProblem: (problem) => this.#problem(problem),
		});
	}

	/** For --json. */
	#emit(value: object): void {
		if (this.#options.json) process.stdout.write(`${JSON.stringify(value)}\n`);
	}

	#showTools(tools: readonly Tool[]): void {
		this.#transcript.line();
		for (const row of toolTable(tools, this.#transcript.palette, this.#transcript.width)) this.#transcript.line(row);
		this.#transcript.line();
	}

	get #known(): Device | undefined {
		return this.#devices.find(this.#own);
	}

	#session(): Promise<Device> {
		const device = this.#known;
		if (device?.session) return Promise.resolve(device);
		return new Promise((resolve) => this.#waiting.push(resolve));
	}

	async #demonstrate(device: Device): Promise<void> {
		const { palette } = this.#transcript;
		const width = this.#transcript.width - 4;
		try {
			const { tools } = device;
			const count = await runDemo(device, tools, {
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
		language: { type: "string" },
		verbose: { type: "boolean", default: false },
		json: { type: "boolean", default: false },
	});
	const { once, verbose, json } = values;
	const bench = new Bench({
		once,
		verbose,
		json,
		port: parsePort(values.port),
		board: parseBoard(values.board),
		language: parseLanguage(values.language),
	});
	const signalled = onceSignalled();
	try {
		return await Promise.race([bench.run(), signalled.then(() => bench.interrupted())]);
	} finally {
		await atMost(EXIT_LIMIT_MS, bench.close());
	}
});
