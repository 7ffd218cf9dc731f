// Runs firmware in the XS engine: the xsnap worker, a child process that speaks netstrings on its file descriptors 3 and 4.
import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import type { Machine, MachineOptions, Meter } from "./machine.js";
import { encodeNetstring, NetstringReader } from "./netstring.js";
import { findWorker, whyNoWorker } from "./xs-worker.mjs";

const METER_END = 1;

// The worker's exit codes for an engine that gave up, in the words of hardware.
const ABORTS: { readonly [code: number]: string } = {
	11: "memory full",
	12: "stack overflow",
	15: "unhandled exception",
	16: "not enough keys",
	17: "too much computation",
};

/**
 * Finds the worker: MODDABLE_MCP_XSNAP_WORKER, else the one that `npm install` built.
 * @throws Error that says what is missing
 */
export function findXsWorker(): string {
	const worker = findWorker();
	if (!worker) throw new Error(whyNoWorker());
	return worker;
}

/** Starts the worker. @throws Error (as rejection) when it does not come up */
export async function createXsMachine(worker: string, options: MachineOptions): Promise<Machine> {
	const machine = new XsMachine(worker, options);
	await machine.ready();
	return machine;
}

class XsMachine implements Machine {
	readonly ended: Promise<string>;
	#child: ChildProcess;
	#toWorker: Duplex;
	#options: MachineOptions;
	#reader = new NetstringReader();
	#waiting: { resolve(): void; reject(reason: Error): void } | undefined;
	#killed = false;
	#end: string | undefined;
	#lastWords = "";
	#heapSlots: number | undefined;
	#compute = 0;

	constructor(worker: string, options: MachineOptions) {
		this.#options = options;
		// A process group of its own: Ctrl-C reaches the host only, which then ends the firmware in an orderly way.
		const child = spawn(worker, [], { stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"], detached: process.platform !== "win32" });
		this.#child = child;
		this.#toWorker = child.stdio[3] as Duplex;
		const fromWorker = child.stdio[4] as Duplex;
		fromWorker.on("data", (chunk: Buffer) => this.#receive(chunk));
		for (const stream of [this.#toWorker, fromWorker]) stream.on("error", () => {});
		for (const stream of [child.stdout, child.stderr]) {
			let line = "";
			stream?.setEncoding("utf8").on("data", (text: string) => {
				const lines = (line + text).split("\n");
				line = lines.pop() as string;
				for (const text of lines) this.#output(text);
			});
		}
		this.ended = new Promise((resolve) => {
			const end = (reason: string) => {
				if (this.#end !== undefined) return;
				this.#end = reason;
				this.#waiting?.reject(new Error(reason));
				this.#waiting = undefined;
				if (!this.#killed) resolve(reason);
			};
			child.on("error", (error) => end(`the XS worker could not be started: ${error.message}`));
			child.on("close", (code, signal) => {
				const abort = ABORTS[code ?? -1];
				end(abort ? `XS abort: ${abort}` : `the XS worker ended by ${signal ?? `exit code ${code}`}${this.#lastWords && `: ${this.#lastWords}`}`);
			});
		});
	}

	/** Resolves when the worker answers. */
	ready(): Promise<void> {
		return this.#request("R", Buffer.alloc(0));
	}

	run(source: string): Promise<void> {
		return this.#request("e", Buffer.from(source));
	}

	deliver(event: Uint8Array): Promise<void> {
		return this.#request("?", event);
	}

	meter(): Meter {
		return this.#heapSlots === undefined ? {} : { heapSlots: this.#heapSlots, compute: this.#compute };
	}

	kill(): void {
		if (this.#killed) return;
		this.#killed = true;
		this.#child.kill("SIGKILL");
		this.#waiting?.reject(new Error("the machine was ended"));
		this.#waiting = undefined;
	}

	#request(prefix: string, bytes: Uint8Array): Promise<void> {
		if (this.#end !== undefined || this.#killed) return Promise.reject(new Error(this.#end ?? "the machine was ended"));
		return new Promise((resolve, reject) => {
			this.#waiting = { resolve, reject };
			this.#toWorker.write(encodeNetstring(prefix, bytes));
		});
	}

	#receive(chunk: Buffer): void {
		for (const message of this.#reader.push(chunk)) {
			if (this.#killed) return;
			switch (String.fromCharCode(message[0] as number)) {
				case "?": {
					const answer = this.#options.onCommand(message.subarray(1));
					if (answer) this.#toWorker.write(encodeNetstring("/", answer));
					break;
				}
				case ".": {
					this.#readMeter(message);
					this.#settle()?.resolve();
					break;
				}
				case "!":
					this.#settle()?.reject(new Error(message.toString("utf8", 1)));
					break;
			}
		}
	}

	#settle(): { resolve(): void; reject(reason: Error): void } | undefined {
		const waiting = this.#waiting;
		this.#waiting = undefined;
		return waiting;
	}

	#readMeter(message: Buffer): void {
		const end = message.indexOf(METER_END);
		if (end < 0) return;
		const { currentHeapCount, compute } = JSON.parse(message.toString("utf8", 1, end)) as { currentHeapCount: number; compute: number };
		this.#heapSlots = currentHeapCount;
		this.#compute += compute;
	}

	#output(line: string): void {
		if (!line || this.#killed) return;
		this.#lastWords = line;
		this.#options.onOutput(line);
	}
}
