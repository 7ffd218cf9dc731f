// The WebSocket transport, on Moddable's own WebSocket client, for ws:// and wss://.

import TcpSocket from "embedded:io/socket/tcp";
import WebSocketClient from "embedded:network/websocket/client";
import Timer from "timer";
import { ConnectionWatch, wordsOf } from "./connection-watch.js";
import { GuardedSocket, type SocketConstructor } from "./guarded-socket.js";
import { closeWords, oneLine } from "./http-words.js";
import { NameLookup } from "./name-lookup.js";
import { TLS_OVERHEAD_BYTES, TlsRecordSocket, type TlsSettings } from "./tls.js";
import { CONGESTED_BYTES, type Connect, MAX_INBOUND_BYTES, MAX_QUEUED_BYTES, type Transport, type TransportCallbacks } from "./transport.js";
import { parseWebSocketUrl, type WebSocketUrl } from "./url.js";

/** From `connect` to the upgraded connection: name lookup, TCP, TLS and the server's answer together. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** How long `close` waits for what is queued to go out and for the peer's own close frame. */
export const CLOSE_TIMEOUT_MS = 1_000;
/** A peer that takes nothing for so long while data waits is given up. */
export const STALL_TIMEOUT_MS = 20_000;

/** A piece need not be larger: the client copies each piece. */
const MAX_PIECE_BYTES = 4096;
/** A piece need not be smaller unless it is the last: wait for more room instead. */
const MIN_PIECE_BYTES = 128;
/** Long enough for promise jobs to run; with 0 the simulator's timers would keep them waiting. */
const TURN_MS = 1;
const OPCODE_CLOSE = 8;
const CLOSE_NORMAL = 1000;
const CLOSE_GIVING_UP = 1011;

export interface WebSocketOptions {
	/** ws:// or wss://, host, perhaps a port, path and query; path and query are sent as they are. */
	readonly url: string;
	/** Headers of the upgrade request, in order; ASCII. */
	readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
	/** Subprotocol to ask for. */
	readonly protocol?: string | undefined;
	/** Takes single lines about what was ignored. Reasons for an end go to `onClose` instead. */
	readonly log?: ((line: string) => void) | undefined;
	/** Needed for wss://. */
	readonly tls?: TlsSettings | undefined;
}

/** As much of the SDK's client as is used here. */
interface Client {
	read(): ArrayBuffer | undefined;
	write(data: Uint8Array, options: { opcode?: number; binary?: boolean; more?: boolean }): number;
	close(): void;
}

interface ClientOptions {
	host: string;
	port: number;
	path: string;
	protocol: string | undefined;
	headers: readonly (readonly [string, string])[];
	dns: { io: typeof NameLookup; watch: ConnectionWatch };
	socket: { io: typeof GuardedSocket; base: SocketConstructor; watch: ConnectionWatch; overheadBytes: number; [other: string]: unknown };
	onReadable(this: Client, count: number, options: { more: boolean; binary: boolean | undefined }): void;
	onWritable(count: number): void;
	onControl(opcode: number, data: ArrayBuffer): void;
	onClose(): void;
	onError(): void;
}

const SdkClient = WebSocketClient as unknown as new (options: ClientOptions) => Client;
const Tcp = TcpSocket as unknown as SocketConstructor;
const encode = (text: string) => new Uint8Array((ArrayBuffer as unknown as { fromString(text: string): ArrayBuffer }).fromString(text));

/**
 * A transport over WebSocket text messages.
 *
 * What waits to go out is bounded by `MAX_QUEUED_BYTES`; past it the connection ends. Messages over
 * `MAX_INBOUND_BYTES` and binary messages are dropped with a line in the log. Messages are delivered one per turn, and
 * none while the transport is congested: what the peer sends then waits in its own TCP.
 * @throws TypeError or RangeError at once for settings that can never work.
 */
export function createWebSocketTransport(options: WebSocketOptions): Connect {
	const url = parseWebSocketUrl(options.url);
	if (url.secure && !options.tls) throw new TypeError("a wss:// address needs TLS, which this build was not given");
	const headers = checkHeaders(options.headers ?? []);
	if (options.protocol !== undefined && !isToken(options.protocol)) throw new TypeError("the subprotocol is not a plain word");
	return (callbacks) => new WebSocketTransport(url, headers, options, callbacks);
}

type State = "connecting" | "open" | "closing" | "closed";

