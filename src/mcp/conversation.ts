// One peer's JSON-RPC conversation with the server: its requests and notifications, method by method.

import { argumentsProblem, type Source } from "./arguments.js";
import { toJson } from "./content.js";
import { type Dialect, isFull, maxResultBytes } from "./dialect.js";
import type { Host, Peer, ResourceAnswer, Subscriber } from "./host.js";
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, idText, METHOD_NOT_FOUND, TOOL_FAILED, UNSUPPORTED_VERSION } from "./json-rpc.js";
import { JsonRpcWriter, type Outlet, type Request, type Verdict } from "./json-rpc-writer.js";
import { NO_RIGHTS, type Rights } from "./rights.js";
import { RunningCalls } from "./running-calls.js";
import { describe, isObject, utf8Length } from "./schema.js";
import { clip, describeError } from "./text.js";
import type { Tool, Vision } from "./tool.js";
import { sayError, sayFailure, ToolReply } from "./tool-reply.js";

/** The revisions that begin with `initialize`, oldest first. */
export const LEGACY_REVISIONS: readonly string[] = Object.freeze(["2024-11-05", "2025-06-18", "2025-11-25"]);
/** The revision without `initialize`: every request names it in `_meta`. */
export const MODERN_REVISION = "2026-07-28";

/** The revisions that a request may name, as JSON text: those before it are reached by `initialize`. */
const SUPPORTED = `["${MODERN_REVISION}"]`;

/** Where a request says its revision. */
export const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";
/** And what its client can do. */
export const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
/** The most `subscriptions/listen` requests of one peer that stay open. */
const MAX_SUBSCRIPTIONS = 4;
/** How long a client of the modern revision may keep a list, in milliseconds. */
const LIST_TTL_MS = 60_000;

export interface ConversationOptions {
	dialect: Dialect;
	/** Those of any peer where they are not given. */
	rights?: Rights | undefined;
	/** Receives what a maker wants to know about this peer; the server's log where it is not given. */
	log?: ((line: string) => void) | undefined;
}

/** A JSON object of the peer's. */
type Members = { [key: string]: unknown };

/** A request of the modern revision that stays open. */
interface Subscription {
	readonly request: Request;
	/** Does it want to know of changes of the list of tools? Otherwise of resources only. */
	readonly tools: boolean;
}

const { isArray } = Array;
const UNKNOWN_TOOL = "Unknown tool: ";
const NONE: readonly never[] = Object.freeze([]);

/** One peer's conversation. Made by `McpServer.open`. */
export class Conversation<B = unknown> implements Peer, Subscriber {
	/** The camera's upload address, if the peer gave one. */
	vision: Vision | undefined;
	private readonly host: Host<B>;
	private readonly dialect: Dialect;
	private readonly rights: Rights;
	private readonly log: (line: string) => void;
	private readonly writer: JsonRpcWriter;
	private readonly calls: RunningCalls<B>;
	private readonly outlet: Outlet;
	/** The modern revision's `subscriptions/listen` requests. */
	private subscriptions: readonly Subscription[] = NONE;
	/** The resources that are being read. */
	private reads: readonly Request[] = NONE;
	/** The revision of those requests that name none. */
	private revision = LEGACY_REVISIONS[0] as string;
	private listening = false;
	/** Has the peer asked in the modern revision only? Nothing comes to it unasked then. */
	private modernOnly = false;
	private askedLegacy = false;
	private open = true;

	constructor(host: Host<B>, options: ConversationOptions, outlet: Outlet) {
		this.host = host;
		this.dialect = options.dialect;
		this.rights = options.rights ?? NO_RIGHTS;
		this.log = options.log ?? host.log;
		this.outlet = outlet;
		this.writer = new JsonRpcWriter(outlet, this.log);
		this.calls = new RunningCalls(host);
	}

	/** Puts every message from now on between these texts. */
	setEnvelope(head: string, tail: string): void {
		this.writer.head = head;
		this.writer.end = `}}${tail}`;
	}

