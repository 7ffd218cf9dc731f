// Requests over HTTP and HTTPS, on Moddable's own HTTP client: bounded in size and time, with the reason of a failure in words.

import HttpClient from "embedded:network/http/client";
import TextDecoder from "text/decoder";
import Timer from "timer";
import { errorText, oneLine } from "../base/text.js";
import { parseHttpUrl, type Url } from "../net/address.js";
import { ConnectionState } from "../net/connection-state.js";
import { NameLookup } from "../net/name-lookup.js";
import { socketBelow, type TlsSettings } from "../tls/record-socket.js";
import { HttpSocket } from "./http-socket.js";
import type { HttpHead } from "./response-reader.js";

/** A server that sends less than `HTTP_PACE_BYTES` in this time is given up, unless that is the end of its answer. */
export const HTTP_IDLE_TIMEOUT_MS = 15_000;
export const HTTP_PACE_BYTES = 1024;
/** The longest body that `requestText` takes. */
export const MAX_TEXT_BYTES = 16_384;
/** How often a request is led to another address. */
const MAX_REDIRECTS = 5;

export interface HttpOptions {
	/** http:// or https://, host, perhaps a port, path and query. */
	readonly url: string;
	readonly method?: "GET" | "POST" | undefined;
	/** Beside `host`, `connection` and `content-length`. */
	readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
	/** What is sent, as text. */
	readonly body?: string | undefined;
	/** Needed for https://. */
	readonly tls?: TlsSettings | undefined;
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

interface ClientRequest {
	read(count?: number): ArrayBuffer | undefined;
	write(data: Uint8Array): number;
}

interface RequestOptions {
	method: string;
	path: string;
	headers: Map<string, string>;
	onReadable(this: ClientRequest, count: number): void;
	onWritable(this: ClientRequest, count: number): void;
	onDone(): void;
}

interface Client {
	request(options: RequestOptions): ClientRequest;
	close(): void;
}

interface LookupOptions {
	watch: ConnectionState;
	name: string;
}

interface ClientOptions {
	host: string;
	port: number;
	dns: { io: typeof HostLookup } & LookupOptions;
	socket: { io: typeof HttpSocket; [other: string]: unknown };
	onError(): void;
}

const SdkClient = HttpClient as unknown as new (options: ClientOptions) => Client;

/** The client puts its `host` into the header of that name, so it gets one with a port; what is looked up is without. */
class HostLookup {
	readonly #lookup: NameLookup;
	readonly #name: string;

	constructor({ watch, name }: LookupOptions) {
		this.#lookup = new NameLookup({ watch });
		this.#name = name;
	}

	resolve(request: Parameters<NameLookup["resolve"]>[0]): void {
		this.#lookup.resolve({
			host: this.#name,
			onResolved: (_, address) => request.onResolved(request.host, address),
			onError: () => request.onError(request.host),
		});
	}

	close(): void {
		this.#lookup.close();
	}
}

/**
 * Sends a request and hands on its answer as it comes. Redirects of a GET are followed.
 * @throws TypeError or RangeError at once for an address that can never work
 */
