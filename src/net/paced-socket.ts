// The TCP socket below everything: it keeps the order of calls that Moddable's TCP on ESP32 needs.

import { Timeout, type Timers } from "../base/timers.js";
import config from "../sdk/config.js";
import TcpSocket, { type Socket, type SocketConstructor, type SocketOptions } from "../sdk/tcp.js";

/** A peer that has sent nothing for so long is quiet. 0 everywhere but on ESP32, where the manifest sets it: nothing waits then. */
const QUIET_MS = Number(config.tcp_quiet_ms ?? 0);
/** What has come waits no longer than this. */
export const MAX_WAIT_MS = 50;
/** So much fills lwIP's window: nothing more can come before it is read. */
export const WINDOW_BYTES = 5744;
/** A last write that nobody acknowledges holds up the close no longer than this. */
export const LINGER_MS = 500;

export interface PacedSocketOptions extends SocketOptions {
	timers: Timers;
	/** The socket class below; the SDK's where it is not given. */
	tcp?: SocketConstructor | undefined;
	/** In milliseconds, instead of the build's. */
	quietMs?: number | undefined;
}

/** The socket below has this one as its `target`. */
interface Below {
	readonly target: PacedSocket;
}

/**
 * Looks like the SDK's TCP socket, whose native half shares its records with lwIP's task without a lock (SDK 8.2.3,
 * modules/io/socket/lwip/tcp.c).
 *
 * - What has come is told when the peer is quiet, so that reading does not meet a segment that is just being added.
 * - After the end of the connection the socket is closed at once, and neither read nor written.
 * - It closes itself in a turn of its own, when the last write has gone out, and reads what is left before that: unread
 *   bytes would make lwIP reset the connection, and the peer lose the answer.
 * - The peer's address is never asked for: there is none after a reset.
 */
export class PacedSocket implements Socket {
	/** As `target` of the options: the callbacks are called as methods of this socket. */
	readonly target: unknown;
	private readonly onReadable: ((count: number) => void) | undefined;
	private readonly onWritable: ((count: number) => void) | undefined;
	private onError: (() => void) | undefined;
	private readonly quietMs: number;
	private readonly quiet: Timeout;
	private readonly limit: Timeout;
	private readonly timers: Timers;
	private closing: Timeout | undefined;
	private socket: Socket | undefined;
	/** Bytes that wait below. */
	private available = 0;
	/** Written, and not yet acknowledged by an `onWritable`. */
	private unsent = false;
	/** The reader is done with it; only the close is left. */
	private released = false;

	constructor({ timers, tcp: Tcp = TcpSocket, quietMs = QUIET_MS, ...options }: PacedSocketOptions) {
		this.quietMs = quietMs;
		this.quiet = new Timeout(timers);
		this.limit = new Timeout(timers);
		this.timers = timers;
		this.onReadable = options.onReadable;
		this.onWritable = options.onWritable;
		this.onError = options.onError;
		this.target = options.target;
		this.socket = new Tcp({ ...options, target: this, ...PacedSocket.below });
	}

	/** For all sockets, since each function takes RAM. */
	private static readonly below = Object.freeze({
		onReadable(this: Below, count: number): void {
			this.target.came(count);
		},
		onWritable(this: Below, count: number): void {
			const { target } = this;
			target.unsent = false;
			if (!target.released) target.onWritable?.(count);
			else if (target.socket) target.endIn(0);
		},
		onError(this: Below): void {
			const { target } = this;
			const onError = target.onError;
			target.release();
			// The reader hears of it when there is no socket any more that it could touch.
			target.shut();
			onError?.call(target);
		},
	});

	read(count?: number | Uint8Array): number | ArrayBuffer | undefined {
		if (this.released || this.available === 0) return undefined;
		const data = this.socket?.read(count);
		if (typeof data === "number") this.available -= typeof count === "object" ? data : 1;
		else if (data) this.available -= data.byteLength;
		return data;
	}

	write(bytes: Uint8Array | ArrayBuffer): number | undefined {
		if (this.released) return undefined;
		const room = this.socket?.write(bytes);
		// A dead connection acknowledges nothing.
		this.unsent = room !== undefined;
		return room;
	}

	/** Callbacks end at once, the connection in a later turn. May be called twice. */
	close(): void {
		if (this.released) return;
		this.release();
		if (this.socket) this.endIn(this.unsent ? LINGER_MS : 0);
	}

	private came(count: number): void {
		this.available = count;
		if (this.released) return;
		if (this.quietMs === 0) return this.tell();
		this.quiet.set(count < WINDOW_BYTES ? this.quietMs : 0, () => this.tell());
		if (!this.limit.pending) this.limit.set(MAX_WAIT_MS, () => this.tell());
	}

	private tell(): void {
		this.quiet.clear();
		this.limit.clear();
		this.onReadable?.(this.available);
	}

	private release(): void {
		this.released = true;
		this.onError = undefined;
		this.quiet.clear();
		this.limit.clear();
		this.closing?.clear();
	}

	private endIn(delay: number): void {
		this.closing ??= new Timeout(this.timers);
		this.closing.set(delay, () => this.end());
	}

	private end(): void {
		try {
			if (this.available > 0) this.socket?.read(this.available);
		} catch {
			// It is over anyway.
		}
		this.shut();
	}

	private shut(): void {
		const socket = this.socket;
		this.socket = undefined;
		this.closing?.clear();
		try {
			socket?.close();
		} catch {
			// It is over anyway.
		}
	}
}