	/**
	 * Takes one parsed message. It never throws: an error is answered where there is an id to answer to, or where the dialect
	 * says so, and logged otherwise.
	 * @param reply takes what belongs to this request: its reply, its progress, its subscription; the conversation's own
	 * outlet where it is not given
	 * @param source the message as it came; without it an argument that nothing in the firmware knows goes unnoticed
	 */
	receive(message: unknown, reply = this.outlet, source?: Source): Verdict {
		if (!this.open) return "accepted";
		// As `isObject`, without a call.
		if (typeof message !== "object" || message === null || isArray(message))
			return this.refuse(INVALID_REQUEST, `a message must be an object, got ${describe(message)}`, reply);
		const { id: given, method } = message as Members;
		if (method === undefined && ((message as Members).result !== undefined || (message as Members).error !== undefined)) {
			this.log("mcp: ignored: a response to nothing that was asked");
			return "accepted";
		}
		if (given === undefined) {
			if (typeof method !== "string") return this.refuse(INVALID_REQUEST, "a message with neither id nor method", reply);
			this.notification(method, (message as Members).params);
			return "accepted";
		}
		const id = idText(given);
		if (id === undefined)
			return this.refuse(INVALID_REQUEST, `an id must be a whole number or a string of at most 128 bytes, got ${describe(given)}`, reply);
		const request: Request = { id, outlet: reply, revision: this.revision };
		try {
			this.dispatch(request, message as Members, method, source);
		} catch (error) {
			this.log(`mcp: ${describeError(error)}`);
			this.writer.error(request, INTERNAL_ERROR, "Internal error");
		}
		return request.verdict ?? "accepted";
	}

	/** Refuses a message that has no usable id: with an answer where the dialect has one, and a line in the log. */
	refuse(code: number, problem: string, reply = this.outlet): Verdict {
		this.log(`mcp: ignored: ${problem}`);
		if (this.open && this.dialect.answersWithoutId) this.writer.error({ id: "null", outlet: reply, revision: this.revision }, code, problem);
		return code;
	}

	/**
	 * Refuses a message that was past a limit and was not read: with an answer where its id was found, or the dialect has one without.
	 * @param id as JSON text; undefined where it was not found
	 */
	refuseUnread(id: string | undefined, problem: string): void {
		if (!this.open || (id === undefined && !this.dialect.answersWithoutId)) return;
		const request = { id: id ?? "null", outlet: this.outlet, revision: this.revision };
		this.writer.error(request, INVALID_REQUEST, `Refused: ${problem}`);
	}

	/** Has the peer asked for something that there was a result for? */
	get answered(): boolean {
		return this.writer.answered;
	}

	/**
	 * The peer takes notifications from now on; those that waited for one go out.
	 * @param listening false where it no longer does
	 */
	listen(listening = true): void {
		if (this.listening === listening || !this.open) return;
		this.listening = listening;
		if (listening) this.host.listens(this);
	}

	/**
	 * Sends a notification. One that a slow peer cannot take, or that is too large, is dropped and logged.
	 * @returns false when this peer does not listen: not yet, or never for such a thing (the modern revision)
	 */
	notify(method: string, params?: { readonly [key: string]: unknown }): boolean {
		if (!this.dialect.tellsEvents) return false;
		return this.push(method, params);
	}

	private push(method: string, params?: { readonly [key: string]: unknown }): boolean {
		if (!this.open || !this.listening || this.modernOnly) return false;
		this.writer.notification(method, params === undefined ? undefined : toJson(params));
		return true;
	}

	/** Tells the peer that the list of tools has changed, if it wants to know. */
	listChanged(): void {
		if (!this.open) return;
		const method = "notifications/tools/list_changed";
		for (const { request, tools } of this.subscriptions) if (tools) this.tell(method, "", request);
		this.push(method);
	}

