// Runs firmware in Node's own engine, in a context with nothing of Node in it: for where there is no XS worker.
import vm from "node:vm";
import type { Machine, MachineOptions, Meter } from "./machine.js";
import { pack } from "./runtime/frame.js";

// Buffers are handed over as copies made inside, so that the firmware meets only objects of its own world.
const PRELUDE = `(function (command, HostEncoder, HostDecoder) {
	"use strict";
	const own = (bytes) => { const copy = new Uint8Array(bytes.length); copy.set(bytes); return copy; };
	globalThis.issueCommand = (buffer) => own(command(new Uint8Array(buffer))).buffer;
	globalThis.TextEncoder = class TextEncoder {
		#encoder = new HostEncoder();
		encode(text) { return own(this.#encoder.encode(text)); }
	};
	globalThis.TextDecoder = class TextDecoder {
		#decoder;
		constructor(label, options) { this.#decoder = new HostDecoder(label, options); }
		get encoding() { return this.#decoder.encoding; }
		get fatal() { return this.#decoder.fatal; }
		get ignoreBOM() { return this.#decoder.ignoreBOM; }
		decode(input, options) {
			try { return this.#decoder.decode(input, options); } catch (error) { throw new TypeError(error.message); }
		}
	};
	return {
		deliver(bytes) { globalThis.handleCommand(own(bytes).buffer); },
		isOwn(promise) { return promise instanceof Promise; },
		reject(reason) { globalThis.handleRejection?.(reason); },
	};
})`;

const DONE = pack(["ok"]);

const machines = new Set<NodeMachine>();

function onRejection(reason: unknown, promise: Promise<unknown>): void {
	for (const machine of machines) if (machine.takeRejection(reason, promise)) return;
	// Node would have ended the process if nobody listened.
	if (process.listenerCount("unhandledRejection") === 1) throw reason;
}

/** Makes the machine. */
export function createNodeMachine(options: MachineOptions): Machine {
	return new NodeMachine(options);
}

interface Inside {
	deliver(bytes: Uint8Array): void;
	isOwn(promise: Promise<unknown>): boolean;
	reject(reason: unknown): void;
}

class NodeMachine implements Machine {
	/** Node's engine ends only together with the host. */
	readonly ended = new Promise<string>(() => {});
	#context = vm.createContext({});
	#inside: Inside;
	#killed = false;

	constructor(options: MachineOptions) {
		const command = (bytes: Uint8Array): Uint8Array => {
			// Unlike XS this engine cannot be stopped inside a call: the firmware goes on to the end of its turn, without effect.
			return (this.#killed ? undefined : options.onCommand(bytes)) ?? DONE;
		};
		this.#inside = vm.runInContext(PRELUDE, this.#context)(command, TextEncoder, TextDecoder);
		if (machines.size === 0) process.on("unhandledRejection", onRejection);
		machines.add(this);
	}

	run(source: string): Promise<void> {
		return this.#turn(() => vm.runInContext(source, this.#context, { filename: "firmware.js" }));
	}

	deliver(event: Uint8Array): Promise<void> {
		return this.#turn(() => this.#inside.deliver(event));
	}

	meter(): Meter {
		return {};
	}

	kill(): void {
		if (this.#killed) return;
		this.#killed = true;
		// Rejections of its last turn are still to come.
		setImmediate(() => {
			machines.delete(this);
			if (machines.size === 0) process.off("unhandledRejection", onRejection);
		});
	}

	// The firmware's promise jobs run before the next event, as they do in XS.
	#turn(work: () => void): Promise<void> {
		if (this.#killed) return Promise.reject(new Error("the machine was ended"));
		return new Promise((resolve, reject) => {
			let failure: unknown;
			try {
				work();
			} catch (error) {
				if (!this.#killed) failure = error ?? new Error("the firmware threw");
			}
			setImmediate(() => (failure === undefined ? resolve() : reject(failure)));
		});
	}

	/** Takes an unhandled rejection. @returns false when it is of another machine or of the host */
	takeRejection(reason: unknown, promise: Promise<unknown>): boolean {
		if (!this.#inside.isOwn(promise)) return false;
		if (!this.#killed) this.#inside.reject(reason);
		return true;
	}
}
