// "embedded:io/socket/tcp": ECMA-419's TCP socket over one of the host's sockets, with windows as small as a device's.
import { callHost, onEvent } from "./bridge.js";
import config from "./mc-config.js";
import Timer from "./timer.js";

type ByteBuffer = ArrayBuffer | ArrayBufferView;
type Format = "number" | "buffer";

/** What a socket is opened with: `address` (IPv4 in dots) and `port`, or `from`, a socket that a listener gave. */
export interface TcpOptions {
	address?: string;
	host?: string;
	port?: number;
	from?: TCP;
	/** The host's number of a connection that came in; only for the listener. */
	accepted?: number;
	nodelay?: boolean;
	format?: Format;
	target?: unknown;
	onReadable?: (this: TCP, count: number) => void;
	onWritable?: (this: TCP, count: number) => void;
	onError?: (this: TCP) => void;
}

/** Makes it a connection over TLS. */
export interface Secure {
	/** The name or address that the server's certificate must have. */
	serverName: string;
	/** Certificates in DER that are trusted beside the host's. */
	certificates: readonly Uint8Array[];
	/** May the server choose an old cipher suite? */
	legacy: boolean;
	/** TCP stands, TLS begins. */
	onHandshake(): void;
	/** The connection ends for this reason; `onError` follows. */
	onFailed(reason: string): void;
}

// Moddable's Linux simulator has this many bytes for each way.
const WINDOW_BYTES = 1536;
const EMPTY = new Uint8Array(0);

const sockets = new Map<number, (kind: string, values: readonly unknown[], bytes: Uint8Array) => void>();
// The host's own, of connections that come in, are negative.
let lastId = 0;

onEvent("socket", (header, bytes) => {
	sockets.get(header[1] as number)?.(header[2] as string, header.slice(3), bytes);
});

// What was read is told once for each turn: headers are read byte by byte.
const consumed = new Map<number, number>();

function tellConsumed(id: number, count: number): void {
	if (consumed.size === 0) {
		Promise.resolve().then(() => {
			const counts = [...consumed];
			consumed.clear();
			for (const [id, count] of counts) if (sockets.has(id)) callHost(["socket.consumed", id, count]);
		});
	}
	consumed.set(id, (consumed.get(id) ?? 0) + count);
}