	/** Sends what the peer has subscribed to; see `Subscriber`. */
	tell(method: string, params: string, key: object): void {
		if (!this.open) return;
		if (key !== this) {
			const { id, outlet } = key as Request;
			this.writer.notification(method, `{"_meta":{"${SUBSCRIPTION_KEY}":${id}}${params && `,${params}`}}`, outlet);
		} else if (this.listening && !this.modernOnly) this.writer.notification(method, `{${params}}`);
	}

	/** Nobody waits any more for what belongs to a request: its calls are cancelled and its subscription is forgotten. */
	drop(reply: Outlet): void {
		this.calls.drop(reply);
		this.forgetReads((request) => request.outlet === reply);
		this.unsubscribe(this.subscriptions.findIndex(({ request }) => request.outlet === reply));
	}

	/** Ends the conversation: subscriptions end, running calls are cancelled and their results dropped. May be called twice. */
	close(): void {
		if (!this.open) return;
		const subscriptions = this.subscriptions;
		this.subscriptions = NONE;
		for (const { request } of subscriptions) this.endSubscription(request);
		this.host.resources?.forget(this);
		this.open = false;
		this.reads = NONE;
		this.calls.close();
		this.host.closed(this);
	}

	private dispatch(request: Request, message: Members, method: unknown, source: Source | undefined): void {
		if (message.jsonrpc !== "2.0") return this.writer.error(request, INVALID_REQUEST, `jsonrpc must be "2.0", got ${describe(message.jsonrpc)}`);
		if (typeof method !== "string") return this.writer.error(request, INVALID_REQUEST, `method must be a string, got ${describe(method)}`);
		const params = (message.params ?? {}) as Members;
		// As `isObject`, without a call.
		if (typeof params !== "object" || isArray(params)) return this.invalidParams(request, `params must be an object, got ${describe(params)}`);
		const meta = params._meta;
		if (meta !== undefined && isObject(meta)) {
			const version = meta[VERSION_KEY];
			if (version !== undefined && (method !== "initialize" || version === MODERN_REVISION))
				return this.modern(request, version, method, params, meta, source);
		}
		this.askedLegacy = true;
		this.modernOnly = false;
		switch (method) {
			case "tools/call":
				if (!this.listening) this.listenLate();
				return this.call(request, params, source);
			case "tools/list":
				if (!this.listening) this.listenLate();
				return this.list(request, params, "");
			case "initialize":
				return this.initialize(request, params);
			case "ping":
				return this.writer.result(request, "");
			case "server/discover":
				return this.invalidParams(request, `_meta must have ${VERSION_KEY}`);
		}
		this.resources(request, method, params, "");
	}

	private modern(request: Request, version: unknown, method: string, params: Members, meta: Members, source: Source | undefined): void {
		if (version !== MODERN_REVISION) return this.unsupported(request, version);
		if (!isObject(meta[CAPABILITIES_KEY])) return this.invalidParams(request, `_meta must have ${CAPABILITIES_KEY}`);
		this.modernOnly = !this.askedLegacy;
		request.revision = MODERN_REVISION;
		request.suffix = `,"resultType":"complete","_meta":{${this.serverInfo}}`;
		const cacheable = `,"ttlMs":${LIST_TTL_MS},"cacheScope":"private"`;
		switch (method) {
			case "tools/call":
				return this.call(request, params, source);
			case "tools/list":
				return this.list(request, params, cacheable);
			case "subscriptions/listen":
				return this.subscribe(request, params);
			case "server/discover":
				return this.writer.result(
					request,
					`"supportedVersions":${SUPPORTED},"capabilities":`,
					this.capabilities(MODERN_REVISION),
					this.host.instructions,
					cacheable,
				);
		}
		// In the modern revision they are subscribed to by `subscriptions/listen`.
		if (method === "resources/subscribe" || method === "resources/unsubscribe") this.unknownMethod(request, method);
		else this.resources(request, method, params, cacheable);
	}

