// The contract between the simulator's host and the network that a machine reaches, and what its implementations share.
import type { Frame, Header } from "./runtime/frame.js";

/** What a command is answered: a header, bytes, or both. */
export type Reply = Header | Frame | Uint8Array;

/** What a network needs, and whom it tells. */
export interface NetworkOptions {
	config: Readonly<Record<string, unknown>>;
	/** Takes an event for the machine. */
	post(header: Header, bytes?: Uint8Array): void;
	/** Text for the machine's log. */
	onTrace(text: string): void;
}

/** Answers the machine's commands of names and sockets. */
export interface Network {
	/** @throws Error in words for what it refuses, or does not know */
	answer(command: Header, bytes: Uint8Array): Reply;
	/** Resolves when no socket is left, open or with bytes to go out. */
	quiet(): Promise<void>;
	/** Ends all sockets; what was written still goes out. May be called twice. */
	close(): void;
	/** Cuts what `close` lets finish. */
	destroy(): void;
}

export type CreateNetwork = (options: NetworkOptions) => Network;

// Moddable's Linux simulator hands over at most this much at a time.
const RECEIVE_WINDOW_BYTES = 1536;

/** Hands over what a socket receives no faster than the machine reads it. */
export class ReceiveWindow {
	#onData: (bytes: Uint8Array) => void;
	#onEnd: (() => void) | undefined;
	/** How many bytes the machine takes before it has read some. */
	#credit: number;
	#received: Uint8Array[] = [];
	#ended = false;

	constructor(config: NetworkOptions["config"], onData: (bytes: Uint8Array) => void, onEnd: () => void) {
		this.#credit = (config.simulatedReadable as number | undefined) ?? RECEIVE_WINDOW_BYTES;
		this.#onData = onData;
		this.#onEnd = onEnd;
	}

	/** Does something wait for the machine to read? */
	get full(): boolean {
		return this.#received.length > 0;
	}

	push(bytes: Uint8Array): void {
		if (this.#onEnd) this.#received.push(bytes);
		this.#handOver();
	}

	/** The machine has read so many bytes. */
	consumed(count: number): void {
		this.#credit += count;
		this.#handOver();
	}

	/** Nothing more comes; the machine hears of it when it has read everything. */
	end(): void {
		this.#ended = true;
		this.#handOver();
	}

	/** Nothing is handed over any more. */
	close(): void {
		this.#onEnd = undefined;
		this.#received = [];
	}

	#handOver(): void {
		while (this.#onEnd && this.#credit > 0) {
			const chunk = this.#received[0];
			if (!chunk) break;
			const part = chunk.subarray(0, this.#credit);
			if (part.length < chunk.length) this.#received[0] = chunk.subarray(part.length);
			else this.#received.shift();
			this.#credit -= part.length;
			this.#onData(part);
		}
		if (!this.#ended || this.full) return;
		this.#onEnd?.();
		this.#onEnd = undefined;
	}
}

/** A value as a reply; JSON would make null of undefined. */
export function known(value: unknown): Header {
	return value === undefined ? ["ok"] : ["ok", value];
}
