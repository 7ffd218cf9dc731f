// Stands between the SDK's HTTP server and its listening socket, so that nothing a visitor sends can crash the firmware.

import { utf8Bytes } from "../base/bytes.js";
import { errorText } from "../base/text.js";
import { Timeout, type Timers } from "../base/timers.js";
import { PacedSocket } from "../net/paced-socket.js";
import { ReceiveBuffer } from "../net/receive-buffer.js";
import config from "../sdk/config.js";
import TcpListener, { type ListeningSocket } from "../sdk/listener.js";
import type { Socket, SocketOptions } from "../sdk/tcp.js";

/** So many visitors at a time; for the next one the visitor goes that has been idle for longest. */
export const MAX_VISITORS = 3;
/**
 * A connection rests so long before it is used: what arrives in the very moment in which the SDK makes a working socket of it
 * meets freed memory (SDK 8.2.3, modules/io/socket/lwip/tcp.c), and a browser has sent its request by then. 0 everywhere but on
 * ESP32, where the manifest sets it.
 */
const REST_MS = Number(config.tcp_rest_ms ?? 0);
/** A visit that lasts longer is ended. */
export const VISIT_LIMIT_MS = 20_000;
/** What a visitor may send on one connection: a head and a form. */
export const MAX_VISITOR_BYTES = 16_384;

/** What a listener is given from outside; the SDK's server passes on options of its own only. */
export interface ListenerContext {
	readonly timers: Timers;
	/** Takes what went wrong with a visitor, on one line. */
	log(line: string): void;
	/** Kept as long as the firmware runs. */
	readonly doors: Door[];
}

interface ServerOptions {
	port?: number;
	target?: unknown;
	onReadable(this: unknown, count: number): void;
}

interface Visitors extends ListenerContext {
	/** Those that are served, the one that was heard of the longest ago first. */
	readonly open: Visit[];
	/** Those that make room and are closed in a turn of their own. */
	leaving: number;
}

/** A listening socket class for the SDK's HTTP server, to be handed over as `io`. */
export function createListenerClass(context: ListenerContext): new (options: ServerOptions) => SafeListener {
	return class extends SafeListener {
		constructor(options: ServerOptions) {
			super(options, context);
		}
	};
}

/** Answered while the page is closed: a listening socket of the SDK's is never closed, since lwIP may be at work on it. */
const CLOSED = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/** A listening socket that stays open, and who is served by it. */
export interface Door {
	readonly base: ListeningSocket;
	onVisitor: ((socket: Socket) => void) | undefined;
}

/** A page that opens again takes the door that is there. */
function openDoor(port: number | undefined, { timers, log, doors }: ListenerContext): Door {
	const known = doors.find(({ base }) => base.port === port);
	if (known) return known;
	const base: ListeningSocket = new TcpListener({
		port,
		onReadable: (count: number) => {
			for (; count > 0; count--) {
				const socket = safely(log, () => base.read());
				if (!socket) continue;
				const enter = () => safely(log, () => (door.onVisitor ? door.onVisitor(socket) : turnAway(socket, timers)));
				if (REST_MS > 0) timers.set(enter, REST_MS);
				else enter();
			}
		},
	});
	const door: Door = { base, onVisitor: undefined };
	doors.push(door);
	return door;
}

function turnAway(from: Socket, timers: Timers): void {
	const socket: PacedSocket = new PacedSocket({
		from,
		timers,
		format: "buffer",
		onWritable: () => {
			socket.write(utf8Bytes(CLOSED));
			socket.close();
		},
	});
}

function safely<T>(log: (line: string) => void, act: () => T): T | undefined {
	try {
		return act();
	} catch (thrown) {
		log(errorText(thrown));
		return undefined;
	}
}

/** Looks to the SDK's HTTP server like a listening socket. */
class SafeListener {
	readonly target: unknown;
	readonly #door: Door;
	#next: Visit | undefined;

	constructor(options: ServerOptions, context: ListenerContext) {
		this.target = options.target;
		const visitors: Visitors = { ...context, open: [], leaving: 0 };
		this.#door = openDoor(options.port, context);
		this.#door.onVisitor = (socket) => {
			if (visitors.leaving >= MAX_VISITORS) return turnAway(socket, context.timers);
			if (visitors.open.length >= MAX_VISITORS) visitors.open[0]?.leave();
			this.#next = new Visit({ from: socket, visitors });
			options.onReadable.call(this, 1);
		};
	}

	read(): Visit | undefined {
		const visit = this.#next;
		this.#next = undefined;
		return visit;
	}

	get port(): number {
		return this.#door.base.port;
	}

	/** The next visitors are told that nobody serves them. */
	close(): void {
		this.#door.onVisitor = undefined;
	}
}

