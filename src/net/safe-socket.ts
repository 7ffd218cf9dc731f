// Stands between a reader and its TCP or TLS socket, so that nothing that a peer sends can end the firmware.

import Timer from "timer";
import { errorText, oneLine } from "../base/text.js";
import type { ConnectionPart, ConnectionState } from "./connection-state.js";
import { ReceiveBuffer } from "./receive-buffer.js";

/** What an ECMA-419 socket is given; other members pass through untouched. */
export interface SocketOptions {
	onReadable?: ((count: number) => void) | undefined;
	onWritable?: ((count: number) => void) | undefined;
	onError?: (() => void) | undefined;
	[other: string]: unknown;
}

/** As much of an ECMA-419 socket as is used here. */
export interface BaseSocket {
	format: string;
	/** Undefined when there is nothing to read. */
	read(count?: number | Uint8Array): number | ArrayBuffer | undefined;
	/** Returns how much may be written now; undefined when the connection is dead. */
	write(bytes: Uint8Array | ArrayBuffer): number | undefined;
	close(): void;
}

export type SocketConstructor = new (options: SocketOptions) => BaseSocket;

/** What a guard is made with; the SDK's clients hand it over from `socket` beside their own options. */
export interface SafeSocketOptions extends SocketOptions {
	watch: ConnectionState;
	/** The socket class below. */
	base: SocketConstructor;
	/** Bytes that the socket below needs for itself beyond what its `write` admits. */
	overheadBytes: number;
}

/**
 * Looks like a TCP socket.
 *
 * - No throw leaves a callback of the socket below: on the device that would be a reboot. `read` and `write` never throw.
 * - What is written beyond what the socket takes goes out later.
 * - While the transport is busy nothing is read from below, so that TCP slows the peer down.
 */
export class SafeSocket implements ConnectionPart {
	/** Set by the SDK's clients, and without effect: see `ReceiveBuffer.read`. */
	format = "buffer";
	protected readonly watch: ConnectionState;
	/** What the reader shall see. */
	protected readonly inbox = new ReceiveBuffer();
	readonly #overheadBytes: number;
	readonly #onReadable: ((count: number) => void) | undefined;
	readonly #onWritable: ((count: number) => void) | undefined;
	#onError: (() => void) | undefined;
	#socket: BaseSocket | undefined;
	/** Bytes that wait in the socket below: its callback gives the total of what is unread. */
	#available = 0;
	#writable = 0;
	/** What was written and has found no room yet. */
	#unsent: Uint8Array | undefined;
	#flowing = false;
	#failing: ReturnType<typeof Timer.set> | undefined;

	constructor(options: SafeSocketOptions) {
		const { watch, base, overheadBytes } = options;
		this.watch = watch;
		this.#overheadBytes = overheadBytes;
		this.#onReadable = options.onReadable;
		this.#onWritable = options.onWritable;
		this.#onError = options.onError;
		try {
			this.#socket = new base({
				...options,
				// A reply in pieces would otherwise wait for the acknowledgement of its first piece.
				nodelay: true,
				format: "buffer",
				onReadable: (count) => {
					this.#available = count;
					this.flow();
				},
				onWritable: (count) => {
					try {
						this.#writable = count;
						if (this.#unsent && this.#writeUnsent() === 0) return;
						this.#onWritable?.(this.#writable);
					} catch (thrown) {
						this.#fail(errorText(thrown));
					}
				},
				onError: () => this.#fail(undefined),
			});
		} catch (thrown) {
			watch.setReason(errorText(thrown));
			throw thrown;
		}
		watch.join(this);
	}

	read(want?: number | Uint8Array | ArrayBuffer): number | ArrayBuffer | undefined {
		return this.inbox.read(want);
	}

	/** Returns how many bytes may be written next; 0 when the connection is dead, whose end is then told in a later turn. */
	write(data: Uint8Array | ArrayBuffer): number {
		return this.send(data instanceof Uint8Array ? data : new Uint8Array(data));
	}

	close(): void {
		const socket = this.#socket;
		this.#socket = undefined;
		this.#onError = undefined;
		this.#unsent = undefined;
		this.inbox.clear();
		if (this.#failing !== undefined) Timer.clear(this.#failing);
		this.#failing = undefined;
		try {
			socket?.close();
		} catch (thrown) {
			this.watch.setReason(errorText(thrown));
		}
	}

	/** Hands received bytes on until there are no more or the transport is busy. */
	flow(): void {
		if (this.#flowing) return;
		this.#flowing = true;
		try {
			while (this.#socket && this.#available > 0 && !this.watch.paused) {
				const count = this.#available;
				this.#available = 0;
				const chunk = this.#socket.read(count);
				if (typeof chunk !== "object") break;
				const problem = this.take(new Uint8Array(chunk));
				// The SDK's clients read everything during the call: they miscount when something is left over.
				if (this.inbox.length > 0) this.#onReadable?.(this.inbox.length);
				if (problem) {
					this.#fail(problem);
					break;
				}
			}
		} catch (thrown) {
			this.#fail(errorText(thrown));
		} finally {
			this.#flowing = false;
		}
	}

	/** Looks at a chunk and puts what the reader shall see into the inbox. Returns what is wrong in words, or undefined. */
	protected take(chunk: Uint8Array): string | undefined {
		this.inbox.push(chunk);
		return undefined;
	}

	/** Writes as much as the socket takes, and the rest later. Returns how many bytes may be written next. */
	protected send(bytes: Uint8Array): number {
		const before = this.#unsent;
		if (before) {
			this.#unsent = new Uint8Array(before.byteLength + bytes.byteLength);
			this.#unsent.set(before);
			this.#unsent.set(bytes, before.byteLength);
		} else this.#unsent = bytes;
		return this.#writeUnsent();
	}

	#writeUnsent(): number {
		while (this.#unsent && this.#writable > 0) {
			const piece = this.#unsent.subarray(0, Math.min(this.#unsent.byteLength, this.#writable));
			const rest = this.#unsent.subarray(piece.byteLength);
			this.#unsent = rest.byteLength > 0 ? rest : undefined;
			this.#writeBelow(piece);
		}
		return this.#unsent ? 0 : this.#writable;
	}

	#writeBelow(bytes: Uint8Array): void {
		this.#writable = 0;
		if (!this.#socket || this.#failing !== undefined) return;
		try {
			const left = this.#socket.write(bytes);
			if (typeof left === "number" && left >= 0) {
				this.#writable = Math.max(0, left - this.#overheadBytes);
				return;
			}
			this.watch.setReason("the connection was lost while sending");
		} catch (thrown) {
			this.watch.setReason(`the connection was lost while sending (${errorText(thrown)})`);
		}
		// Later, because the writer is in the middle of its write and must not be closed under its feet.
		this.#failing = Timer.set(() => {
			this.#failing = undefined;
			this.#fail(undefined);
		}, 0);
	}

	/** Ends the connection and tells the reader once. */
	#fail(reason: string | undefined): void {
		if (!this.#socket) return;
		if (reason !== undefined) this.watch.setReason(oneLine(reason));
		const onError = this.#onError;
		this.close();
		try {
			onError?.();
		} catch (thrown) {
			this.watch.setReason(errorText(thrown));
		}
	}
}
