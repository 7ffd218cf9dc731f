// An HTTP/1.1 server for a few visitors at a time: bounded requests, many on one connection, answers whole or as a stream.

import { errorText } from "../base/text.js";
import { Timeout } from "../base/timers.js";
import { ConnectionState } from "../net/connection-state.js";
import { OutboundMessage, type TextMessage } from "../net/outbound-message.js";
import { SafeSocket, socketOptions } from "../net/safe-socket.js";
import type { Socket } from "../sdk/tcp.js";
import { type Door, type ListenerContext, openDoor, turnAway } from "./listener.js";
import { type HeadTaker, type HttpRequest, RequestReader, type RequestReaderOptions } from "./request-reader.js";

/**
 * So many visitors at a time; the next one takes the place of the one that has waited for longest with nothing to answer, best of one
 * that never asked anything.
 */
export const MAX_VISITORS = 3;
/** A request has to be there in whole after this long. */
export const REQUEST_LIMIT_MS = 20_000;
/** A visitor that asks nothing for so long is let go. */
export const IDLE_LIMIT_MS = 60_000;
/** And one that takes nothing of an answer. */
export const STALL_LIMIT_MS = 30_000;
/** What a refused visitor still sends is passed over for so long, since unread bytes would cost it the answer. */
const REFUSED_MS = 1000;
const EMPTY = new Uint8Array(0);
/** From so many characters on a stream takes only what has to be sent. */
const CONGESTED_BYTES = 8192;
/** Texts are joined up to this length. */
const JOINED_CHARACTERS = 1024;
/** A visitor for whom so many wait does not read. */
const MAX_QUEUED_BYTES = 131_072;

/** An answer, or how a stream begins. */
export interface HttpAnswer {
	readonly status: number;
	/** Beside those of the connection and the length. */
	readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
	/** A text, or texts of which some are in flash. */
	readonly body?: string | TextMessage | undefined;
}

export interface HttpServerOptions extends ListenerContext {
	readonly port: number;
	/** Headers that are looked at, in lower case. */
	readonly headers: readonly string[];
	readonly maxBodyBytes: number;
	/** A head has come. An answer refuses the request unread. */
	onHead?(request: HttpRequest): HttpAnswer | undefined;
	/** A request has come whole; it is answered by the exchange, at once or later. */
	onRequest(exchange: HttpExchange): void;
}

/** A request, and the way to its answer. Nothing of it throws. */
export interface HttpExchange {
	readonly request: HttpRequest;
	readonly body: Uint8Array;
	/** Is so much of the stream waiting that only what has to be sent should be added? */
	readonly congested: boolean;
	/** Called once when the visitor has gone before the answer was over. */
	onGone: (() => void) | undefined;
	/** Answers in whole. */
	answer(answer: HttpAnswer): void;
	/** Begins an answer that comes piece by piece. */
	begin(answer: HttpAnswer): void;
	/** The stream's next piece. */
	write(piece: string | TextMessage): void;
	/** Ends the stream. */
	end(): void;
}

/** Serves from the constructor until `close`. */
export class HttpServer implements Owner {
	readonly #door: Door;
	readonly #visits: Visit[] = [];
	readonly #reading: RequestReaderOptions;
	/** Those that make room and are closed in a turn of their own. */
	#leaving = 0;
	readonly #onVisitor: (from: Socket) => void;

