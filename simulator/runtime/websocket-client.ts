// "embedded:network/websocket/client": behaves as Moddable's ECMA-419 WebSocket client does, its oddities included, over any socket class.
import Timer from "./timer.js";

type ByteBuffer = ArrayBuffer | ArrayBufferView;
type Format = "number" | "buffer";

interface Socket {
	format: Format;
	read(count?: number | ByteBuffer): number | ArrayBuffer | undefined;
	write(data: ByteBuffer): number;
	close(): void;
}

interface Resolver {
	resolve(query: { host: string; onResolved(host: string, address: string): void; onError(host: string): void }): void;
}

interface SocketOptions {
	io: new (options: never) => Socket;
	[name: string]: unknown;
}

interface ResolverOptions {
	io: new (options: never) => Resolver;
	[name: string]: unknown;
}

/** What a piece of a message is: is there more of the message, and is it binary? */
export interface Piece {
	more: boolean;
	binary: boolean;
}

/** How a piece is sent: as part of a message, or as a control frame by `opcode`. */
export interface WriteOptions {
	binary?: boolean;
	more?: boolean;
	opcode?: number;
}

/** What a connection is opened with. The callbacks see the client as `this`. */
export interface WebSocketClientOptions {
	host: string;
	port?: number;
	path?: string;
	protocol?: string;
	headers?: Iterable<readonly [name: string, value: string]>;
	dns: ResolverOptions;
	socket: SocketOptions;
	format?: Format;
	target?: unknown;
	attach?: unknown;
	onReadable?: (this: WebSocketClient, count: number, piece: Piece) => void;
	onWritable?: (this: WebSocketClient, count: number) => void;
	onControl?: (this: WebSocketClient, opcode: number, data: ArrayBuffer) => void;
	onClose?: (this: WebSocketClient) => void;
	onError?: (this: WebSocketClient) => void;
}

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const FINAL = 0x80;
const MASKED = 0x80;
const RESERVED = 0x70;
const MAX_CONTROL_BYTES = 125;

// Room for the header of a small frame, and for the largest header there is.
const SMALL_HEADER_BYTES = 8;
const LARGEST_HEADER_BYTES = 14;
const CLOSE_DELAY_MS = 1000;

const UPGRADE = 1;
const ACCEPT = 2;
const WEBSOCKET = 4;

/** The header of a frame that is on its way in. */
interface Incoming {
	first: number;
	/** The header's bytes after the first, until all of them are there. */
	header: number[];
	/** How many bytes of the payload are still to come; undefined while the header is incomplete. */
	left: number | undefined;
	mask: number[] | undefined;
	/** How many bytes of the payload have been unmasked. */
	unmasked: number;
	/** The payload so far, of a control frame. */
	control: number[];
}

interface Control {
	opcode: number;
	payload: ArrayBuffer;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function base64(bytes: Uint8Array): string {
	let text = "";
	for (let i = 0; i < bytes.length; i += 3) {
		const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
		for (let shift = 18; shift >= 0; shift -= 6) text += ALPHABET.charAt((group >> shift) & 63);
	}
	const padding = (3 - (bytes.length % 3)) % 3;
	return text.slice(0, text.length - padding) + "=".repeat(padding);
}

function randomBytes(count: number): Uint8Array {
	return Uint8Array.from({ length: count }, () => Math.trunc(Math.random() * 256));
}

function bytesOfText(text: string): ArrayBuffer {
	// ArrayBuffer.fromString is of Moddable's engine and, elsewhere, of globals.ts.
	return (ArrayBuffer as unknown as { fromString(text: string): ArrayBuffer }).fromString(text);
}

/** A connection to a WebSocket server; it connects from the constructor on. */
class WebSocketClient {
	static readonly text = TEXT;
	static readonly binary = BINARY;
	static readonly close = CLOSE;
	static readonly ping = PING;
	static readonly pong = PONG;

	target?: unknown;
	#options: WebSocketClientOptions;
	#state: "resolving" | "connecting" | "status" | "headers" | "connected" | "closing" | "closed" = "resolving";
	#socket: Socket | undefined;
	#format: Format = "buffer";
	#writable = 0;
	#line = "";
	#flags = 0;
	#incoming: Incoming | undefined;
	#binary = false;
	/** How many bytes the running onReadable may still read. */
	#readable = 0;
	#fragmented = false;
	#closeSent = false;
	#closeReceived = false;
	#answer: Control | undefined;
	#answering: Timer | undefined;
	#closing: Timer | undefined;