class WebSocketTransport implements Transport {
	readonly #url: WebSocketUrl;
	readonly #log: (line: string) => void;
	#callbacks: TransportCallbacks | undefined;
	#state: State = "connecting";
	readonly #watch: ConnectionWatch;
	#client: Client | undefined;
	/** The limit of connecting, closing or standing still, whichever applies. */
	#limit: ReturnType<typeof Timer.set> | undefined;
	#turn: ReturnType<typeof Timer.set> | undefined;
	#ending: ReturnType<typeof Timer.set> | undefined;

	#queue: Uint8Array[] = [];
	/** How much of the first in the queue has gone. */
	#sent = 0;
	#queuedBytes = 0;
	#writable = 0;
	/** The close code to send once the queue is empty. */
	#closeCode = 0;

	/** The message that is coming in, in a buffer that grows by doubling. */
	#inbound: Uint8Array | undefined;
	#inboundBytes = 0;
	/** Whole messages that came in one read with the one before them. */
	#waiting: Uint8Array[] = [];
	#binaryLogged = false;
	#peerClosed = false;

	constructor(url: WebSocketUrl, headers: readonly (readonly [string, string])[], options: WebSocketOptions, callbacks: TransportCallbacks) {
		this.#url = url;
		this.#log = options.log ?? (() => {});
		this.#callbacks = callbacks;
		this.#watch = new ConnectionWatch(url.authority, () => this.#waiting.length > 0 || this.congested);
		this.#setLimit(CONNECT_TIMEOUT_MS, () => this.#finish(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s, while ${this.#watch.stage}`));
		try {
			this.#client = this.#open(headers, options);
		} catch (thrown) {
			this.#end(wordsOf(thrown), 0);
		}
	}