	/** @throws Error when the port cannot be opened */
	constructor(options: HttpServerOptions) {
		const { timers, port } = options;
		this.#door = openDoor(port, options);
		this.#reading = { headers: ["connection", ...options.headers], maxBodyBytes: options.maxBodyBytes };
		this.#onVisitor = (from) => {
			const visits = this.#visits;
			if (visits.length >= MAX_VISITORS) {
				const idle =
					this.#leaving < MAX_VISITORS ? (visits.find((visit) => visit.idle && !visit.served) ?? visits.find((visit) => visit.idle)) : undefined;
				if (!idle) return turnAway(this.#door, from, timers);
				visits.splice(visits.indexOf(idle), 1);
				this.#leaving++;
				// This turn belongs to the listener.
				timers.set(() => {
					this.#leaving--;
					idle.close();
				}, 0);
			}
			const visit = new Visit(from, options, this.#reading, this);
			if (!visit.closed) visits.push(visit);
		};
		this.#door.onVisitor = this.#onVisitor;
	}

	get port(): number {
		return this.#door.base.port;
	}

	heard(visit: Visit): void {
		const at = this.#visits.indexOf(visit);
		if (at >= 0) this.#visits.push(...this.#visits.splice(at, 1));
	}

	gone(visit: Visit): void {
		const at = this.#visits.indexOf(visit);
		if (at >= 0) this.#visits.splice(at, 1);
	}

	/** Lets everybody go; the next visitors are told that nobody serves them. May be called twice. */
	close(): void {
		// Another server may have taken the door.
		if (this.#door.onVisitor === this.#onVisitor) this.#door.onVisitor = undefined;
		for (const visit of [...this.#visits]) visit.close();
	}
}

/** Who is told of a visit: that it has sent something, and that it is over. */
interface Owner {
	heard(visit: Visit): void;
	gone(visit: Visit): void;
}

/** A visitor's socket, as its callbacks see it. */
interface VisitSocket {
	readonly target: Visit;
}

/** What a visit waits for. */
type Phase = "idle" | "request" | "stalled" | "refused" | "none";

/** One visitor's connection. */
class Visit implements HeadTaker {
	closed = false;
	/** Has it been answered once? */
	served = false;
	/** About so many bytes wait to be sent. */
	queued = 0;
	readonly #options: HttpServerOptions;
	readonly #owner: Owner;
	readonly #connection: ConnectionState;
	readonly #socket: SafeSocket;
	readonly #reader: RequestReader;
	readonly #limit: Timeout;
	readonly #turn: Timeout;
	#phase: Phase = "none";
	#exchange: Exchange | undefined;
	#refusal: HttpAnswer | undefined;
	readonly #queue: (string | TextMessage | OutboundMessage)[] = [];
	#room = 0;
	/** Is it over when everything is sent? */
	#ending = false;
	/** Has something come that was not read? */
	#heldBack = false;

	/** For all visitors: functions of one's own take RAM for each. */
	static readonly #callbacks = Object.freeze({
		onReadable(this: VisitSocket, count: number): void {
			this.target.readable(count);
		},
		onWritable(this: VisitSocket, count: number): void {
			const { target } = this;
			target.#room = count;
			target.pump();
		},
		onError(this: VisitSocket): void {
			const { target } = this;
			const { reason } = target.#connection;
			if (reason !== undefined) target.#options.log(reason);
			target.close();
		},
	});

	constructor(from: Socket, options: HttpServerOptions, reading: RequestReaderOptions, owner: Owner) {
		const { timers } = options;
		this.#options = options;
		this.#owner = owner;
		this.#limit = new Timeout(timers);
		this.#turn = new Timeout(timers);
		this.#reader = new RequestReader(reading, this);
		this.#connection = new ConnectionState({ timers, reader: this });
		this.#socket = new SafeSocket({
			...socketOptions(this.#connection, undefined),
			from,
			target: this,
			...Visit.#callbacks,
		});
		this.wait();
	}

	onHead(request: HttpRequest): number | undefined {
		this.#refusal = this.#options.onHead?.(request);
		return this.#refusal?.status;
	}

	/** Has it nothing to be answered? */
	get idle(): boolean {
		return this.#exchange === undefined;
	}

	/** Ends it. May be called twice. */
	close(): void {
		if (this.closed) return;
		this.closed = true;
		this.#limit.clear();
		this.#turn.clear();
		this.#queue.length = 0;
		this.#owner.gone(this);
		this.#connection.close();
		const exchange = this.#exchange;
		this.#exchange = undefined;
		try {
			exchange?.gone();
		} catch (thrown) {
			this.#options.log(errorText(thrown));
		}
	}

	/** Queues what is encoded when there is room for it. */
	send(message: string | TextMessage): void {
		if (this.closed) return;
		const queue = this.#queue;
		const at = queue.length - 1;
		const last = queue[at];
		// What is short goes out with what is before it: each write is a packet.
		if (typeof message === "string" && typeof last === "string" && last.length + message.length <= JOINED_CHARACTERS) queue[at] = last + message;
		else queue.push(message);
		this.queued += typeof message === "string" ? message.length : message.byteLength;
		if (this.queued > MAX_QUEUED_BYTES) return this.close();
		this.pump();
		this.wait();
	}

	/** The exchange is over: the next request may come, or has come already, or the visitor wants no other one. */
	done(hangUp: boolean): void {
		this.#exchange = undefined;
		this.#ending = hangUp;
		this.#reader.next();
		this.wait();
		if (!this.#heldBack && !this.#reader.begun) return;
		// In a turn of its own: a visitor that sends many requests at once must not fill the stack.
		this.#turn.set(0, () => {
			if (this.#exchange || this.#ending) return;
			this.#heldBack = false;
			this.take(EMPTY);
			if (!this.#exchange) this.#connection.flow();
		});
	}

	/** One request at a time: what comes behind it is read when it is answered. */
	get paused(): boolean {
		if (!this.#exchange) return false;
		this.#heldBack = true;
		return true;
	}

	private readable(count: number): void {
		const data = this.#socket.read(count);
		if (typeof data !== "object" || this.#ending || this.#phase === "refused" || this.closed) return;
		this.#owner.heard(this);
		this.take(new Uint8Array(data));
	}

	private take(bytes: Uint8Array): void {
		const status = this.#reader.take(bytes);
		if (status !== undefined) return this.refuse(this.#refusal ?? { status });
		if (this.#reader.expectsContinue) {
			this.#reader.expectsContinue = false;
			this.send("HTTP/1.1 100 Continue\r\n\r\n");
		}
		const { request } = this.#reader;
		if (!this.#reader.complete || !request) return this.wait();
		const exchange = new Exchange(this, request, this.#reader.body);
		this.#exchange = exchange;
		this.served = true;
		this.wait();
		try {
			this.#options.onRequest(exchange);
		} catch (thrown) {
			this.#options.log(errorText(thrown));
			exchange.fail();
		}
	}

	/** Answers and hangs up; what the visitor still sends is passed over. */
	private refuse(answer: HttpAnswer): void {
		this.expect("refused", REFUSED_MS, () => this.close());
		this.send(wholeAnswer(answer, false));
	}

	private pump(): void {
		let moved = false;
		while (this.#room > 0 && this.#queue.length > 0 && !this.closed) {
			const first = this.#queue[0] as string | TextMessage | OutboundMessage;
			const message = first instanceof OutboundMessage ? first : new OutboundMessage(first);
			this.#queue[0] = message;
			if (typeof first === "string") this.queued += message.byteLength - first.length;
			const piece = message.next(Math.min(this.#room, message.pieceBytes));
			message.advance(piece.byteLength);
			this.queued -= piece.byteLength;
			if (message.left === 0) this.#queue.shift();
			moved = true;
			this.#room = this.#socket.write(piece);
		}
		if (!moved) return;
		// The time in which nothing is taken begins anew.
		if (this.#phase === "stalled") this.#phase = "none";
		this.wait();
	}

	/** Bounds what comes next. */
	private wait(): void {
		if (this.closed || this.#phase === "refused") return;
		if (this.#queue.length > 0) this.expect("stalled", STALL_LIMIT_MS, () => this.close());
		else if (this.#ending) this.close();
		else if (this.#exchange) this.expect("none");
		else if (this.#reader.begun) this.expect("request", REQUEST_LIMIT_MS, () => this.refuse({ status: 408 }));
		else this.expect("idle", IDLE_LIMIT_MS, () => this.close());
	}

	private expect(phase: Phase, milliseconds = 0, otherwise?: () => void): void {
		if (phase === this.#phase) return;
		this.#phase = phase;
		if (otherwise) this.#limit.set(milliseconds, otherwise);
		else this.#limit.clear();
	}
}

class Exchange implements HttpExchange {
	readonly request: HttpRequest;
	readonly body: Uint8Array;
	onGone: (() => void) | undefined;
	readonly #visit: Visit;
	#state: "open" | "stream" | "over" = "open";

	constructor(visit: Visit, request: HttpRequest, body: Uint8Array) {
		this.#visit = visit;
		this.request = request;
		this.body = body;
	}

	get congested(): boolean {
		return this.#visit.queued > CONGESTED_BYTES;
	}

	answer(answer: HttpAnswer): void {
		if (this.#state !== "open") return;
		this.#state = "over";
		const close = this.#closes;
		this.#visit.send(wholeAnswer(answer, !close));
		this.#visit.done(close);
	}

	begin({ status, headers = [] }: HttpAnswer): void {
		if (this.#state !== "open") return;
		this.#state = "stream";
		this.#visit.send(headText(status, [...headers, ["transfer-encoding", "chunked"]], !this.#closes));
	}

	write(piece: string | TextMessage): void {
		if (this.#state !== "stream") return;
		const begin = `${byteLengthOf(piece).toString(16)}\r\n`;
		this.#visit.send(typeof piece === "string" ? begin.concat(piece, "\r\n") : surround(begin, piece, "\r\n"));
	}

	end(): void {
		if (this.#state !== "stream") return;
		this.#state = "over";
		this.#visit.send("0\r\n\r\n");
		this.#visit.done(this.#closes);
	}

	/** Something went wrong here: a status where nothing was said yet, else the end. */
	fail(): void {
		if (this.#state === "open") this.answer({ status: 500 });
		else this.#visit.close();
	}

	gone(): void {
		const { onGone } = this;
		this.#state = "over";
		this.onGone = undefined;
		onGone?.();
	}

	/** Does the visitor want no further request on this connection? */
	get #closes(): boolean {
		return this.request.header("connection")?.toLowerCase() === "close";
	}
}

function wholeAnswer({ status, headers = [], body = "" }: HttpAnswer, keep: boolean): TextMessage {
	const byteLength = byteLengthOf(body);
	const head = headText(status, [...headers, ["content-length", String(byteLength)]], keep);
	return surround(head, typeof body === "string" ? { head: "", texts: NONE, tail: body, byteLength } : body, "");
}

/** @param before ASCII @param after ASCII */
export function surround(before: string, { head, texts, tail, byteLength }: TextMessage, after: string): TextMessage {
	return {
		head: before.concat(head),
		texts,
		tail: after ? tail.concat(after) : tail,
		byteLength: before.length + byteLength + after.length,
	};
}

function headText(status: number, headers: readonly (readonly [string, string])[], keep: boolean): string {
	let head = `HTTP/1.1 ${status} ${status < 300 ? "OK" : status < 400 ? "Moved" : (PHRASES.find((phrase) => phrase.startsWith(`${status}`)) ?? "").slice(4) || "Error"}\r\n`;
	for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
	return `${head}connection: ${keep ? "keep-alive" : "close"}\r\n\r\n`;
}

const PHRASES: readonly string[] = Object.freeze([
	"400 Bad Request",
	"401 Unauthorized",
	"403 Forbidden",
	"404 Not Found",
	"405 Method Not Allowed",
	"406 Not Acceptable",
	"408 Request Timeout",
	"413 Content Too Large",
	"415 Unsupported Media Type",
	"503 Service Unavailable",
]);

function byteLengthOf(message: string | TextMessage): number {
	return typeof message === "string" ? ArrayBuffer.fromString(message).byteLength : message.byteLength;
}

const NONE: readonly never[] = Object.freeze([]);