	/** @param cacheable members that the modern revision wants with what a client may keep */
	private resources(request: Request, method: string, params: Members, cacheable: string): void {
		const answer = this.host.resources?.answer(method, params, this);
		if (!answer) return this.unknownMethod(request, method);
		if (cacheable === "" && !this.listening) this.listenLate();
		if (!(answer instanceof Promise)) return this.answerResource(request, answer, cacheable);
		this.reads = [...this.reads, request];
		const settle = (say: () => void) => {
			// It may have been cancelled.
			if (!this.reads.includes(request)) return;
			this.forgetReads((other) => other === request);
			say();
		};
		answer.then(
			(later) => settle(() => this.answerResource(request, later, cacheable)),
			(error) => settle(() => this.writer.error(request, INTERNAL_ERROR, (error as Error).message)),
		);
	}

	private answerResource(request: Request, answer: ResourceAnswer, cacheable: string): void {
		if ("problem" in answer) return this.invalidParams(request, answer.problem);
		const { result, texts, cacheable: keeps } = answer;
		const end = keeps || cacheable === "" ? cacheable : ',"ttlMs":0,"cacheScope":"private"';
		let bytes = texts ? 0 : utf8Length(result);
		for (const text of texts ?? []) bytes += text.length;
		const maximum = maxResultBytes(this.dialect, request.revision) - this.writer.bytesAround(request);
		if (bytes > maximum) this.writer.error(request, INTERNAL_ERROR, `Too large: ${bytes} bytes, at most ${maximum} can be sent`);
		else if (texts) this.writer.resultTexts(request, result, texts, bytes, end);
		else this.writer.result(request, result, end);
	}

	/** As JSON text. */
	private capabilities(revision: string): string {
		const { capabilities } = this.dialect;
		const { resources } = this.host;
		return resources && isFull(this.dialect, revision) ? `${capabilities.slice(0, -1)}${resources.capability}}` : capabilities;
	}

	/** A client that never says `notifications/initialized` is ready all the same once it works. */
	private listenLate(): void {
		if (this.dialect.listensAfterInitialize) this.listen();
	}

	private subscribe(request: Request, params: Members): void {
		const { notifications } = params;
		if (!isObject(notifications)) return this.invalidParams(request, `notifications must be an object, got ${describe(notifications)}`);
		if (this.subscriptions.length >= MAX_SUBSCRIPTIONS)
			return this.writer.error(request, INTERNAL_ERROR, `Busy: ${MAX_SUBSCRIPTIONS} subscriptions are open`);
		const tools = notifications.toolsListChanged === true;
		const uris = this.host.resources?.listen(this, request, notifications) ?? "";
		const taken = [tools ? '"toolsListChanged":true' : "", uris].filter((member) => member).join(",");
		this.tell("notifications/subscriptions/acknowledged", `"notifications":{${taken}}`, request);
		if (taken) this.subscriptions = [...this.subscriptions, { request, tools }];
		else this.endSubscription(request);
	}

	/** Nothing comes of the reads that are meant. */
	private forgetReads(whether: (request: Request) => boolean): void {
		if (this.reads.length) this.reads = this.reads.filter((request) => !whether(request));
	}

	/** @param at its place among the subscriptions, below 0 for none */
	private unsubscribe(at: number): void {
		const gone = this.subscriptions[at];
		if (!gone) return;
		this.subscriptions = this.subscriptions.filter((subscription) => subscription !== gone);
		this.host.resources?.forget(gone.request);
	}

	/** Nothing follows: the device ends the subscription, or there was nothing that it could tell. */
	private endSubscription(request: Request): void {
		request.suffix = "";
		this.writer.result(request, `"resultType":"complete","_meta":{"${SUBSCRIPTION_KEY}":${request.id},${this.serverInfo}}`);
	}

	/** The member of `_meta` that says who the server is. */
	private get serverInfo(): string {
		return `"io.modelcontextprotocol/serverInfo":${this.host.serverInfo}`;
	}