function bytesOf(data: ByteBuffer): Uint8Array {
	return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
	const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

/** A connection; every member but `close` throws once it is closed. */
class TCP {
	target?: unknown;
	#id: number | undefined;
	#format: Format = "buffer";
	#window: number;
	#writable = 0;
	#unread: Uint8Array = EMPTY;
	#ended = false;
	#onReadable: TcpOptions["onReadable"];
	#onWritable: TcpOptions["onWritable"];
	#onError: TcpOptions["onError"];
	#remoteAddress: string | undefined;
	#remotePort: number | undefined;
	#secure: Secure | undefined;

	/** @throws Error for an address that is not IPv4 @throws RangeError for a port or format that cannot be */
	constructor(options: TcpOptions, secure?: Secure) {
		this.#window = (config.simulatedWritable as number | undefined) ?? WINDOW_BYTES;
		const { accepted, address, from, port = -1 } = options;
		if (accepted !== undefined) {
			this.#id = accepted;
			return;
		}
		if (!from && (!Number.isInteger(port) || port < 0 || port > 65535)) throw new RangeError("invalid port");
		if (options.format !== undefined) this.#setFormat(options.format);
		if (options.target !== undefined) this.target = options.target;
		this.#onReadable = options.onReadable;
		this.#onWritable = options.onWritable;
		this.#onError = options.onError;
		const id = from ? from.#open() : ++lastId;
		this.#secure = secure;
		if (from) {
			from.#id = undefined;
			callHost(["socket.adopt", id]);
		} else {
			const { serverName, certificates = [], legacy = false } = secure ?? {};
			const sizes = certificates.map((certificate) => certificate.length);
			callHost(["socket.open", id, String(address), port, options.nodelay ?? false, serverName ?? null, sizes, legacy], joined(certificates));
		}
		this.#id = id;
		sockets.set(id, (kind, values, bytes) => this.#receive(kind, values, bytes));
	}

	get format(): Format {
		this.#open();
		return this.#format;
	}

	set format(format: Format) {
		this.#open();
		this.#setFormat(format);
	}

	get remoteAddress(): string | undefined {
		this.#open();
		return this.#remoteAddress;
	}

	get remotePort(): number | undefined {
		this.#open();
		return this.#remotePort;
	}

	/**
	 * Takes what has come: a byte in number format, else a buffer of `count` bytes, of all, or `count` itself filled up.
	 * @returns undefined when nothing is there; how many bytes when a buffer was given
	 * @throws RangeError when less is there than asked for
	 */
	read(count?: number | ByteBuffer): number | ArrayBuffer | undefined {
		const id = this.#open();
		const unread = this.#unread;
		if (unread.length === 0) return undefined;
		const target = typeof count === "object" ? bytesOf(count) : undefined;
		const wanted = this.#format === "number" ? 1 : (target?.length ?? Math.trunc((count as number | undefined) ?? unread.length));
		if (!(wanted > 0 && wanted <= unread.length)) throw new RangeError(`cannot read ${wanted} of ${unread.length} bytes`);
		this.#unread = unread.subarray(wanted);
		tellConsumed(id, wanted);
		if (this.#ended && this.#unread.length === 0) Timer.set(() => this.#fail());
		if (this.#format === "number") return unread[0];
		if (!target) return unread.slice(0, wanted).buffer as ArrayBuffer;
		target.set(unread.subarray(0, wanted));
		return wanted;
	}

	/**
	 * Sends a byte in number format, else a buffer.
	 * @returns how many bytes may still be written
	 * @throws RangeError when there is more than may be written
	 */
	write(data: number | ByteBuffer): number {
		const id = this.#open();
		const bytes = this.#format === "number" ? Uint8Array.of(data as number) : bytesOf(data as ByteBuffer);
		if (bytes.length > this.#writable) throw new RangeError(`would block: ${bytes.length} bytes where ${this.#writable} are writable`);
		this.#writable -= bytes.length;
		if (!this.#ended) callHost(["socket.write", id], bytes);
		return this.#writable;
	}

	close(): void {
		if (this.#id === undefined) return;
		sockets.delete(this.#id);
		callHost(["socket.close", this.#id]);
		this.#id = undefined;
	}

	#open(): number {
		if (this.#id === undefined) throw new Error("the socket is closed");
		return this.#id;
	}

	#setFormat(format: Format): void {
		if (format !== "number" && format !== "buffer") throw new RangeError("unimplemented");
		this.#format = format;
	}

	#receive(kind: string, values: readonly unknown[], bytes: Uint8Array): void {
		switch (kind) {
			case "connected":
				this.#remoteAddress = values[0] as string;
				this.#remotePort = values[1] as number;
				this.#drained();
				break;
			case "drained":
				this.#drained();
				break;
			case "data": {
				const unread = new Uint8Array(this.#unread.length + bytes.length);
				unread.set(this.#unread);
				unread.set(bytes, this.#unread.length);
				this.#unread = unread;
				this.#onReadable?.call(this, unread.length);
				break;
			}
			case "handshake":
				this.#secure?.onHandshake();
				break;
			case "ended":
				if (typeof values[0] === "string") this.#secure?.onFailed(values[0]);
				// What has come may still be read; the error follows the last byte.
				this.#ended = true;
				if (this.#unread.length === 0) this.#fail();
				break;
		}
	}

	#drained(): void {
		if (this.#ended) return;
		this.#writable = this.#window;
		this.#onWritable?.call(this, this.#writable);
	}

	#fail(): void {
		if (this.#id !== undefined) this.#onError?.call(this);
	}
}

export default TCP;
