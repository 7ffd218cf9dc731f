// MCP over Streamable HTTP, where the device is the server (modelcontextprotocol.io, basic/transports): revision 2026-07-28
// request by request, those before it in sessions that begin with initialize.

import { base64, utf8Bytes } from "../base/bytes.js";
import { randomText } from "../base/random-text.js";
import { Timeout } from "../base/timers.js";
import type { ListenerContext } from "../http/listener.js";
import type { HttpRequest } from "../http/request-reader.js";
import { type HttpAnswer, type HttpExchange, HttpServer, MAX_VISITORS, surround } from "../http/server.js";
import {
	CAPABILITIES_KEY,
	type Conversation,
	type ConversationOptions,
	LEGACY_REVISIONS,
	MODERN_REVISION,
	VERSION_KEY,
} from "../mcp/conversation.js";
import { STANDARD } from "../mcp/dialect.js";
import { HEADER_MISMATCH, INVALID_PARAMS, INVALID_REQUEST, idText, METHOD_NOT_FOUND, PARSE_ERROR, UNSUPPORTED_VERSION } from "../mcp/json-rpc.js";
import type { Outlet, TextMessage, Verdict } from "../mcp/json-rpc-writer.js";
import type { Rights } from "../mcp/rights.js";
import { isObject } from "../mcp/schema.js";
import type { McpServer } from "../mcp/server.js";
import Net from "../sdk/net.js";
import { MAX_INBOUND_BYTES } from "../transports/transport.js";
import { type JsonMessage, MessageParser, refusedId } from "./message-parser.js";
import type { SessionCallbacks } from "./session-manager.js";

/** Where the clients find it. */
export const MCP_PATH = "/mcp";
/** Sessions of the older revisions; the one that was used the longest ago makes room for the next. */
export const MAX_HTTP_SESSIONS = 3;
/** Streams that stay open: one visitor can always still ask. */
export const MAX_LASTING_STREAMS = MAX_VISITORS - 1;
/** A stream says so often that it is still there, by which a client that has gone is found out. */
export const KEEP_ALIVE_MS = 15_000;

/** A client that listens has a stream for it; until then there is nothing to listen with. */
const DIALECT = Object.freeze({ ...STANDARD, listensAfterInitialize: false });

const HEADERS: readonly string[] = Object.freeze([
	"accept",
	"authorization",
	"content-type",
	"host",
	"mcp-method",
	"mcp-name",
	"mcp-protocol-version",
	"mcp-session-id",
	"origin",
]);

const SESSION_ID_CHARACTERS = 24;
const RETRY: readonly [string, string] = Object.freeze(["retry-after", "5"]) as [string, string];

export interface HttpServiceOptions<B> extends Pick<ListenerContext, "doors"> {
	server: McpServer<B>;
	port: number;
	/** Has to come with each request, as `Authorization: Bearer <token>`. */
	token: string;
	/** What the peers may do; what any peer may where it is not given. */
	rights?: Rights | undefined;
	/** What the log calls it. */
	name: string;
	/** Where the log says that it is; the network's address where it is not given. */
	host?: string | undefined;
	log: (line: string) => void;
	/** Tells the network of the service, until `close`. */
	announce?: ((path: string) => { close(): void }) | undefined;
	/** Hears that the service goes up, with the first request that has a result, or down. */
	callbacks?: Partial<SessionCallbacks>;
}

/** A JSON object of the client's. */
type Members = { readonly [key: string]: unknown };

/** What begins with initialize. */
class Session<B> implements Outlet {
	readonly id = randomText(SESSION_ID_CHARACTERS);
	readonly conversation: Conversation<B>;
	/** The stream of a GET. */
	stream: Reply | undefined;
	/** Requests that wait for their answer. */
	open = 0;

	constructor(server: McpServer<B>, options: ConversationOptions) {
		this.conversation = server.open(options, this);
	}

	send(text: string): void {
		this.stream?.send(text);
	}

	congested(): boolean {
		return this.stream?.congested() ?? true;
	}
}

