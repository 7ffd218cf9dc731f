// Stands between a reader and its TCP or TLS socket, so that nothing a peer sends can crash the firmware.

import { concatBytes } from "../base/bytes.js";
import { errorText, oneLine } from "../base/text.js";
import { Timeout } from "../base/timers.js";
import type { Socket, SocketConstructor, SocketOptions } from "../sdk/tcp.js";
import type { ConnectionPart, ConnectionState } from "./connection-state.js";
import { PacedSocket } from "./paced-socket.js";
import { ReceiveBuffer } from "./receive-buffer.js";

/** So much is read from below at once: what waits in TCP takes none of the machine's memory. */
export const READ_BYTES = 1024;

/** The SDK's clients pass these on from `socket`, beside their own options. */
export interface SafeSocketOptions extends SocketOptions {
	connection: ConnectionState;
	/** The socket class below. */
	base: SocketConstructor;
	/** Bytes that the socket below needs for itself beyond what its `write` admits. */
	overheadBytes: number;
	/** No more is written below at once, where this is given: the length of a record. */
	writeBytes?: number;
}

/**
 * The options that choose the socket below.
 * @param tls undefined for plain TCP
 */
export function socketOptions(
	connection: ConnectionState,
	tls: { socketOptions(connection: ConnectionState): SafeSocketOptions } | undefined,
): SafeSocketOptions {
	if (tls) return tls.socketOptions(connection);
	return { base: PacedSocket as unknown as SocketConstructor, connection, overheadBytes: 0, timers: connection.timers };
}

/** A socket's callbacks, called as methods of what has the socket above as its `target`. */
interface Below {
	readonly target: SafeSocket;
}

/**
 * Looks like a TCP socket.
 *
 * - No throw leaves a callback of the socket below: on the device that would mean a reboot. `read` and `write` never throw.
 * - What is written beyond what the socket takes goes out later.
 * - While the transport is busy nothing is read from below, so that TCP slows the peer down.
 */
export class SafeSocket implements ConnectionPart {
	protected readonly connection: ConnectionState;
	/** As `target` of the options: the callbacks are called as methods of this socket. */
	declare readonly target?: unknown;
	/** What the reader is to see. */
	protected readonly received = new ReceiveBuffer();
	readonly #overheadBytes: number;
	readonly #writeBytes: number;
	readonly #onReadable: ((count: number) => void) | undefined;
	readonly #onWritable: ((count: number) => void) | undefined;
	readonly #onError: (() => void) | undefined;
	#socket: Socket | undefined;
	/** Bytes that wait in the socket below: its callback gives the total of what is unread. */
	#available = 0;
	#writable = 0;
	/** What was written and has found no room yet. */
	#unsent: Uint8Array | undefined;
	#flowing = false;
	readonly #failing: Timeout;

	/** For all sockets: functions of one's own take as much RAM as all the rest. */
	static readonly #below = Object.freeze({
		onReadable(this: Below, count: number): void {
			const { target } = this;
			target.#available = count;
			target.connection.events++;
			target.flow();
		},
		onWritable(this: Below, count: number): void {
			const { target } = this;
			try {
				target.#writable = count;
				if (target.#unsent && target.writeUnsent() === 0) return;
				target.#onWritable?.(target.#writable);
			} catch (thrown) {
				target.fail(errorText(thrown));
			}
		},
		onError(this: Below): void {
			this.target.fail(undefined);
		},
	});

	constructor(options: SafeSocketOptions) {
		const { connection, base, overheadBytes, writeBytes = Number.MAX_SAFE_INTEGER } = options;
		this.connection = connection;
		if (options.target !== undefined) this.target = options.target;
		this.#overheadBytes = overheadBytes;
		this.#writeBytes = writeBytes;
		this.#failing = new Timeout(connection.timers);
		this.#onReadable = options.onReadable;
		this.#onWritable = options.onWritable;
		this.#onError = options.onError;
		try {
			this.#socket = new base({
				...options,
				// A reply in pieces would otherwise wait for the acknowledgement of its first piece.
				nodelay: true,
				target: this,
				...SafeSocket.#below,
			});
		} catch (thrown) {
			connection.setReason(errorText(thrown));
			throw thrown;
		}
		connection.join(this);
	}

	read(want?: number | Uint8Array | ArrayBuffer): number | ArrayBuffer | undefined {
		return this.received.read(want);
	}

	/** Returns how many bytes may be written next; 0 when the connection is dead, whose end is then told in a later turn. */
	write(data: Uint8Array | ArrayBuffer): number {
		return this.send(data instanceof Uint8Array ? data : new Uint8Array(data));
	}

	close(): void {
		const socket = this.#socket;
		this.#socket = undefined;
		this.#failing.clear();
		try {
			socket?.close();
		} catch (thrown) {
			this.connection.setReason(errorText(thrown));
		}
	}

	/** Hands received bytes on until there are no more or the transport is busy. */
	flow(): boolean {
		if (this.#flowing) return false;
		this.#flowing = true;
		try {
			while (this.#socket && this.#available > 0 && !this.connection.paused) {
				const chunk = this.#socket.read(Math.min(this.#available, READ_BYTES));
				if (typeof chunk !== "object") break;
				this.#available -= chunk.byteLength;
				const problem = this.take(new Uint8Array(chunk));
				// The SDK's clients read everything during the call: they miscount when something is left over.
				if (this.received.length > 0) this.#onReadable?.(this.received.length);
				if (problem) {
					this.fail(problem);
					break;
				}
			}
		} catch (thrown) {
			this.fail(errorText(thrown));
		} finally {
			this.#flowing = false;
		}
		return this.#available === 0;
	}

	/** Looks at a chunk and puts what the reader is to see into `received`. Returns what is wrong in words, or undefined. */
	protected take(chunk: Uint8Array): string | undefined {
		this.received.push(chunk);
		return undefined;
	}

	/** Writes as much as the socket takes, and the rest later. Returns how many bytes may be written next. */
	protected send(bytes: Uint8Array): number {
		this.#unsent = this.#unsent ? concatBytes(this.#unsent, bytes) : bytes;
		return this.writeUnsent();
	}

	private writeUnsent(): number {
		while (this.#unsent && this.#writable > 0) {
			const piece = this.#unsent.subarray(0, Math.min(this.#unsent.byteLength, this.#writable, this.#writeBytes));
			const rest = this.#unsent.subarray(piece.byteLength);
			this.#unsent = rest.byteLength > 0 ? rest : undefined;
			this.writeBelow(piece);
		}
		return this.#unsent ? 0 : this.#writable;
	}

	private writeBelow(bytes: Uint8Array): void {
		this.#writable = 0;
		if (!this.#socket || this.#failing.pending) return;
		try {
			const left = this.#socket.write(bytes);
			if (typeof left === "number" && left >= 0) {
				this.#writable = Math.max(0, left - this.#overheadBytes);
				return;
			}
			this.connection.setReason("the connection was lost while sending");
		} catch (thrown) {
			this.connection.setReason(`the connection was lost while sending (${errorText(thrown)})`);
		}
		// Later: the writer is in the middle of its write and must not be closed under its feet.
		this.#failing.set(0, () => this.fail(undefined));
	}

	/** Ends the connection and tells the reader once. */
	private fail(reason: string | undefined): void {
		if (!this.#socket) return;
		if (reason !== undefined) this.connection.setReason(oneLine(reason));
		this.close();
		try {
			this.#onError?.();
		} catch (thrown) {
			this.connection.setReason(errorText(thrown));
		}
	}
}