export function requestHttp(options: HttpOptions, callbacks: HttpCallbacks): HttpRequest {
	let exchange: Exchange | undefined;
	let redirects = 0;
	const open = (address: string) => {
		const url = parseHttpUrl(address);
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
					open(address);
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
		const pieces: Uint8Array[] = [];
		let bytes = 0;
		let status = 0;
		let location = "";
		const request = requestHttp(options, {
			onHead(head) {
				({ status, location } = head);
				return (head.length ?? 0) > MAX_TEXT_BYTES ? tooLong(head.length as number) : undefined;
			},
			onBody(piece) {
				bytes += piece.byteLength;
				if (bytes > MAX_TEXT_BYTES) return tooLong(undefined);
				pieces.push(piece);
			},
			onDone(problem) {
				if (problem !== undefined) return reject(new Error(problem));
				const whole = new Uint8Array(bytes);
				let at = 0;
				for (const piece of pieces) {
					whole.set(piece, at);
					at += piece.byteLength;
				}
				resolve({ status, ...(location ? { location } : {}), text: new TextDecoder().decode(whole) });
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
	readonly #watch: ConnectionState;
	#callbacks: HttpCallbacks | undefined;
	#client: Client | undefined;
	#idle: ReturnType<typeof Timer.set> | undefined;
	#limit: ReturnType<typeof Timer.set> | undefined;
	#ending: ReturnType<typeof Timer.set> | undefined;
	/** How much has come in the time that is being measured. */
	#paceBytes = 0;
	#complete = false;
	/** Why this side ended it. */
	#problem: string | undefined;

	constructor(url: Url, options: HttpOptions, callbacks: HttpCallbacks) {
		this.#url = url;
		this.#callbacks = callbacks;
		const watch = new ConnectionState(url.authority, () => false);
		this.#watch = watch;
		this.#touch();
		if (options.timeoutMs !== undefined) {
			this.#limit = Timer.set(() => {
				this.#limit = undefined;
				this.#end(`no whole answer within ${(options.timeoutMs as number) / 1000} s`);
			}, options.timeoutMs);
		}
		const { tls } = options;
		try {
			this.#client = new SdkClient({
				host: url.authority,
				port: url.port,
				dns: { io: HostLookup, watch, name: url.host },
				socket: {
					io: HttpSocket,
					...socketBelow(watch, url.secure ? tls : undefined),
					name: url.host,
					onBytes: (count: number) => {
						this.#paceBytes += count;
						if (this.#paceBytes >= HTTP_PACE_BYTES) this.#touch();
					},
					onHead: (head: HttpHead) => this.#callbacks?.onHead(head),
					onComplete: () => {
						this.#complete = true;
						this.#end(undefined);
					},
				},
				onError: () => this.#end(undefined),
			});
			this.#send(this.#client, options);
		} catch (thrown) {
			this.#end(errorText(thrown));
		}
	}

	close(): void {
		this.#callbacks = undefined;
		this.#release();
	}

	#send(client: Client, { method = "GET", headers = [], body }: HttpOptions): void {
		const bytes = body === undefined ? undefined : new Uint8Array(ArrayBuffer.fromString(body));
		const all = new Map<string, string>(headers);
		all.set("connection", "close");
		if (bytes) all.set("content-length", String(bytes.byteLength));
		let sent = 0;
		const exchange = this;
		client.request({
			method,
			path: this.#url.path,
			headers: all,
			onWritable(count) {
				if (!bytes || sent >= bytes.byteLength) return;
				const piece = bytes.subarray(sent, sent + count);
				sent += piece.byteLength;
				this.write(piece);
			},
			onReadable(count) {
				const data = count > 0 ? this.read(count) : undefined;
				if (data) exchange.#received(new Uint8Array(data));
			},
			onDone: () => this.#end(undefined),
		});
	}

	#received(bytes: Uint8Array): void {
		try {
			const problem = this.#callbacks?.onBody(bytes);
			if (problem) this.#end(problem);
		} catch (thrown) {
			this.#end(errorText(thrown));
		}
	}

	/** The server is at work: its time begins anew. */
	#touch(): void {
		this.#paceBytes = 0;
		if (this.#idle !== undefined) Timer.clear(this.#idle);
		this.#idle = Timer.set(() => {
			this.#idle = undefined;
			const { stage } = this.#watch;
			this.#end(
				stage === "open"
					? this.#paceBytes > 0
						? `the server sent only ${this.#paceBytes} bytes in ${HTTP_IDLE_TIMEOUT_MS / 1000} s`
						: `the server sent nothing for ${HTTP_IDLE_TIMEOUT_MS / 1000} s`
					: `no connection within ${HTTP_IDLE_TIMEOUT_MS / 1000} s, while ${stage}`,
			);
		}, HTTP_IDLE_TIMEOUT_MS);
	}

	/** The end is told in a later turn: this may be in the middle of the client's own work. */
	#end(reason: string | undefined): void {
		if (reason !== undefined) this.#problem ??= oneLine(reason);
		if (this.#ending !== undefined || !this.#callbacks) return;
		this.#ending = Timer.set(() => {
			this.#ending = undefined;
			const callbacks = this.#callbacks;
			this.#callbacks = undefined;
			this.#release();
			const problem = this.#problem ?? (this.#complete ? undefined : (this.#watch.reason ?? this.#lostReason()));
			try {
				callbacks?.onDone(problem);
			} catch (thrown) {
				trace(`http: ${errorText(thrown)}\n`);
			}
		}, 0);
	}

	#release(): void {
		for (const timer of [this.#idle, this.#limit, this.#ending]) if (timer !== undefined) Timer.clear(timer);
		this.#idle = this.#limit = this.#ending = undefined;
		const client = this.#client;
		this.#client = undefined;
		try {
			client?.close();
		} catch {
			// It is over anyway.
		}
		this.#watch.close();
	}

	#lostReason(): string {
		switch (this.#watch.stage) {
			case "looking up the name":
				return `no address found for ${this.#url.host}`;
			case "connecting":
				return `could not connect to ${this.#url.host}:${this.#url.port}`;
			case "waiting for TLS":
				return "the server ended the connection during the TLS handshake";
			default:
				return "the connection was lost";
		}
	}
}
