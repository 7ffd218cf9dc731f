// The WebSocket transport, on Moddable's own WebSocket client, for ws:// and wss://.

import { oneLine } from "../base/text.js";
import type { Url } from "../net/address.js";
import { NameLookup } from "../net/name-lookup.js";
import type { OutboundMessage } from "../net/outbound-message.js";
import { socketOptions } from "../net/safe-socket.js";
import WebSocketClient, { type WebSocket } from "../sdk/websocket-client.js";
import type { TlsSettings } from "../tls/settings.js";
import { closeText } from "./close-code.js";
import { Connection, type ConnectionOptions, InboundMessage } from "./connection.js";
import { type Connect, MAX_PASSED_OVER_BYTES, type TransportCallbacks } from "./transport.js";
import { UpgradeSocket, WAITING_FOR_UPGRADE } from "./upgrade-socket.js";
import { jsonHeadBytes } from "./websocket-frames.js";

/** For a smaller piece, unless it is the last, wait for more room. */
const MIN_PIECE_BYTES = 128;
const OPCODE_CLOSE = 8;
const OPCODE_PING = 9;
const CLOSE_NORMAL = 1000;
const CLOSE_GIVING_UP = 1011;

export interface WebSocketOptions extends ConnectionOptions {
	/** Where the server is; path and query are sent as they are. */
	readonly url: Url;
	/** Headers of the upgrade request, in order; ASCII. */
	readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
	/** Subprotocol to ask for. */
	readonly protocol?: string | undefined;
	/** Needed for wss://. */
	readonly tls?: TlsSettings | undefined;
}

/**
 * A transport over WebSocket text messages.
 *
 * What waits to go out is bounded by `MAX_QUEUED_BYTES`; past it the connection ends. Messages over
 * `MAX_INBOUND_BYTES` and binary messages are dropped with a line in the log; one over `MAX_PASSED_OVER_BYTES` ends the
 * connection. A few messages are delivered per turn, and none while the transport is congested: what the peer sends then waits
 * in its own TCP.
 * @throws TypeError or RangeError at once for settings that can never work.
 */
export function createWebSocketTransport(options: WebSocketOptions): Connect {
	if (options.url.secure && !options.tls) throw new TypeError("a wss:// address needs TLS, which this build was not given");
	const headers = options.headers ? checkHeaders(options.headers) : NO_HEADERS;
	if (options.protocol !== undefined && !isToken(options.protocol)) throw new TypeError("the subprotocol is not a plain word");
	return (callbacks) => new WebSocketTransport(headers, options, callbacks);
}

/** The SDK's client has its transport as its `target`. */
interface Client {
	readonly target: WebSocketTransport;
}

class WebSocketTransport extends Connection {
	private readonly headers: readonly (readonly [string, string])[];
	private readonly options: WebSocketOptions;
	private client: WebSocket | undefined;
	private inbound = new InboundMessage();
	/** Bytes received of the current message, whatever its kind. */
	private messageBytes = 0;
	private binaryLogged = false;
	/** Is the current message JSON in a binary one? */
	private wrapped = false;

	constructor(headers: readonly (readonly [string, string])[], options: WebSocketOptions, callbacks: TransportCallbacks) {
		super(options.url, callbacks, options);
		this.headers = headers;
		this.options = options;
		this.begin();
	}

	protected open(): void {
		const { connection } = this;
		const { protocol, tls, url } = this.options;
		this.client = new WebSocketClient({
			host: url.host,
			port: url.port,
			path: url.path,
			protocol,
			headers: this.headers,
			dns: { io: NameLookup, connection },
			socket: { io: UpgradeSocket, ...socketOptions(connection, url.secure ? tls : undefined) },
			target: this,
			...WebSocketTransport.callbacks,
		});
	}

	/** For all clients, since each function takes RAM. */
	private static readonly callbacks = Object.freeze({
		onReadable(this: Client, count: number, { more, binary }: { more: boolean; binary: boolean | undefined }): void {
			this.target.readable(count, more, binary);
		},
		onWritable(this: Client, count: number): void {
			this.target.takeWritable(count);
		},
		onControl(this: Client, opcode: number, data: ArrayBuffer): void {
			// The client answers; what is queued can no longer be sent.
			if (opcode === OPCODE_CLOSE) this.target.peerClosing(`closed by the peer: ${closeText(new Uint8Array(data))}`);
			else this.target.alive();
		},
		onClose(this: Client): void {
			this.target.finish(undefined);
		},
		onError(this: Client): void {
			this.target.finish(undefined);
		},
	});

	protected writePiece(message: OutboundMessage): number | undefined {
		const { left } = message;
		const count = Math.min(left, this.writable, message.pieceBytes);
		const more = count < left;
		if (!this.client || (more && count < MIN_PIECE_BYTES)) return undefined;
		this.writable = this.client.write(message.next(count), more ? { binary: false, more } : { binary: false });
		return count;
	}

	protected sendClose(): boolean {
		return this.writeClose(CLOSE_NORMAL);
	}

	/** Left out where there is no room: the stall limit applies. */
	ping(): void {
		const client = this.client;
		if (!client || this.state !== "open" || this.writable === 0) return;
		this.safely(() => {
			this.writable = client.write(new Uint8Array(1), { opcode: OPCODE_PING });
		});
	}

	protected override sendAbort(): void {
		this.writeClose(CLOSE_GIVING_UP);
	}

	protected release(): void {
		const client = this.client;
		this.client = undefined;
		client?.close();
	}

	protected override lostReason(): string {
		return this.connection.stage === WAITING_FOR_UPGRADE ? "the server ended the connection without an answer to the upgrade" : super.lostReason();
	}

	private writeClose(code: number): boolean {
		if (!this.client) return false;
		this.writable = this.client.write(Uint8Array.of(code >> 8, code & 0xff), { opcode: OPCODE_CLOSE });
		return true;
	}

	/** Everything is read at once: the SDK's client miscounts otherwise. */
	private readable(count: number, more: boolean, binary: boolean | undefined): void {
		const data = count > 0 ? this.client?.read() : undefined;
		if (this.state !== "open") return;
		let bytes = data && new Uint8Array(data);
		if (this.messageBytes === 0) {
			const head = bytes && binary ? jsonHeadBytes(bytes) : 0;
			this.wrapped = head > 0;
			bytes = bytes?.subarray(head);
		}
		const isText = binary === false || this.wrapped;
		this.messageBytes += data?.byteLength ?? 0;
		if (this.messageBytes > MAX_PASSED_OVER_BYTES) return this.end(`a message that does not end after ${this.messageBytes} bytes`);
		if (!more) this.messageBytes = 0;
		if (bytes && isText) this.inbound.add(bytes, !more, this.connection.due);
		if (more) return;
		if (isText) return this.arrived(this.inbound);
		if (!this.binaryLogged) this.log("binary messages are ignored");
		this.binaryLogged = true;
		this.alive();
	}
}

const NO_HEADERS: readonly (readonly [string, string])[] = Object.freeze([]);
/** Headers of the upgrade itself. */
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

/** Is this a token of HTTP (RFC 9110, section 5.6.2)? */
function isToken(text: string): boolean {
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (code <= 0x20 || code >= 0x7f || '"(),/:;<=>?@[\\]{}'.includes(text[i] ?? "")) return false;
	}
	return text.length > 0;
}