	private initialize(request: Request, params: Members): void {
		const asked = params.protocolVersion;
		let revision = LEGACY_REVISIONS[0] as string;
		if (typeof asked === "string")
			for (let i = 1; i < LEGACY_REVISIONS.length && (LEGACY_REVISIONS[i] as string) <= asked; i++) revision = LEGACY_REVISIONS[i] as string;
		this.revision = revision;
		const vision = isObject(params.capabilities) ? params.capabilities.vision : undefined;
		if (isObject(vision) && typeof vision.url === "string")
			this.vision = { url: vision.url, token: typeof vision.token === "string" ? vision.token : "" };
		const { serverInfo, instructions } = this.host;
		const end = isFull(this.dialect, revision) ? serverInfo.concat(instructions) : serverInfo;
		this.writer.result(request, `"protocolVersion":"${revision}","capabilities":`, this.capabilities(revision), ',"serverInfo":', end);
	}

	private list(request: Request, params: Members, end: string): void {
		const cursor = params.cursor ?? "";
		if (typeof cursor !== "string") return this.invalidParams(request, `cursor must be a string, got ${describe(cursor)}`);
		const full = isFull(this.dialect, request.revision);
		const page = this.host.page(cursor, params.withUserTools === true && this.rights.userTools === true, this.dialect, full);
		if (page) this.writer.toolList(request, page, end);
		else this.invalidParams(request, `Unknown cursor: ${clip(cursor)}`);
	}

	private call(request: Request, params: Members, source: Source | undefined): void {
		const { name, _meta: meta } = params;
		const args = params.arguments ?? {};
		if (typeof name !== "string") return this.invalidParams(request, `name must be a string, got ${describe(name)}`);
		const { dialect, rights } = this;
		const { prefix } = dialect;
		const tool = prefix === "" ? this.host.find(name, rights.userTools) : this.findPrefixed(name, prefix, rights.userTools);
		if (!tool) return sayError(this.writer, dialect, request, dialect.unknownToolCode, UNKNOWN_TOOL + clip(name));
		const refused = rights.refusal?.(tool.name);
		if (refused !== undefined) return sayFailure(this.writer, dialect, request, TOOL_FAILED, refused);
		const problem =
			typeof args === "object" && !isArray(args)
				? argumentsProblem(tool.members, args as Members, dialect.strictArguments, source)
				: `arguments must be an object, got ${describe(args)}`;
		if (problem !== undefined) return sayFailure(this.writer, dialect, request, INVALID_PARAMS, problem);
		const call = new ToolReply(this.writer, dialect, request, tool);
		if (meta !== undefined && isObject(meta)) call.progressToken = idText(meta.progressToken);
		if (this.vision) call.vision = this.vision;
		this.calls.run(call, args as object);
	}

	/** A tool may be called by its name with the prefix, too. */
	private findPrefixed(name: string, prefix: string, withUserTools: boolean | undefined): Tool<B> | undefined {
		const own = name.startsWith(`${prefix}_`) ? this.host.find(`self${name.slice(prefix.length)}`, withUserTools) : undefined;
		return own ?? this.host.find(name, withUserTools);
	}

	private notification(method: string, params: unknown): void {
		if (method === "notifications/initialized") return this.listenLate();
		if (method !== "notifications/cancelled" || !isObject(params)) return;
		const id = idText(params.requestId);
		if (id === undefined) return;
		this.calls.cancel(id);
		this.forgetReads((request) => request.id === id);
		this.unsubscribe(this.subscriptions.findIndex(({ request }) => request.id === id));
	}

	/** The parameters do not fit. */
	private invalidParams(request: Request, problem: string): void {
		this.writer.error(request, INVALID_PARAMS, problem);
	}

	private unknownMethod(request: Request, method: string): void {
		this.writer.error(request, METHOD_NOT_FOUND, `Method not found: ${clip(method)}`);
	}

	private unsupported(request: Request, requested: unknown): void {
		const version = clip(String(requested));
		const data = `,"data":{"supported":${SUPPORTED},"requested":${JSON.stringify(version)}}`;
		this.writer.error(request, UNSUPPORTED_VERSION, `Unsupported protocol version: ${version}`, data);
	}
}
