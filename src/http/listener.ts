// Stands between the SDK's HTTP server and its listening socket, so that nothing a visitor sends can end the firmware.

import TcpListener from "embedded:io/socket/listener";
import TcpSocket from "embedded:io/socket/tcp";
import Timer from "timer";
import { errorText } from "../base/text.js";
import type { BaseSocket, SocketOptions } from "../net/safe-socket.js";

/** So many visitors at a time; the next ones are turned away. */
export const MAX_VISITORS = 6;
/** A visit that lasts longer is ended. */
export const VISIT_LIMIT_MS = 20_000;
/** What a visitor may send on one connection: a head and a form. */
export const MAX_VISITOR_BYTES = 16_384;

const Tcp = TcpSocket as unknown as new (options: SocketOptions & { from: BaseSocket }) => BaseSocket;
const Base = TcpListener as unknown as new (options: object) => { read(): BaseSocket | undefined; readonly port: number; close(): void };

interface ListenerOptions {
	port?: number;
	target?: unknown;
	onReadable(this: unknown, count: number): void;
	[other: string]: unknown;
}

interface VisitorCount {
	open: number;
}

/** Looks to the SDK's HTTP server like a listening socket. */
export class SafeListener {
	readonly target: unknown;
	readonly #base: InstanceType<typeof Base>;
	readonly #count: VisitorCount = { open: 0 };
	#next: Visit | undefined;

	constructor(options: ListenerOptions) {
		this.target = options.target;
		this.#base = new Base({
			port: options.port,
			onReadable: (count: number) => {
				for (; count > 0; count--) {
					try {
						const socket = this.#base.read();
						if (!socket) continue;
						if (this.#count.open >= MAX_VISITORS) socket.close();
						else {
							this.#next = new Visit({ from: socket, count: this.#count });
							options.onReadable.call(this, 1);
						}
					} catch (thrown) {
						trace(`setup: ${errorText(thrown)}\n`);
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
 * One visitor's connection. The SDK's server makes a second one from the first, with callbacks: from then on it lives.
 * No throw leaves a callback, and time and bytes are bounded.
 */
class Visit {
	#socket: BaseSocket | undefined;
	readonly #count: VisitorCount;
	#onError: (() => void) | undefined;
	#limit: ReturnType<typeof Timer.set> | undefined;
	#received = 0;
	/** Bytes told by the last callback that have not been read yet. */
	#available = 0;

	constructor({ from, count, onReadable, onWritable, onError }: SocketOptions & { from: BaseSocket | Visit; count?: VisitorCount }) {
		if (!(from instanceof Visit)) {
			this.#socket = from;
			this.#count = count as VisitorCount;
			this.#count.open++;
			return;
		}
		const socket = from.#socket;
		from.#socket = undefined;
		this.#count = from.#count;
		if (!socket) throw new Error("the connection is closed");
		this.#onError = onError;
		const guard = (act: () => void) => {
			try {
				act();
			} catch (thrown) {
				trace(`setup: ${errorText(thrown)}\n`);
				this.#fail();
			}
		};
		this.#socket = new Tcp({
			from: socket,
			format: "buffer",
			onReadable: (count) => {
				this.#received += count - this.#available;
				this.#available = count;
				if (this.#received > MAX_VISITOR_BYTES) this.#fail();
				else guard(() => onReadable?.(count));
			},
			onWritable: (count) => guard(() => onWritable?.(count)),
			onError: () => this.#fail(),
		});
		this.#limit = Timer.set(() => {
			this.#limit = undefined;
			this.#fail();
		}, VISIT_LIMIT_MS);
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
		// The visitor has gone; not every socket of Moddable's says more about it. Later, because the writer is in the middle of it.
		if (room === undefined) Timer.set(() => this.#fail());
		return room ?? 0;
	}

	close(): void {
		const socket = this.#socket;
		this.#socket = undefined;
		this.#onError = undefined;
		if (this.#limit !== undefined) Timer.clear(this.#limit);
		if (socket) this.#count.open--;
		this.#limit = undefined;
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
			trace(`setup: ${errorText(thrown)}\n`);
		}
	}
}
