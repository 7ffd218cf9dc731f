// Requests over HTTP and HTTPS, bounded in size and time, with the reason of a failure in words.

import { concatBytes, utf8Bytes } from "../base/bytes.js";
import { errorText, oneLine } from "../base/text.js";
import { Timeout, type Timers } from "../base/timers.js";
import { parseHttpUrl, type Url } from "../net/address.js";
import { ConnectionState, lostReason } from "../net/connection-state.js";
import { NameLookup } from "../net/name-lookup.js";
import { SafeSocket, socketOptions } from "../net/safe-socket.js";
import TextDecoder from "../sdk/text-decoder.js";
import type { TlsSettings } from "../tls/settings.js";
import { type HttpHead, ResponseReader } from "./response-reader.js";

/** A server that sends less than `HTTP_PACE_BYTES` in this time is given up, unless that is the end of its answer. */
export const HTTP_IDLE_TIMEOUT_MS = 15_000;
export const HTTP_PACE_BYTES = 1024;
/** The longest body that `requestText` takes. */
export const MAX_TEXT_BYTES = 4096;
/** How many redirects are followed. */
const MAX_REDIRECTS = 5;

export interface HttpOptions {
	readonly timers: Timers;
	readonly url: Url;
	readonly method?: "GET" | "POST" | undefined;
	/** Beside `host`, `connection` and `content-length`. */
	readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
	/** What is sent, as text. */
	readonly body?: string | undefined;
	/** What is sent in place of `body`, one part after the other, each from where it lies. */
	readonly parts?: readonly Uint8Array[] | undefined;
	/** Needed for https://. */
	readonly tls?: TlsSettings | undefined;
	/** Redirects stay with the host that was asked. */
	readonly sameHost?: boolean | undefined;
	/** The whole time that the answer may take, in milliseconds; without it only silence or slowness ends it. */
	readonly timeoutMs?: number | undefined;
}

export interface HttpCallbacks {
	/** The answer has begun. Words refuse it. */
	onHead(head: HttpHead): string | undefined;
	/** A piece of the body; words end the request. */
	onBody(bytes: Uint8Array): string | undefined;
	/** The end: undefined after a whole answer, else why there is none. Called once, unless `close` came first. */
	onDone(problem: string | undefined): void;
}

/** A request on its way. */
export interface HttpRequest {
	/** Ends it; nothing is told any more. May be called twice. */
	close(): void;
}

/**
 * Sends a request and hands on its answer as it comes. Redirects of a GET are followed, never from https:// to http://.
 * @throws TypeError or RangeError at once for an address that can never work
 */
export function requestHttp(options: HttpOptions, callbacks: HttpCallbacks): HttpRequest {
	let exchange: Exchange | undefined;
	let redirects = 0;
	const open = (url: Url) => {
		if (url.secure && !options.tls) throw new TypeError("an https:// address needs TLS, which this build was not given");
		exchange = new Exchange(url, options, {
			onHead(head) {
				const { location } = head;
				const redirected = head.status >= 301 && head.status <= 308 && head.status !== 304 && location !== "";
				if (!redirected || (options.method ?? "GET") !== "GET") return callbacks.onHead(head);
				if (++redirects > MAX_REDIRECTS) return `more than ${MAX_REDIRECTS} redirects`;
				next = resolveAddress(url, location);
				return "redirected";
			},
			onBody: callbacks.onBody,
			onDone(problem) {
				if (next === undefined) return callbacks.onDone(problem);
				const address = next;
				next = undefined;
				try {
					const to = parseHttpUrl(address);
					if (url.secure && !to.secure) return callbacks.onDone("redirected from https:// to http://, which is not followed");
					if (options.sameHost && to.host !== url.host) return callbacks.onDone("redirected to another host, which is not followed");
					open(to);
				} catch (error) {
					callbacks.onDone(`redirected to an address that cannot be used: ${(error as Error).message}`);
				}
			},
		});
	};
	let next: string | undefined;
	open(options.url);
	return { close: () => exchange?.close() };
}

