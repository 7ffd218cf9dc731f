// A debugger without a window: starts an app in Moddable's simulator, hands on its log, reports exceptions and memory.

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "../cli/program.js";

/** The simulator's own machine has this name; it draws the window and the panel. */
const SIMULATOR_NAME = "mcsim";
/** What its files are called. */
const SIGNATURE = "tech.moddable.mcsim";
const MAX_PENDING_CHARACTERS = 4 * 1024 * 1024;
/** An app with an abort hook goes on after "XS abort"; one without is silent from then on. */
const ABORT_SILENCE_MS = 1000;
const KILL_DELAY_MS = 2000;

/**
 * @typedef {object} Options
 * @property {string} simulator the path of mcsim
 * @property {string[]} arguments what mcsim is given: perhaps a folder with panels, then the app's mc.so
 * @property {number} timeoutMs the end of patience
 * @property {(line: string) => boolean} onLine takes each line of the app's log; true ends the run
 * @property {(values: Map<string, { last: number, most: number }>) => void} [onSample] takes the app's instruments, about once a second
 * @property {(line: string) => void} onReport takes exceptions, the panel's log and what else is to be told
 * @property {AbortSignal} [signal] ends the run
 * @property {string} [display] options of the X server that nobody sees, as it has them on its command line
 * @property {{ width: number, height: number }} [window] how large the simulator's window is; 640 × 480 where it is not given
 *
 * @typedef {object} Outcome
 * @property {string | undefined} problem why it ended otherwise than by `onLine`
 * @property {{ [name: string]: { last: number, most: number } }} memory the app's instruments
 */

/**
 * Runs an app until `onLine` says that it is enough.
 * @param {Options} options
 * @returns {Promise<Outcome>}
 */
export async function runInSimulator(options) {
	/** @type {Set<Machine>} */
	const machines = new Set();
	/** @type {Map<string, { last: number, most: number }>} */
	const memory = new Map();
	/** @type {(problem: string | undefined) => void} */
	let end = () => {};
	/** @type {Promise<string | undefined>} */
	const ended = new Promise((resolve) => {
		end = resolve;
	});
	/** @type {NodeJS.Timeout | undefined} */
	let aborted;
	/** @param {Machine} machine @param {string} line */
	const onLine = (machine, line) => {
		if (machine.name === SIMULATOR_NAME) return options.onReport(`panel: ${line}`);
		clearTimeout(aborted);
		if (options.onLine(line)) end(undefined);
		else if (line.startsWith("XS abort")) aborted = setTimeout(() => end(`the app ended: ${line}`), ABORT_SILENCE_MS);
	};
	const server = createServer((socket) => {
		const machine = new Machine(socket, { onLine, onReport: options.onReport, onSample: () => options.onSample?.(memory), memory });
		machines.add(machine);
		socket.on("close", () => machines.delete(machine));
	});
	await new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", () => resolve(undefined));
	});
	const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
	// What lies below HOME is each run's own; an app's files, with the preferences, are where its `config.file.root` says.
	const home = mkdtempSync(join(tmpdir(), "moddable-sim-"));
	if (options.window)
		writeFileSync(join(home, `${SIGNATURE}.ini`), `[window]\nx=0\ny=0\nwidth=${options.window.width}\nheight=${options.window.height}\n`);
	// Written to a peer that has gone, the SDK's sockets on Linux get the signal PIPE, which ends the simulator. A chip knows none.
	const child = spawn(
		"xvfb-run",
		["-a", ...(options.display ? ["-s", options.display] : []), "env", "--block-signal=PIPE", options.simulator, ...options.arguments],
		{
			detached: true,
			stdio: "ignore",
			env: { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, XSBUG_HOST: "127.0.0.1", XSBUG_PORT: String(port) },
		},
	);
	const exited = new Promise((resolve) => {
		child.once("error", (error) => {
			end(`xvfb-run did not start: ${error.message}`);
			resolve(undefined);
		});
		child.once("exit", (code, signal) => {
			end(`the simulator ended (${signal ?? code}); it does so without a word when an app needs a native function that is not there`);
			resolve(undefined);
		});
	});
	const timer = setTimeout(() => end(`no end after ${options.timeoutMs / 1000} s`), options.timeoutMs);
	const onAbort = () => end("interrupted");
	options.signal?.addEventListener("abort", onAbort, { once: true });
	const problem = await ended;

	clearTimeout(timer);
	clearTimeout(aborted);
	options.signal?.removeEventListener("abort", onAbort);
	kill(child.pid, "SIGTERM");
	const force = setTimeout(() => kill(child.pid, "SIGKILL"), KILL_DELAY_MS);
	await exited;
	clearTimeout(force);
	kill(child.pid, "SIGKILL");
	for (const machine of machines) machine.close();
	await new Promise((resolve) => server.close(resolve));
	rmSync(home, { recursive: true, force: true, maxRetries: 5 });
	return { problem, memory: Object.fromEntries(memory) };
}

/**
 * What starts an app that was built.
 * @param {{ bin: string }} sdk
 * @param {string} output where it was built
 * @param {string} name
 * @returns {string[]} the simulator and its arguments: perhaps a folder with panels, then the app
 */