/** The service, from `start` to `close`. */
export class HttpService<B = unknown> {
	readonly #options: HttpServiceOptions<B>;
	readonly #parser = new MessageParser();
	readonly #keepAlive: Timeout;
	/** Those that begin with initialize, the one that was used the longest ago first. */
	readonly #sessions: Session<B>[] = [];
	readonly #streams: Reply[] = [];
	/** How many of the streams stay open until somebody ends them. */
	#lasting = 0;
	/** All clients of the modern revision. */
	#modern: Conversation<B> | undefined;
	#http: HttpServer | undefined;
	#announcement: { close(): void } | undefined;
	#ready = false;

	constructor(options: HttpServiceOptions<B>) {
		this.#options = options;
		this.#keepAlive = new Timeout(options.server.timers);
	}

	/** @throws Error when the port cannot be opened */
	start(): void {
		if (this.#http) return;
		const { announce, doors, host = Net.get("IP") ?? "127.0.0.1", log, name, port, rights, server } = this.#options;
		// Whoever is not listening to a subscription is told nothing.
		this.#modern = server.open({ dialect: DIALECT, rights, log, send() {} });
		this.#http = new HttpServer({
			timers: server.timers,
			log,
			doors,
			port,
			headers: HEADERS,
			maxBodyBytes: MAX_INBOUND_BYTES,
			onHead: (request) => this.#refusal(request),
			onRequest: (exchange) => this.#request(exchange),
		});
		this.#announcement = announce?.(MCP_PATH);
		log(`${name}: MCP clients find this device at http://${host}${port === 80 ? "" : `:${port}`}${MCP_PATH}`);
	}

	/** Ends subscriptions, sessions and connections. May be called twice. */
	close(): void {
		this.#announcement?.close();
		this.#announcement = undefined;
		this.#modern?.close();
		for (const session of [...this.#sessions]) this.#endSession(session);
		this.#http?.close();
		this.#http = undefined;
		this.#keepAlive.clear();
		if (this.#ready) this.#options.callbacks?.onReady?.(false);
		this.#ready = false;
	}

	/** Why a request is not even read. */
	#refusal({ method, path, header }: HttpRequest): HttpAnswer | undefined {
		const refuse = (status: number, body: string, ...headers: [string, string][]): HttpAnswer => ({
			status,
			body: `${body}\n`,
			headers: [["content-type", "text/plain; charset=utf-8"], ...headers],
		});
		if (path.split("?")[0] !== MCP_PATH) return refuse(404, `MCP is at ${MCP_PATH}`);
		const host = header("host") ?? "";
		const origin = header("origin");
		// Another site's page could reach this address under a name of that site (DNS rebinding).
		if (!isOwnName(host)) return refuse(403, "Host is not this device");
		if (origin !== undefined && origin !== `http://${host}`) return refuse(403, "Origin is not allowed");
		if (!sameText(header("authorization") ?? "", `Bearer ${this.#options.token}`))
			return refuse(401, "the token is missing or wrong", ["www-authenticate", 'Bearer realm="mcp"']);
		if (method !== "POST" && method !== "GET" && method !== "DELETE") return refuse(405, "POST, GET or DELETE", ["allow", "POST, GET, DELETE"]);
		if (method === "POST" && mediaType(header("content-type")) !== "application/json") return refuse(415, "Content-Type must be application/json");
		if (
			method === "POST" ? !accepts(header, "application/json") && !accepts(header, EVENT_STREAM) : method === "GET" && !accepts(header, EVENT_STREAM)
		)
			return refuse(406, `Accept must have application/json and ${EVENT_STREAM}`);
		return undefined;
	}

	#request(exchange: HttpExchange): void {
		const { method, header } = exchange.request;
		if (method !== "POST") return this.#sessionRequest(exchange);
		const parsed = this.#parser.parse(exchange.body, this.#options.server);
		if (!("value" in parsed)) {
			const id = parsed.refused ? refusedId(exchange.body) : undefined;
			return fail(exchange, 400, parsed.refused ? INVALID_REQUEST : PARSE_ERROR, `Refused: ${parsed.problem}`, id);
		}
		const message = parsed.value;
		if (!isObject(message)) return fail(exchange, 400, INVALID_REQUEST, "one message, an object, is taken at a time");
		const params = isObject(message.params) ? message.params : undefined;
		const meta = isObject(params?._meta) ? params._meta : undefined;
		const claimed = meta?.[VERSION_KEY];
		const version = header("mcp-protocol-version");
		// A malformed claim of initialize's is none.
		const isModern = claimed !== undefined && (message.method !== "initialize" || claimed === MODERN_REVISION);
		if (isModern || version === MODERN_REVISION) this.#modernRequest(exchange, message, parsed, params, meta);
		else this.#legacyRequest(exchange, message, parsed);
	}

	#modernRequest(exchange: HttpExchange, message: Members, source: JsonMessage, params: Members | undefined, meta: Members | undefined): void {
		const { header } = exchange.request;
		const { id, method } = message;
		if (id === undefined || typeof method !== "string") {
			// A request ends with its connection, and nothing else is told by a notification.
			if (id === undefined && typeof method === "string") return exchange.answer({ status: 202 });
			return fail(exchange, 400, INVALID_REQUEST, "a request needs a method and an id", idText(id));
		}
		const claimed = meta?.[VERSION_KEY];
		const problem = headerProblem(header, method, params, claimed);
		if (problem !== undefined) return fail(exchange, 400, HEADER_MISMATCH, problem, idText(id));
		// Its own name says more about a revision that is not spoken.
		const missing = claimed === undefined ? VERSION_KEY : claimed === MODERN_REVISION && !isObject(meta?.[CAPABILITIES_KEY]) ? CAPABILITIES_KEY : "";
		if (missing) return fail(exchange, 400, INVALID_PARAMS, `_meta must have ${missing}`, idText(id));
		const lasts = method === "subscriptions/listen";
		if (lasts && !accepts(header, EVENT_STREAM)) return exchange.answer({ status: 406 });
		if (lasts && this.#lasting >= MAX_LASTING_STREAMS) return exchange.answer({ status: 503, headers: [RETRY] });
		const conversation = this.#modern as Conversation<B>;
		const reply = this.#reply(exchange, lasts);
		exchange.onGone = () => {
			reply.end();
			conversation.drop(reply);
		};
		const verdict = conversation.receive(message, reply, source);
		reply.settle(typeof verdict === "number" ? (STATUS_OF_ERROR.find(([code]) => code === verdict)?.[1] ?? 200) : 200);
		this.#heard(verdict);
	}

	#legacyRequest(exchange: HttpExchange, message: Members, source: JsonMessage): void {
		const { header } = exchange.request;
		const version = header("mcp-protocol-version");
		if (version !== undefined && !LEGACY_REVISIONS.includes(version))
			return fail(exchange, 400, INVALID_REQUEST, `Unsupported protocol version: ${version.slice(0, 32)}`, idText(message.id));
		const begins = message.method === "initialize" && header("mcp-session-id") === undefined;
		const session = begins ? this.#beginSession() : this.#sessionOf(exchange, message.id);
		if (!session) {
			if (begins) exchange.answer({ status: 503, headers: [RETRY] });
			return;
		}
		session.open++;
		const reply = this.#reply(exchange, false, begins ? [["mcp-session-id", session.id]] : []);
		reply.onOver = () => session.open--;
		exchange.onGone = () => reply.end();
		const verdict = session.conversation.receive(message, reply, source);
		if (message.id === undefined || message.method === undefined) reply.accept(typeof verdict === "number" ? 400 : 202);
		else reply.settle(200);
		if (begins && verdict !== "answered") this.#endSession(session);
		this.#heard(verdict);
	}

	/** GET listens, DELETE ends the session. */
	#sessionRequest(exchange: HttpExchange): void {
		const session = this.#sessionOf(exchange, undefined);
		if (!session) return;
		if (exchange.request.method === "DELETE") {
			exchange.answer({ status: 204 });
			return this.#endSession(session);
		}
		if (session.stream) return exchange.answer({ status: 409 });
		if (this.#lasting >= MAX_LASTING_STREAMS) return exchange.answer({ status: 503, headers: [RETRY] });
		const stream = this.#reply(exchange, true);
		session.stream = stream;
		stream.onOver = () => {
			session.stream = undefined;
			session.conversation.listen(false);
		};
		exchange.onGone = () => stream.end();
		stream.begin();
		session.conversation.listen();
	}

	/** The session that a request names, as the one that was used last; without one the request is answered here. */
	#sessionOf(exchange: HttpExchange, id: unknown): Session<B> | undefined {
		const given = exchange.request.header("mcp-session-id");
		const at = this.#sessions.findIndex((session) => session.id === given);
		const [session] = at < 0 ? [] : this.#sessions.splice(at, 1);
		if (session) this.#sessions.push(session);
		else if (given !== undefined) fail(exchange, 404, INVALID_REQUEST, "Session not found", idText(id));
		else fail(exchange, 400, INVALID_REQUEST, `begin with initialize, or send _meta of ${MODERN_REVISION}`, idText(id));
		return session;
	}

	/** Undefined when all sessions are in use. */
	#beginSession(): Session<B> | undefined {
		const { log, rights, server } = this.#options;
		if (this.#sessions.length >= MAX_HTTP_SESSIONS) {
			const idle = this.#sessions.find(({ open, stream }) => open === 0 && !stream);
			if (!idle) return undefined;
			this.#endSession(idle);
		}
		const session = new Session(server, { dialect: DIALECT, rights, log });
		this.#sessions.push(session);
		return session;
	}

	#endSession(session: Session<B>): void {
		const at = this.#sessions.indexOf(session);
		if (at >= 0) this.#sessions.splice(at, 1);
		session.conversation.close();
		session.stream?.end();
	}

	#reply(exchange: HttpExchange, lasts: boolean, headers: readonly (readonly [string, string])[] = []): Reply {
		const reply: Reply = new Reply(exchange, headers, (streams) => {
			const at = this.#streams.indexOf(reply);
			if (at >= 0) this.#streams.splice(at, 1);
			if (lasts && streams !== at >= 0) this.#lasting += streams ? 1 : -1;
			if (streams) this.#streams.push(reply);
			if (this.#streams.length === 0) this.#keepAlive.clear();
			else if (!this.#keepAlive.pending) this.#breathe();
		});
		return reply;
	}

	#breathe(): void {
		this.#keepAlive.set(KEEP_ALIVE_MS, () => {
			for (const stream of [...this.#streams]) stream.breathe();
			if (this.#streams.length > 0) this.#breathe();
		});
	}

	/** Anybody can send something; a result is for a client that can use the device. */
	#heard(verdict: Verdict): void {
		if (this.#ready || verdict !== "answered") return;
		this.#ready = true;
		this.#options.callbacks?.onReady?.(true);
	}
}