/** An answer as text. */
export interface HttpText {
	readonly status: number;
	/** Where a redirect leads to that was not followed. */
	readonly location?: string;
	readonly text: string;
}

/**
 * Sends a request and takes an answer of text, at most `MAX_TEXT_BYTES` long.
 * Rejects with an Error that says in words what went wrong. `onRequest` gets what can be closed; the promise never settles then.
 */
export function requestText(options: HttpOptions, onRequest?: (request: HttpRequest) => void): Promise<HttpText> {
	return new Promise((resolve, reject) => {
		// One buffer that doubles: a server may send its answer in chunks of one byte.
		let bytes: Uint8Array = new Uint8Array(1024);
		let length = 0;
		let status = 0;
		let location = "";
		const request = requestHttp(options, {
			onHead(head) {
				({ status, location } = head);
				return (head.length ?? 0) > MAX_TEXT_BYTES ? tooLong(head.length as number) : undefined;
			},
			onBody(piece) {
				const needed = length + piece.byteLength;
				if (needed > MAX_TEXT_BYTES) return tooLong(undefined);
				if (needed > bytes.byteLength) bytes = concatBytes(bytes, new Uint8Array(Math.max(needed, 2 * bytes.byteLength) - bytes.byteLength));
				bytes.set(piece, length);
				length = needed;
			},
			onDone(problem) {
				if (problem !== undefined) return reject(new Error(problem));
				resolve({ status, ...(location ? { location } : {}), text: new TextDecoder().decode(bytes.subarray(0, length)) });
			},
		});
		onRequest?.(request);
	});
}

function tooLong(bytes: number | undefined): string {
	return `the answer is too long: ${bytes === undefined ? "" : `${bytes} bytes, `}at most ${MAX_TEXT_BYTES} are read`;
}

/** Where a redirect leads. */
function resolveAddress(from: Url, location: string): string {
	if (location.includes("://")) return location;
	const origin = `http${from.secure ? "s" : ""}://${from.authority}`;
	if (location.startsWith("//")) return `http${from.secure ? "s" : ""}:${location}`;
	if (location.startsWith("/")) return origin + location;
	const query = from.path.indexOf("?");
	const folders = (query < 0 ? from.path : from.path.slice(0, query)).split("/").slice(1, -1);
	let rest = location;
	for (; rest.startsWith("../") || rest.startsWith("./"); rest = rest.slice(rest.indexOf("/") + 1)) if (rest.startsWith("../")) folders.pop();
	return [origin, ...folders, rest].join("/");
}

/** One request and its answer, on a connection of its own. */
class Exchange {
	readonly #url: Url;
	readonly #connection: ConnectionState;
	readonly #idle: Timeout;
	readonly #limit: Timeout;
	readonly #ending: Timeout;
	readonly #reader: ResponseReader;
	#callbacks: HttpCallbacks | undefined;
	#socket: SafeSocket | undefined;
	/** How much has come in the time that is being measured. */
	#paceBytes = 0;
	/** Why this side ended it. */
	#problem: string | undefined;

