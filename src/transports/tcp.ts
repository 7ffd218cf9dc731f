// A transport over plain TCP, or TLS, for services that put each message between two delimiters.

import { latin1, latin1Bytes } from "../base/bytes.js";
import { oneLine } from "../base/text.js";
import { Timeout } from "../base/timers.js";
import type { ServerAddress } from "../net/address.js";
import { NameLookup } from "../net/name-lookup.js";
import type { OutboundMessage, TextMessage } from "../net/outbound-message.js";
import { SafeSocket, socketOptions } from "../net/safe-socket.js";
import type { TlsSettings } from "../tls/settings.js";
import { Connection, type ConnectionOptions } from "./connection.js";
import { DelimitedStream } from "./delimited-stream.js";
import { type Connect, MAX_PASSED_OVER_BYTES, type TransportCallbacks } from "./transport.js";

/** How long the last message has to reach a peer that does not end the connection itself. */
const LINGER_MS = 200;

export interface TcpOptions extends ConnectionOptions {
	/** Where the service is. */
	readonly address: ServerAddress;
	/** Precedes each message; ASCII. */
	readonly head: string;
	/** Follows each message; ASCII. No message may contain it. */
	readonly tail: string;
	/** Needed for tls://. */
	readonly tls?: TlsSettings | undefined;
}

/**
 * A transport over TCP with delimiters around messages.
 *
 * Messages over `MAX_INBOUND_BYTES` are dropped with a line in the log, empty ones without; one over
 * `MAX_PASSED_OVER_BYTES` ends the connection.
 * @throws TypeError or RangeError at once for settings that can never work.
 */
export function createTcpTransport(options: TcpOptions): Connect {
	if (options.address.secure && !options.tls) throw new TypeError("a tls:// address needs TLS, which this build was not given");
	const delimiters = { head: delimiterBytes(options.head), tail: delimiterBytes(options.tail) };
	return (callbacks) => new TcpTransport(delimiters, options, callbacks);
}

interface Delimiters {
	readonly head: Uint8Array;
	readonly tail: Uint8Array;
}

class TcpTransport extends Connection {
	readonly #options: TcpOptions;
	readonly #frames: DelimitedStream;
	#socket: SafeSocket | undefined;
	readonly #lingering: Timeout;
	#strayLogged = false;
	/** Has a message begun to come? */
	#spoken = false;

	constructor({ head, tail }: Delimiters, options: TcpOptions, callbacks: TransportCallbacks) {
		super(options.address, callbacks, options);
		this.#options = options;
		this.#lingering = new Timeout(options.timers);
		this.#frames = new DelimitedStream(head, tail);
		this.begin();
	}

	protected open(): void {
		const { connection } = this;
		const { host, port, secure } = this.#options.address;
		new NameLookup({ connection }).resolve({
			host,
			onResolved: (_, address) =>
				this.safely(() => {
					this.#socket = new SafeSocket({
						...socketOptions(connection, secure ? this.#options.tls : undefined),
						address,
						host,
						port,
						onReadable: (count) => this.readable(count),
						onWritable: (count) => this.handleWritable(count),
						onError: () => this.finish(undefined),
					});
				}),
			onError: () => this.finish(undefined),
		});
	}

	override send(text: string): void {
		const { head, tail } = this.#options;
		if (text.includes(tail)) this.log(`a message with ${tail} inside was not sent`);
		else super.send(`${head}${text}${tail}`);
	}

	override sendTexts({ head, texts, tail }: TextMessage): void {
		this.send(head.concat(texts.join(""), tail));
	}

	protected writePiece(message: OutboundMessage): number | undefined {
		const count = Math.min(message.left, this.writable, message.pieceBytes);
		if (!this.#socket) return undefined;
		this.writable = this.#socket.write(message.next(count));
		return count;
	}

	protected sendClose(): boolean {
		if (!this.#lingering.pending) this.#lingering.set(LINGER_MS, () => this.finish(undefined));
		return true;
	}

	protected release(): void {
		this.#lingering.clear();
		this.#frames.clear();
		const socket = this.#socket;
		this.#socket = undefined;
		socket?.close();
	}

	protected override lostReason(): string {
		if (this.#spoken || this.connection.stage !== "open") return super.lostReason();
		if (this.#frames.strayBytes === 0) return "the server ended the connection without an answer";
		return `the server does not speak this protocol: ${this.strayWords()}`;
	}

	private strayWords(): string {
		return `"${oneLine(latin1(this.#frames.strayBegin), 40)}"`;
	}

	private handleWritable(count: number): void {
		this.connection.stage = "open";
		this.takeWritable(count);
	}

	private readable(count: number): void {
		const data = this.#socket?.read(count);
		if (this.state !== "open" || typeof data !== "object") return;
		const frames = this.#frames;
		frames.feed(new Uint8Array(data), (message) => {
			this.#spoken = true;
			this.arrived(message);
		});
		this.#spoken ||= frames.unfinishedBytes > 0;
		if (frames.strayBytes > 0 && !this.#strayLogged) {
			this.#strayLogged = true;
			this.log(`bytes outside of messages are ignored: ${this.strayWords()}`);
		}
		if (frames.unfinishedBytes > MAX_PASSED_OVER_BYTES) this.end(`a message that does not end after ${frames.unfinishedBytes} bytes`);
	}
}

function delimiterBytes(delimiter: string): Uint8Array {
	if (typeof delimiter !== "string" || delimiter.length < 2) throw new TypeError("a delimiter is a string of at least two characters");
	return latin1Bytes(delimiter);
}