/** The reply to one request: JSON where it is all there is to say, else a stream of events. */
class Reply implements Outlet {
	/** Called once when nothing more is said. */
	onOver: (() => void) | undefined;
	readonly #exchange: HttpExchange;
	readonly #headers: readonly (readonly [string, string])[];
	readonly #onStream: (streams: boolean) => void;
	#state: "receiving" | "waiting" | "streaming" | "over" = "receiving";
	/** A reply that came at once: its status is not known yet. */
	#held: string | TextMessage | undefined;

	constructor(exchange: HttpExchange, headers: readonly (readonly [string, string])[], onStream: (streams: boolean) => void) {
		this.#exchange = exchange;
		this.#headers = headers;
		this.#onStream = onStream;
	}

	congested(): boolean {
		return this.#exchange.congested;
	}

	send(text: string, isReply = false): void {
		if (isReply) return this.#last(text);
		if (this.#state !== "streaming" && accepts(this.#exchange.request.header, EVENT_STREAM)) this.begin();
		this.#event(text);
	}

	sendTexts(message: TextMessage): void {
		this.#last(message);
	}

	/** Begins the stream. */
	begin(): void {
		if (this.#state !== "receiving" && this.#state !== "waiting") return;
		this.#state = "streaming";
		this.#exchange.begin({ status: 200, headers: [["content-type", EVENT_STREAM], ["cache-control", "no-cache"], ...this.#headers] });
		this.#onStream(true);
	}

	/** The request has been taken in; what was answered at once goes out with this status. */
	settle(status: number): void {
		if (this.#state !== "receiving") return;
		this.#state = "waiting";
		if (this.#held !== undefined) this.#answer(status, this.#held);
	}

	/** There is nothing to reply to, or to a message that cannot be read. */
	accept(status: number): void {
		if (this.#held !== undefined) return this.settle(status);
		if (this.#state !== "receiving") return;
		this.#exchange.answer({ status });
		this.#over();
	}

	/** A comment, which says that the stream is still there. */
	breathe(): void {
		if (this.#state === "streaming") this.#exchange.write(":\n\n");
	}

	/** Nothing more is said. May be called twice. */
	end(): void {
		if (this.#state === "over") return;
		this.#exchange.end();
		this.#over();
	}

	#last(message: string | TextMessage): void {
		switch (this.#state) {
			case "receiving":
				this.#held = message;
				break;
			case "waiting":
				this.#answer(200, message);
				break;
			case "streaming":
				this.#event(message);
				this.end();
		}
	}

	#event(message: string | TextMessage): void {
		if (this.#state !== "streaming") return;
		this.#exchange.write(typeof message === "string" ? EVENT.concat(message, "\n\n") : surround(EVENT, message, "\n\n"));
	}

	#answer(status: number, body: string | TextMessage): void {
		// A client that takes nothing but events gets one.
		if (!accepts(this.#exchange.request.header, "application/json")) {
			this.begin();
			this.#event(body);
			return this.end();
		}
		this.#exchange.answer({ status, headers: [["content-type", "application/json"], ...this.#headers], body });
		this.#over();
	}

	#over(): void {
		const streamed = this.#state === "streaming";
		this.#state = "over";
		if (streamed) this.#onStream(false);
		this.onOver?.();
	}
}

const EVENT_STREAM = "text/event-stream";
const EVENT = "event: message\ndata: ";

/** What a refused request of the modern revision is answered with; other errors are 200. */
const STATUS_OF_ERROR: readonly (readonly [code: number, status: number])[] = Object.freeze([
	Object.freeze([PARSE_ERROR, 400] as const),
	Object.freeze([INVALID_REQUEST, 400] as const),
	Object.freeze([METHOD_NOT_FOUND, 404] as const),
	Object.freeze([UNSUPPORTED_VERSION, 400] as const),
]);

/**
 * Answers with an error that no conversation has seen.
 * @param id as JSON text
 */
function fail(exchange: HttpExchange, status: number, code: number, message: string, id = "null"): void {
	const text = `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`;
	exchange.answer({ status, headers: [["content-type", "application/json"]], body: text });
}

/** How the headers of a modern request contradict its body; undefined where they do not. */
function headerProblem(header: HttpRequest["header"], method: string, params: Members | undefined, claimed: unknown): string | undefined {
	const version = header("mcp-protocol-version");
	if (version === undefined || (claimed !== undefined && version !== claimed))
		return `MCP-Protocol-Version is ${version === undefined ? "missing" : "another one than in _meta"}`;
	if (claimed === undefined && method === "initialize") return `initialize is not of ${MODERN_REVISION}`;
	const named = header("mcp-method");
	if (named !== method) return `Mcp-Method is ${named === undefined ? "missing" : "another one than in the body"}`;
	const name = method === "tools/call" || method === "prompts/get" ? params?.name : method === "resources/read" ? params?.uri : undefined;
	if (typeof name !== "string") return undefined;
	const given = header("mcp-name");
	if (given === name || given === `=?base64?${base64(utf8Bytes(name))}?=`) return undefined;
	return `Mcp-Name is ${given === undefined ? "missing" : "another one than in the body"}`;
}

/** Does the client take this type? One that does not say takes all. */
function accepts(header: HttpRequest["header"], type: string): boolean {
	const accept = header("accept")?.toLowerCase();
	return accept === undefined || accept.includes(type) || accept.includes("*/*") || accept.includes(`${type.split("/")[0]}/*`);
}

function mediaType(contentType: string | undefined): string {
	return contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Rebinding needs a name of the attacker's; an address or a name of the local network is none. */
function isOwnName(host: string): boolean {
	return /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:]+\]|localhost|[a-z0-9-]{1,63}\.local)(:\d{1,5})?$/i.test(host);
}

/** Compares in a time that tells nothing about where the difference is. */
function sameText(given: string, wanted: string): boolean {
	let difference = given.length ^ wanted.length;
	for (let i = 0; i < wanted.length; i++) difference |= (given.charCodeAt(i) || 0) ^ wanted.charCodeAt(i);
	return difference === 0;
}