	constructor(url: Url, options: HttpOptions, callbacks: HttpCallbacks) {
		const { timers, timeoutMs } = options;
		this.#url = url;
		this.#callbacks = callbacks;
		this.#reader = new ResponseReader({
			onHead: (head) => this.#callbacks?.onHead(head),
			onBody: (bytes) => this.#callbacks?.onBody(bytes),
		});
		this.#idle = new Timeout(timers);
		this.#limit = new Timeout(timers);
		this.#ending = new Timeout(timers);
		const connection = new ConnectionState({ timers });
		this.#connection = connection;
		this.#restartIdle();
		if (timeoutMs !== undefined) this.#limit.set(timeoutMs, () => this.#end(`no whole answer within ${timeoutMs / 1000} s`));
		try {
			new NameLookup({ connection }).resolve({
				host: url.host,
				onResolved: (_, address) => this.#connect(address, options),
				onError: () => this.#end(undefined),
			});
		} catch (thrown) {
			this.#end(errorText(thrown));
		}
	}

	close(): void {
		this.#callbacks = undefined;
		for (const timer of [this.#idle, this.#limit, this.#ending]) timer.clear();
		this.#connection.close();
	}

	#connect(address: string, options: HttpOptions): void {
		const { host, port, secure } = this.#url;
		try {
			const parts = [requestBytes(this.#url, options), ...(options.parts ?? [])];
			this.#socket = new SafeSocket({
				...socketOptions(this.#connection, secure ? options.tls : undefined),
				address,
				host,
				port,
				onWritable: (count) => {
					this.#connection.stage = "open";
					// Not before there is room: what waits would be copied.
					for (let room = count; room > 0 && parts[0]; ) {
						const piece = parts[0].subarray(0, room);
						const rest = parts[0].subarray(piece.byteLength);
						if (rest.byteLength > 0) parts[0] = rest;
						else parts.shift();
						this.#restartIdle();
						room = this.#socket?.write(piece) ?? 0;
					}
				},
				onReadable: (count) => this.#readable(count),
				onError: () => this.#lost(),
			});
		} catch (thrown) {
			this.#end(errorText(thrown));
		}
	}

	#readable(count: number): void {
		const data = this.#socket?.read(count);
		if (typeof data !== "object" || this.#ending.pending) return;
		this.#paceBytes += count;
		if (this.#paceBytes >= HTTP_PACE_BYTES) this.#restartIdle();
		try {
			const problem = this.#reader.take(new Uint8Array(data));
			if (problem || this.#reader.complete) this.#end(problem);
		} catch (thrown) {
			this.#end(errorText(thrown));
		}
	}

	/** The end of the connection may be the answer's proper end. */
	#lost(): void {
		const problem = this.#connection.stage === "open" ? this.#reader.end() : undefined;
		if (problem) this.#connection.setReason(problem);
		this.#end(undefined);
	}

	/** The server is at work: its time starts again. */
	#restartIdle(): void {
		this.#paceBytes = 0;
		this.#idle.set(HTTP_IDLE_TIMEOUT_MS, () => {
			const { stage } = this.#connection;
			const seconds = HTTP_IDLE_TIMEOUT_MS / 1000;
			this.#end(
				stage !== "open"
					? `no connection within ${seconds} s, while ${stage}`
					: this.#paceBytes > 0
						? `the server sent only ${this.#paceBytes} bytes in ${seconds} s`
						: `the server sent nothing for ${seconds} s`,
			);
		});
	}

	/** Reported in a later turn: the socket may be in the middle of its own work. */
	#end(reason: string | undefined): void {
		if (reason !== undefined) this.#problem ??= oneLine(reason);
		if (this.#ending.pending || !this.#callbacks) return;
		this.#ending.set(0, () => {
			const callbacks = this.#callbacks;
			this.close();
			const problem = this.#problem ?? (this.#reader.complete ? undefined : (this.#connection.reason ?? lostReason(this.#connection, this.#url)));
			try {
				callbacks?.onDone(problem);
			} catch (thrown) {
				trace(`http: ${errorText(thrown)}\n`);
			}
		});
	}
}

function requestBytes({ authority, path }: Url, { method = "GET", headers = [], body, parts }: HttpOptions): Uint8Array {
	const content = utf8Bytes(body ?? "");
	const length = parts?.reduce((sum, { byteLength }) => sum + byteLength, 0) ?? content.byteLength;
	let head = `${method} ${path} HTTP/1.1\r\nhost: ${authority}\r\n`;
	for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
	head += "connection: close\r\n";
	if (body !== undefined || parts) head += `content-length: ${length}\r\n`;
	return concatBytes(utf8Bytes(`${head}\r\n`), content);
}
