// Stands between the SDK's HTTP server and its listening socket, so that nothing a visitor sends can crash the firmware.

import { errorText } from "../base/text.js";
import { Timeout, type Timers } from "../base/timers.js";
import TcpListener, { type ListeningSocket } from "../sdk/listener.js";
import TcpSocket, { type Socket, type SocketOptions } from "../sdk/tcp.js";

/** So many visitors at a time; the next ones are turned away. */
export const MAX_VISITORS = 6;
/** A visit that lasts longer is ended. */
export const VISIT_LIMIT_MS = 20_000;
/** What a visitor may send on one connection: a head and a form. */
export const MAX_VISITOR_BYTES = 16_384;

/** What a listener is given from outside; the SDK's server passes on options of its own only. */
export interface ListenerContext {
	readonly timers: Timers;
	/** Takes what went wrong with a visitor, on one line. */
	log(line: string): void;
}

interface ServerOptions {
	port?: number;
	target?: unknown;
	onReadable(this: unknown, count: number): void;
}

interface Visitors extends ListenerContext {
	open: number;
}

/** A listening socket class for the SDK's HTTP server, to be handed over as `io`. */
export function createListenerClass(context: ListenerContext): new (options: ServerOptions) => SafeListener {
	return class extends SafeListener {
		constructor(options: ServerOptions) {
			super(options, context);
		}
	};
}

/** Looks to the SDK's HTTP server like a listening socket. */
class SafeListener {
	readonly target: unknown;
	readonly #base: ListeningSocket;
	#next: Visit | undefined;

	constructor(options: ServerOptions, { timers, log }: ListenerContext) {
		this.target = options.target;
		const visitors: Visitors = { timers, log, open: 0 };
		this.#base = new TcpListener({
			port: options.port,
			onReadable: (count: number) => {
				for (; count > 0; count--) {
					try {
						const socket = this.#base.read();
						if (!socket) continue;
						if (visitors.open >= MAX_VISITORS) socket.close();
						else {
							this.#next = new Visit({ from: socket, visitors });
							options.onReadable.call(this, 1);
						}
					} catch (thrown) {
						log(errorText(thrown));
					}
				}
			},
		});
	}

	read(): Visit | undefined {
		const visit = this.#next;
		this.#next = undefined;
		return visit;
	}

	get port(): number {
		return this.#base.port;
	}

	close(): void {
		this.#base.close();
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
	#received = 0;
	/** Bytes told by the last callback that have not been read yet. */
	#available = 0;

	constructor({ from, visitors, onReadable, onWritable, onError }: SocketOptions & { from: Socket | Visit; visitors?: Visitors }) {
		if (!(from instanceof Visit)) {
			this.#socket = from;
			this.#visitors = visitors as Visitors;
			this.#visitors.open++;
			return;
		}
		const socket = from.#socket;
		from.#socket = undefined;
		this.#visitors = from.#visitors;
		if (!socket) throw new Error("the connection is closed");
		this.#onError = onError;
		const safely = (act: () => void) => {
			try {
				act();
			} catch (thrown) {
				this.#visitors.log(errorText(thrown));
				this.#fail();
			}
		};
		this.#socket = new TcpSocket({
			from: socket,
			format: "buffer",
			onReadable: (count) => {
				this.#received += count - this.#available;
				this.#available = count;
				if (this.#received > MAX_VISITOR_BYTES) this.#fail();
				else safely(() => onReadable?.(count));
			},
			onWritable: (count) => safely(() => onWritable?.(count)),
			onError: () => this.#fail(),
		});
		const { timers } = this.#visitors;
		this.#failing = new Timeout(timers);
		this.#limit = new Timeout(timers);
		this.#limit.set(VISIT_LIMIT_MS, () => this.#fail());
	}

	get format(): string {
		return this.#socket?.format ?? "buffer";
	}

	set format(format: string) {
		if (this.#socket) this.#socket.format = format;
	}

	read(count?: number | Uint8Array): number | ArrayBuffer | undefined {
		const data = this.#socket?.read(count);
		if (typeof data === "number") this.#available -= typeof count === "object" ? data : 1;
		else if (data) this.#available -= data.byteLength;
		return data;
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
		if (socket) this.#visitors.open--;
		this.#limit?.clear();
		this.#failing?.clear();
		try {
			socket?.close();
		} catch {
			// It is over anyway.
		}
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