/**
 * One visitor's connection. The SDK's server makes a second one from the first, with callbacks: that one works.
 * No throw leaves a callback, and time and bytes are bounded.
 */
class Visit {
	#socket: Socket | undefined;
	readonly #visitors: Visitors;
	#onError: (() => void) | undefined;
	#limit: Timeout | undefined;
	#failing: Timeout | undefined;
	/** Has it been asked to go, and not gone yet? */
	#leaving = false;
	#bytes = 0;
	/** What has come and was not read by the server: from the socket all is taken at once. */
	readonly #received = new ReceiveBuffer();
	/** The server sets it; which of the two it means can be told from how it reads. */
	format = "buffer";

	constructor({ from, visitors, onReadable, onWritable, onError }: SocketOptions & { from: Socket | Visit; visitors?: Visitors }) {
		if (!(from instanceof Visit)) {
			this.#socket = from;
			this.#visitors = visitors as Visitors;
			this.#visitors.open.push(this);
			return;
		}
		const socket = from.#socket;
		from.#socket = undefined;
		this.#visitors = from.#visitors;
		if (!socket) throw new Error("the connection is closed");
		const { open } = this.#visitors;
		const at = open.indexOf(from);
		if (at < 0) throw new Error("the visitor has made room for another one");
		open[at] = this;
		this.#onError = onError;
		const { timers, log } = this.#visitors;
		const guarded = (act: () => void) => {
			try {
				act();
			} catch (thrown) {
				log(errorText(thrown));
				this.#fail();
			}
		};
		try {
			this.#socket = new PacedSocket({
				from: socket,
				timers,
				format: "buffer",
				onReadable: (count) =>
					guarded(() => {
						const chunk = this.#socket?.read(count);
						this.#heard();
						this.#bytes += count;
						if (typeof chunk !== "object" || this.#bytes > MAX_VISITOR_BYTES) return this.#fail();
						this.#received.push(new Uint8Array(chunk));
						onReadable?.(this.#received.length);
					}),
				onWritable: (count) => guarded(() => onWritable?.(count)),
				onError: () => this.#fail(),
			});
		} catch (thrown) {
			// It was lost while it rested.
			this.#gone();
			throw thrown;
		}
		this.#failing = new Timeout(timers);
		this.#limit = new Timeout(timers);
		this.#limit.set(VISIT_LIMIT_MS, () => this.#fail());
	}

	read(count?: number | Uint8Array): number | ArrayBuffer | undefined {
		return this.#received.read(count);
	}

	write(data: Uint8Array | ArrayBuffer): number {
		if (!this.#socket) return 0;
		const room = this.#socket.write(data);
		// The visitor has gone; not every socket of Moddable's says more about it. Later: the writer is in the middle of its write.
		if (room === undefined) this.#failing?.set(0, () => this.#fail());
		return room ?? 0;
	}

	close(): void {
		const socket = this.#socket;
		this.#socket = undefined;
		this.#onError = undefined;
		if (socket) this.#gone();
		this.#limit?.clear();
		this.#failing?.clear();
		try {
			socket?.close();
		} catch {
			// It is over anyway.
		}
	}

	/** Makes room for the next visitor. Its socket is closed in a turn of its own: this one belongs to the listener. */
	leave(): void {
		const { open, timers } = this.#visitors;
		open.splice(open.indexOf(this), 1);
		this.#leaving = true;
		this.#visitors.leaving++;
		this.#failing ??= new Timeout(timers);
		this.#failing.set(0, () => (this.#onError ? this.#fail() : this.close()));
	}

	/** It has sent something, so it is the last one to go. */
	#heard(): void {
		const { open } = this.#visitors;
		const at = open.indexOf(this);
		if (at >= 0) open.push(...open.splice(at, 1));
	}

	#gone(): void {
		const { open } = this.#visitors;
		if (this.#leaving) this.#visitors.leaving--;
		else open.splice(open.indexOf(this), 1);
	}

	#fail(): void {
		if (!this.#socket) return;
		const onError = this.#onError;
		this.close();
		try {
			onError?.();
		} catch (thrown) {
			this.#visitors.log(errorText(thrown));
		}
	}
}