	#open(headers: readonly (readonly [string, string])[], options: WebSocketOptions): Client {
		const url = this.#url;
		const watch = this.#watch;
		const { tls } = options;
		return new SdkClient({
			host: url.host,
			port: url.port,
			path: url.path,
			protocol: options.protocol,
			headers,
			dns: { io: NameLookup, watch },
			socket: url.secure
				? {
						io: GuardedSocket,
						base: tls?.io as SocketConstructor,
						watch,
						overheadBytes: TLS_OVERHEAD_BYTES,
						TCP: { io: TlsRecordSocket },
						secure: tls?.secure ?? {},
					}
				: { io: GuardedSocket, base: Tcp, watch, overheadBytes: 0 },
			onReadable: (count, { more, binary }) => this.#readable(count, more, binary),
			onWritable: (count) => this.#safely(() => this.#takeWritable(count)),
			onControl: (opcode, data) => this.#safely(() => this.#control(opcode, data)),
			onClose: () => this.#finish(undefined),
			onError: () => this.#finish(undefined),
		});
	}

	get congested(): boolean {
		return this.#queuedBytes >= CONGESTED_BYTES;
	}

	send(text: string): void {
		if (this.#state !== "open" || this.#peerClosed || this.#ending !== undefined) return;
		const bytes = encode(text);
		this.#queue.push(bytes);
		this.#queuedBytes += bytes.byteLength;
		if (this.#queuedBytes > MAX_QUEUED_BYTES) {
			this.#end(`the peer does not read: ${this.#queuedBytes} bytes wait to go out`, CLOSE_GIVING_UP);
			return;
		}
		this.#pump();
	}

	close(): void {
		if (this.#state === "closed" || this.#state === "closing") return;
		const connected = this.#state === "open";
		this.#callbacks = undefined;
		this.#waiting = [];
		if (!connected || this.#peerClosed) {
			this.#finish(undefined);
			return;
		}
		this.#state = "closing";
		this.#closeCode = CLOSE_NORMAL;
		this.#setLimit(CLOSE_TIMEOUT_MS, () => this.#finish(undefined));
		this.#pump();
		// What the peer still sends is dropped, but its close frame is waited for behind it.
		this.#watch.flow();
	}

	/** The SDK's client calls back from timers too, where nothing else would catch a throw. */
	#safely(act: () => void): void {
		try {
			act();
		} catch (thrown) {
			this.#end(wordsOf(thrown), CLOSE_GIVING_UP);
		}
	}

	#tell(name: keyof TransportCallbacks, act: (callbacks: TransportCallbacks) => void): void {
		const callbacks = this.#callbacks;
		if (!callbacks) return;
		try {
			act(callbacks);
		} catch (thrown) {
			this.#log(oneLine(`${name} threw ${wordsOf(thrown)}`));
		}
	}

	#setLimit(milliseconds: number, act: () => void): void {
		this.#clearLimit();
		this.#limit = Timer.set(() => {
			this.#limit = undefined;
			act();
		}, milliseconds);
	}

	#clearLimit(): void {
		if (this.#limit !== undefined) Timer.clear(this.#limit);
		this.#limit = undefined;
	}

	#takeWritable(count: number): void {
		if (this.#state === "closed") return;
		this.#writable = count;
		if (this.#state === "connecting") {
			this.#state = "open";
			this.#clearLimit();
			this.#tell("onOpen", (callbacks) => callbacks.onOpen());
		}
		this.#pump();
		this.#resume();
	}

	/** Writes as much of the queue as the client takes now. */
	#pump(): void {
		const client = this.#client;
		if (!client || this.#peerClosed || this.#ending !== undefined) return;
		let progress = false;
		try {
			for (let message = this.#queue[0]; message && this.#writable > 0; message = this.#queue[0]) {
				const left = message.byteLength - this.#sent;
				const count = Math.min(left, this.#writable, MAX_PIECE_BYTES);
				const more = count < left;
				if (more && count < MIN_PIECE_BYTES) break;
				this.#writable = client.write(message.subarray(this.#sent, this.#sent + count), more ? { binary: false, more } : { binary: false });
				this.#queuedBytes -= count;
				progress = true;
				if (more) this.#sent += count;
				else {
					this.#sent = 0;
					this.#queue.shift();
				}
			}
			if (this.#queue.length === 0 && this.#closeCode > 0 && this.#writable >= 2) {
				const code = this.#closeCode;
				this.#closeCode = 0;
				this.#writable = client.write(Uint8Array.of(code >> 8, code & 0xff), { opcode: OPCODE_CLOSE });
			}
		} catch {
			// Less room than was promised: wait for the next; the stall limit holds.
			this.#writable = 0;
		}
		if (this.#state !== "open") return;
		if (this.#queue.length === 0) this.#clearLimit();
		else if (progress || this.#limit === undefined) {
			this.#setLimit(STALL_TIMEOUT_MS, () => this.#finish(`the peer took nothing for ${STALL_TIMEOUT_MS / 1000} s`));
		}
	}

	/** Everything is read at once: the SDK's client miscounts otherwise. */
	#readable(count: number, more: boolean, binary: boolean | undefined): void {
		const data = count > 0 ? this.#client?.read() : undefined;
		if (this.#state !== "open") return;
		const before = this.#inboundBytes;
		this.#inboundBytes += data?.byteLength ?? 0;
		if (binary !== false || this.#inboundBytes > MAX_INBOUND_BYTES) this.#inbound = undefined;
		else if (data) this.#keep(new Uint8Array(data), before, more);
		if (more) return;

		const bytes = this.#inboundBytes;
		const message = this.#inbound;
		this.#inbound = undefined;
		this.#inboundBytes = 0;
		if (binary !== false) {
			if (!this.#binaryLogged) this.#log("binary messages are ignored");
			this.#binaryLogged = true;
		} else if (bytes > MAX_INBOUND_BYTES) this.#log(`a message of ${bytes} bytes was dropped: the limit is ${MAX_INBOUND_BYTES}`);
		else if (message) this.#arrived(message.subarray(0, bytes));
	}

	#keep(data: Uint8Array, before: number, more: boolean): void {
		let inbound = this.#inbound;
		if (!inbound && !more) {
			this.#inbound = data;
			return;
		}
		const needed = before + data.byteLength;
		if (!inbound || inbound.byteLength < needed) {
			const larger = new Uint8Array(more ? Math.min(MAX_INBOUND_BYTES, Math.max(needed * 2, 1024)) : needed);
			if (inbound) larger.set(inbound.subarray(0, before));
			this.#inbound = inbound = larger;
		}
		inbound.set(data, before);
	}

	/** One message per turn, so that what it causes is queued, and counted, before the next. */
	#arrived(message: Uint8Array): void {
		if (this.#turn === undefined && this.#waiting.length === 0 && !this.congested) this.#deliver(message);
		else this.#waiting.push(message);
	}

	#deliver(message: Uint8Array): void {
		this.#turn = Timer.set(() => {
			this.#turn = undefined;
			this.#resume();
		}, TURN_MS);
		this.#tell("onMessage", (callbacks) => callbacks.onMessage(message));
	}

	#resume(): void {
		if (this.#turn !== undefined || this.#state === "closed") return;
		if (this.#state === "open" && !this.congested) {
			const message = this.#waiting.shift();
			if (message) {
				this.#deliver(message);
				return;
			}
		}
		this.#watch.flow();
	}

	#control(opcode: number, data: ArrayBuffer): void {
		if (opcode !== OPCODE_CLOSE) return;
		this.#peerClosed = true;
		if (this.#state !== "open") return;
		// The client answers; what is queued can no longer be sent.
		this.#setLimit(CLOSE_TIMEOUT_MS, () => this.#finish(undefined));
		this.#watch.blame(`closed by the peer: ${closeWords(new Uint8Array(data))}`);
	}

	/** Ends the connection from within; `onClose` comes in a later turn, since this may be in the middle of a `send`. */
	#end(reason: string, code: number): void {
		if (this.#state === "closed" || this.#ending !== undefined) return;
		this.#watch.blame(oneLine(reason));
		if (code > 0 && this.#state === "open" && this.#writable >= 2 && !this.#peerClosed) {
			try {
				this.#client?.write(Uint8Array.of(code >> 8, code & 0xff), { opcode: OPCODE_CLOSE });
			} catch {
				// It is over anyway.
			}
		}
		this.#queue = [];
		this.#waiting = [];
		this.#ending = Timer.set(() => {
			this.#ending = undefined;
			this.#finish(undefined);
		}, 0);
	}

	/** The end: releases everything and tells the session once. */
	#finish(reason: string | undefined): void {
		if (this.#state === "closed") return;
		if (reason !== undefined) this.#watch.blame(reason);
		const waiting = this.#waiting;
		const opened = this.#state === "open";
		this.#state = "closed";
		for (const timer of [this.#limit, this.#turn, this.#ending]) if (timer !== undefined) Timer.clear(timer);
		this.#limit = this.#turn = this.#ending = undefined;
		const client = this.#client;
		this.#client = undefined;
		try {
			client?.close();
		} catch (thrown) {
			this.#watch.blame(wordsOf(thrown));
		}
		this.#watch.close();
		this.#queue = [];
		this.#queuedBytes = 0;
		this.#waiting = [];
		this.#inbound = undefined;
		// Messages that came before the end are not lost with it.
		if (opened) for (const message of waiting) this.#tell("onMessage", (callbacks) => callbacks.onMessage(message));
		const words = this.#watch.reason ?? this.#lostWords();
		this.#tell("onClose", (callbacks) => callbacks.onClose(oneLine(words)));
		this.#callbacks = undefined;
	}

	/** What an end without a reason means depends on how far the connection had come. */
	#lostWords(): string {
		switch (this.#watch.stage) {
			case "looking up the name":
				return `no address found for ${this.#url.host}`;
			case "connecting":
				return `could not connect to ${this.#url.host}:${this.#url.port}`;
			case "waiting for TLS":
				return "the server ended the connection during the TLS handshake";
			case "waiting for the upgrade":
				return "the server ended the connection without an answer to the upgrade";
			case "open":
				return "the connection was lost";
		}
	}
}