export function commandOf(sdk, output, name) {
	const files = readdirSync(output, { recursive: true, encoding: "utf8" });
	const library = files.find((path) => path.endsWith(join("debug", name, "mc.so")));
	if (!library) throw new Problem("The build made no mc.so; the reason stands above.");
	const makefile = files.find((path) => path.endsWith(join("debug", name, "makefile")));
	const panels = makefile && /^SIMULATORS ?= ?(.+)$/m.exec(readFileSync(join(output, makefile), "utf8"))?.[1]?.trim();
	return [join(sdk.bin, "mcsim"), ...(panels ? [panels] : []), join(output, library)];
}

/** One connection of the debugger: a virtual machine that speaks in small XML elements. */
class Machine {
	name = "";
	#socket;
	#hooks;
	#pending = "";
	#text = "";
	#line = "";
	/** @type {string[]} */
	#instruments = [];
	/** @type {string[]} */
	#frames = [];

	/**
	 * @param {import("node:net").Socket} socket
	 * @param {{ onLine(machine: Machine, line: string): void, onReport(line: string): void, onSample(): void, memory: Map<string, { last: number, most: number }> }} hooks
	 */
	constructor(socket, hooks) {
		this.#socket = socket;
		this.#hooks = hooks;
		socket.setEncoding("utf8");
		socket.on("error", () => {});
		socket.on("data", (data) => this.#receive(String(data)));
	}

	close() {
		this.#socket.destroy();
	}

	/** @param {string} data */
	#receive(data) {
		this.#pending += data;
		const element = /([^<]*)<([^>]*)>/y;
		let consumed = 0;
		for (let match = element.exec(this.#pending); match; match = element.exec(this.#pending)) {
			consumed = element.lastIndex;
			this.#text += match[1];
			this.#tag(/** @type {string} */ (match[2]));
		}
		this.#pending = this.#pending.slice(consumed);
		if (this.#pending.length + this.#text.length > MAX_PENDING_CHARACTERS) this.close();
	}

	/** @param {string} tag what stands between < and > */
	#tag(tag) {
		const [, closing, name = "", rest = "", empty] = /^(\/?)([\w-]*)(.*?)(\/?)$/s.exec(tag) ?? [];
		/** @type {{ [name: string]: string }} */
		const attributes = {};
		for (const [, key = "", value = ""] of rest.matchAll(/([\w-]+)="([^"]*)"/g)) attributes[key] = plain(value);
		if (!closing) {
			this.#text = "";
			this.#opened(name, attributes);
		}
		if (closing || empty) {
			this.#closed(name, plain(this.#text));
			this.#text = "";
		}
	}

	/** @param {string} name @param {{ [name: string]: string }} attributes */
	#opened(name, attributes) {
		if (name === "login") {
			this.name = attributes.name ?? "";
			// Without the breakpoint on exceptions a throw that nothing catches would end the app unseen.
			this.#send('<set-all-breakpoints><breakpoint path="exceptions" line="0"/></set-all-breakpoints>');
			this.#send("<go/>");
		} else if (name === "instruments") this.#instruments = [];
		else if (name === "instrument") this.#instruments.push(attributes.name ?? "");
		else if (name === "frames") this.#frames = [];
		else if (name === "frame") this.#frames.push(`${attributes.name} ${place(attributes)}`.trim());
		else if (name === "break") {
			this.#broken = place(attributes);
		}
	}
	#broken = "";

	/** @param {string} name @param {string} text */
	#closed(name, text) {
		if (name === "log") this.#log(text);
		else if (name === "samples") this.#sample(text);
		else if (name === "break") {
			this.#hooks.onReport(`exception at ${this.#broken}: ${text.trim()}`);
			for (const frame of this.#frames.slice(0, 8)) this.#hooks.onReport(`    in ${frame}`);
			this.#send("<go/>");
		}
	}

	/** @param {string} text */
	#log(text) {
		const lines = (this.#line + text).split("\n");
		this.#line = lines.pop() ?? "";
		for (const line of lines) this.#hooks.onLine(this, line);
	}

	/** @param {string} text numbers in the order of the instruments */
	#sample(text) {
		if (this.name === SIMULATOR_NAME) return;
		for (const [index, value] of text.split(",").map(Number).entries()) {
			const name = this.#instruments[index];
			if (name) this.#hooks.memory.set(name, { last: value, most: Math.max(value, this.#hooks.memory.get(name)?.most ?? value) });
		}
		this.#hooks.onSample();
	}

	/** @param {string} command */
	#send(command) {
		this.#socket.write(`\r\n${command}\r\n`);
	}
}

/** @param {{ [name: string]: string }} attributes */
function place({ path, line }) {
	return path ? `${path}:${line}` : "";
}

/** @param {string} text XML */
function plain(text) {
	/** @type {{ [name: string]: string }} */
	const named = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
	return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi, (_, decimal, hexadecimal, name) =>
		name ? /** @type {string} */ (named[name.toLowerCase()]) : codePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)),
	);
}

/** @param {number} code */
function codePoint(code) {
	return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

/** @param {number | undefined} pid @param {NodeJS.Signals} signal */
function kill(pid, signal) {
	if (!pid) return;
	try {
		process.kill(-pid, signal);
	} catch {
		// It has ended already.
	}
}