	constructor(options: WebSocketClientOptions) {
		if (options.attach !== undefined) throw new Error("the simulator's WebSocket client cannot take over a connection");
		this.#options = { ...options };
		if (options.format !== undefined) this.format = options.format;
		if (options.target !== undefined) this.target = options.target;
		const dns = new options.dns.io(options.dns as never);
		dns.resolve({
			host: options.host,
			// As with Moddable's, `close` does not stop a name from being resolved, nor the connection that follows.
			onResolved: (host, address) => {
				try {
					this.#state = "connecting";
					this.#socket = this.#createSocket(host, address);
				} catch {
					this.#fail();
				}
			},
			onError: () => this.#fail(),
		});
	}

	get format(): Format {
		return this.#format;
	}

	set format(format: Format) {
		if (format !== "number" && format !== "buffer") throw new RangeError("unknown format");
		this.#format = format;
	}

	/**
	 * Reads from the piece that onReadable announces; all of it has to be read before onReadable returns.
	 * @returns undefined when nothing is left
	 */
	read(count?: number | ByteBuffer): number | ArrayBuffer | undefined {
		const socket = this.#socket;
		if (!this.#readable || !socket) return undefined;
		if (this.#format === "number") {
			this.#readable--;
			socket.format = "number";
			return this.#unmask(Uint8Array.of(socket.read() as number))[0];
		}
		socket.format = "buffer";
		if (typeof count === "object") {
			this.#readable -= count.byteLength;
			const result = socket.read(count);
			this.#unmask(ArrayBuffer.isView(count) ? new Uint8Array(count.buffer, count.byteOffset, count.byteLength) : new Uint8Array(count));
			return result;
		}
		const wanted = Math.min(count ?? this.#readable, this.#readable);
		this.#readable -= wanted;
		const data = socket.read(wanted) as ArrayBuffer;
		this.#unmask(new Uint8Array(data));
		return data;
	}

	/**
	 * Sends one frame.
	 * @returns how many bytes may be written next; 0 means to wait for onWritable
	 * @throws Error when the frame is larger than what may be written, or there is no connection
	 * @throws TypeError when `data` is no buffer of bytes
	 */
	write(data: ByteBuffer, options?: WriteOptions): number {
		if ((data as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT !== undefined && (data as Uint8Array).BYTES_PER_ELEMENT > 1)
			throw new TypeError("not a buffer of bytes");
		const length = data.byteLength;
		const headerLength = (length <= MAX_CONTROL_BYTES ? 2 : length < 65536 ? 4 : 10) + 4;
		if (this.#state !== "connected" || !this.#socket) throw new Error("not connected");
		if (headerLength + length > this.#writable) throw new Error(`${headerLength + length} bytes do not fit into ${this.#writable}`);

		const frame = new Uint8Array(headerLength + length);
		const view = new DataView(frame.buffer);
		const first = this.#firstByte(options);
		const mask = randomBytes(4);
		frame[0] = first;
		if (length <= MAX_CONTROL_BYTES) frame[1] = MASKED | length;
		else if (length < 65536) {
			frame[1] = MASKED | 126;
			view.setUint16(2, length);
		} else {
			frame[1] = MASKED | 127;
			view.setUint32(6, length);
		}
		frame.set(mask, headerLength - 4);
		const payload = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, length) : new Uint8Array(data);
		for (let i = 0; i < length; i++) frame[headerLength + i] = (payload[i] as number) ^ (mask[i & 3] as number);

		this.#socket.format = "buffer";
		this.#writable = this.#socket.write(frame);
		if (first === (FINAL | CLOSE)) this.#closeWritten();
		return Math.max(0, this.#writable - LARGEST_HEADER_BYTES);
	}

	/** Drops the connection without telling the peer; no callback follows. */
	close(): void {
		this.#state = "closed";
		this.#socket?.close();
		this.#socket = undefined;
		Timer.clear(this.#answering);
		Timer.clear(this.#closing);
		this.#answering = undefined;
		this.#closing = undefined;
	}

	#createSocket(host: string, address: string): Socket {
		const { socket, port } = this.#options;
		return new socket.io({
			...socket,
			address,
			host,
			port: port ?? 80,
			onReadable: (count: number) => this.#socketReadable(count),
			onWritable: (count: number) => this.#socketWritable(count),
			onError: () => this.#fail(),
		} as never);
	}

	#firstByte(options: WriteOptions | undefined): number {
		if (options?.opcode !== undefined) return FINAL | options.opcode;
		const opcode = this.#fragmented ? 0 : (options?.binary ?? true) ? BINARY : TEXT;
		this.#fragmented = options?.more ?? false;
		return this.#fragmented ? opcode : FINAL | opcode;
	}

	#closeWritten(): void {
		this.#closeSent = true;
		if (!this.#closeReceived) return;
		// The farewell needs time to go out, and no callback may run from within `write`.
		this.#state = "closing";
		this.#closing = Timer.set(() => {
			this.close();
			this.#options.onClose?.call(this);
		}, CLOSE_DELAY_MS);
	}

	#fail(): void {
		this.close();
		if (this.#closeSent || this.#closeReceived) this.#options.onClose?.call(this);
		else this.#options.onError?.call(this);
	}

	#socketWritable(count: number): void {
		this.#writable = count;
		if (this.#state === "connecting") this.#sendRequest();
		else if (this.#state === "connected") {
			if (this.#answer && !this.#sendAnswer()) return;
			this.#options.onWritable?.call(this, Math.max(0, this.#writable - SMALL_HEADER_BYTES));
		}
	}

	#sendRequest(): void {
		const { host, path, protocol, headers } = this.#options;
		const lines = [
			`GET ${path || "/"} HTTP/1.1`,
			`Host: ${host}`,
			"Upgrade: websocket",
			// Moddable's sends just this; servers that insist on "Upgrade" alone refuse it.
			"Connection: keep-alive, Upgrade",
			"Sec-WebSocket-Version: 13",
			`Sec-WebSocket-Key: ${base64(randomBytes(16))}`,
		];
		if (protocol) lines.push(`Sec-WebSocket-Protocol: ${protocol}`);
		for (const [name, value] of headers ?? []) lines.push(`${name}: ${value}`);
		const socket = this.#socket as Socket;
		this.#writable = socket.write(bytesOfText(`${lines.join("\r\n")}\r\n\r\n`));
		this.#state = "status";
		socket.format = "number";
	}

	#socketReadable(count: number): void {
		let left = count;
		while ((this.#state === "status" || this.#state === "headers") && left > 0) {
			const byte = (this.#socket as Socket).read() as number;
			left--;
			this.#line += String.fromCharCode(byte);
			if (this.#line.endsWith("\r\n")) {
				const line = this.#line.slice(0, -2);
				this.#line = "";
				if (this.#state === "status") this.#takeStatus(line);
				else if (line) this.#takeHeader(line);
				else this.#handshakeDone();
			}
		}
		while (this.#state === "connected" && left > 0) left -= this.#takeFrame(left);
	}

	#takeStatus(line: string): void {
		const words = line.split(" ");
		// A response without a reason phrase is refused, too.
		if (words.length < 3 || Number.parseInt(words[1] as string, 10) !== 101) this.#fail();
		else this.#state = "headers";
	}

	#takeHeader(line: string): void {
		const colon = line.indexOf(":");
		const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
		const value = line
			.slice(colon + 1)
			.trim()
			.toLowerCase();
		if (name === "connection" && value === "upgrade") this.#flags |= UPGRADE;
		// Its value is not checked.
		else if (name === "sec-websocket-accept") this.#flags |= ACCEPT;
		else if (name === "upgrade" && value === "websocket") this.#flags |= WEBSOCKET;
	}

	#handshakeDone(): void {
		if (this.#flags !== (UPGRADE | ACCEPT | WEBSOCKET)) {
			this.#fail();
			return;
		}
		this.#state = "connected";
		if (this.#writable > SMALL_HEADER_BYTES) this.#options.onWritable?.call(this, this.#writable - SMALL_HEADER_BYTES);
	}

	/** Takes some of the `count` bytes that are there. @returns how many */
	#takeFrame(count: number): number {
		const socket = this.#socket as Socket;
		const incoming = this.#incoming;
		if (incoming?.left === undefined) {
			socket.format = "number";
			this.#takeHeaderByte(socket.read() as number);
			return 1;
		}
		if (incoming.first & CLOSE) {
			socket.format = "number";
			incoming.control.push(socket.read() as number);
			incoming.left--;
			if (incoming.left === 0) this.#takeControl(incoming);
			return 1;
		}
		const length = Math.min(count, incoming.left);
		this.#takePiece(incoming, length);
		return length;
	}

	#takeHeaderByte(byte: number): void {
		const incoming = this.#incoming;
		if (!incoming) {
			const opcode = byte & 0x0f;
			if (byte & RESERVED || (opcode > BINARY && opcode < CLOSE)) {
				this.#fail();
				return;
			}
			if (opcode === TEXT || opcode === BINARY) this.#binary = opcode === BINARY;
			this.#incoming = { first: byte, header: [], left: undefined, mask: undefined, unmasked: 0, control: [] };
			return;
		}
		const { header, first } = incoming;
		header.push(byte);
		const kind = (header[0] as number) & 0x7f;
		const lengthBytes = kind === 126 ? 2 : kind === 127 ? 8 : 0;
		const masked = ((header[0] as number) & MASKED) !== 0;
		if (header.length < 1 + lengthBytes + (masked ? 4 : 0)) return;
		let length = kind;
		if (lengthBytes) {
			length = 0;
			for (let i = 1; i <= lengthBytes; i++) length = length * 256 + (header[i] as number);
		}
		if (masked) incoming.mask = header.slice(-4);
		incoming.left = length;
		if (first & CLOSE) {
			if (length > MAX_CONTROL_BYTES) this.#fail();
			else if (length === 0) this.#takeControl(incoming);
		} else if (length === 0) this.#takePiece(incoming, 0);
	}

	#takePiece(incoming: Incoming, length: number): void {
		const piece = { more: true, binary: this.#binary };
		incoming.left = (incoming.left as number) - length;
		if (incoming.left === 0) piece.more = !(incoming.first & FINAL);
		this.#readable = length;
		this.#options.onReadable?.call(this, length, piece);
		if (!this.#socket) return;
		// Moddable's client mistakes the rest of the payload for frames then.
		if (this.#readable) throw new Error(`onReadable left ${this.#readable} of ${length} bytes unread`);
		if (incoming.left === 0) this.#incoming = undefined;
	}

	#takeControl(incoming: Incoming): void {
		const opcode = incoming.first & 0x0f;
		this.#incoming = undefined;
		const payload = Uint8Array.from(incoming.control, (byte, i) => byte ^ (incoming.mask?.[i & 3] ?? 0)).buffer;
		try {
			this.#options.onControl?.call(this, opcode, payload);
		} catch {
			// Moddable's swallows what this callback throws.
		}
		if (!this.#socket) return;
		if (opcode === CLOSE) {
			if (this.#closeSent) {
				this.close();
				this.#options.onClose?.call(this);
			} else {
				this.#closeReceived = true;
				this.#prepareAnswer({ opcode: CLOSE, payload });
			}
		} else if (opcode === PING) {
			if (!this.#answer && !this.#closeReceived) this.#prepareAnswer({ opcode: PONG, payload });
		} else if (opcode !== PONG) this.#fail();
	}

	#prepareAnswer(answer: Control): void {
		this.#answer = answer;
		this.#answering ??= Timer.set(() => {
			this.#answering = undefined;
			this.#socketWritable(this.#writable);
		});
	}

	/** @returns false when it does not fit yet */
	#sendAnswer(): boolean {
		const { opcode, payload } = this.#answer as Control;
		if (payload.byteLength + 6 > this.#writable) return false;
		Timer.clear(this.#answering);
		this.#answering = undefined;
		this.#answer = undefined;
		this.#writable = this.write(payload, { opcode });
		return true;
	}

	#unmask(bytes: Uint8Array): Uint8Array {
		const incoming = this.#incoming;
		if (incoming?.mask) for (let i = 0; i < bytes.length; i++) bytes[i] = (bytes[i] as number) ^ (incoming.mask[incoming.unmasked++ & 3] as number);
		return bytes;
	}
}

export default WebSocketClient;