/** Headers that belong to the upgrade itself. */
const OWN_HEADERS = Object.freeze([
	"host",
	"connection",
	"upgrade",
	"sec-websocket-key",
	"sec-websocket-version",
	"sec-websocket-protocol",
	"sec-websocket-extensions",
]);

function checkHeaders(headers: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
	for (const [name, value] of headers) {
		if (typeof name !== "string" || !isToken(name)) throw new TypeError(`${oneLine(JSON.stringify(name), 40)} is not a header name`);
		if (OWN_HEADERS.includes(name.toLowerCase())) throw new TypeError(`the header ${name} is set by the transport`);
		if (typeof value !== "string") throw new TypeError(`the value of the header ${name} must be a string`);
		for (let i = 0; i < value.length; i++) {
			const code = value.charCodeAt(i);
			if ((code < 0x20 && code !== 9) || code > 0x7e)
				throw new TypeError(`the value of the header ${name} has a line break, control or non-ASCII character`);
		}
	}
	return headers.map(([name, value]) => [name, value] as const);
}

/** A word as HTTP has it: letters, digits and some marks. */
function isToken(text: string): boolean {
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (code <= 0x20 || code >= 0x7f || '"(),/:;<=>?@[\\]{}'.includes(text[i] ?? "")) return false;
	}
	return text.length > 0;
}
