// One peer's JSON-RPC conversation with the server: requests in, replies and notifications out.

import { ContentItem, ToolError, toContent, toData, toJson } from "./content.js";
import type { Dialect } from "./dialect.js";
import { BUSY, INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, idText, METHOD_NOT_FOUND, TOOL_FAILED, UNSUPPORTED_VERSION } from "./json-rpc.js";
import { checkMembers, describe, isObject, utf8Length } from "./schema.js";
import type { McpServer } from "./server.js";
import type { CallContext, Tool } from "./tool.js";

/** The revisions that begin with `initialize`, oldest first. */
export const LEGACY_REVISIONS: readonly string[] = Object.freeze(["2024-11-05", "2025-06-18", "2025-11-25"]);
/** The revision without `initialize`: every request names it in `_meta`. */
export const MODERN_REVISION = "2026-07-28";
/** No message that goes out is longer than this, in bytes of UTF-8; some backends close past it. */
export const MAX_OUTBOUND_BYTES = 8192;

/** The most calls of one device that wait for a promise at a time. */
export const MAX_RUNNING_CALLS = 8;

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
/** The most `subscriptions/listen` requests of one peer that stay open. */
const MAX_SUBSCRIPTIONS = 4;
/** What of `MAX_OUTBOUND_BYTES` is left for what stands around the data of a call outside of JSON-RPC. */
const AROUND_DATA_BYTES = 320;
/** How long a client of the modern revision may keep a list, in milliseconds. */
const LIST_TTL_MS = 60_000;

export interface ConversationOptions {
	dialect: Dialect;
	/** Sends one message, the whole text of it. */
	send(text: string): void;
	/**
	 * Sends one message whose texts are one after the other, most of them in flash; without it `send` gets them joined.
	 * @param byteLength of all of them in UTF-8
	 */
	sendTexts?(texts: readonly string[], byteLength: number): void;
	/** Is the way out so full that only replies should be added? Notifications are dropped then. */
	congested?(): boolean;
	/** The list of tools is another one now. */
	onListChanged?(): void;
}

/** What became of a call outside of JSON-RPC. */
export type CallOutcome =
	| {
			/** What the tool returned, as JSON text. */
			readonly data: string;
	  }
	| {
			/** Why it failed: one sentence. */
			readonly error: string;
	  };

/** Where the peer's camera pictures go, from `initialize` (seeds 000, 002, 004). */
export interface Vision {
	readonly url: string;
	readonly token: string;
}

/** A request on its way to its reply. */
interface Request {
	/** The id as JSON text. */
	readonly id: string;
	/** What every result of this request's revision ends with, as JSON members that begin with a comma. */
	readonly suffix: string;
	/** The revision that the peer speaks. */
	readonly revision: string;
	/** Takes the outcome of a call that did not come by JSON-RPC. */
	readonly answer?: (outcome: CallOutcome) => void;
}

/** One peer's conversation. Made by `McpServer.open`. */
export class Conversation<B = unknown> {
	/** What stands before each payload on the wire: the envelope's opening, or "". */
	head = "";
	/** What stands after each payload. */
	tail = "";
	/** The camera's upload address, if the peer gave one. */
	vision: Vision | undefined;
	readonly #server: McpServer<B>;
	readonly #options: ConversationOptions;
	readonly #onClose: () => void;
	readonly #calls: RunningCall<B>[] = [];
	/** The ids of the modern revision's `subscriptions/listen` requests for changes of the list, as JSON text. */
	readonly #subscriptions: string[] = [];
	#revision = LEGACY_REVISIONS[0] as string;
	#listening = false;
	#listedUserTools = false;
	#open = true;

	constructor(server: McpServer<B>, options: ConversationOptions, onClose: () => void) {
		this.#server = server;
		this.#options = options;
		this.#onClose = onClose;
	}

	/**
	 * Takes one parsed message. It never throws: what is wrong is answered where there is an id to answer to, and
	 * logged otherwise.
	 */
	receive(message: unknown): void {
		if (!this.#open) return;
		if (!isObject(message)) return this.#ignore(`a message must be an object, got ${describe(message)}`);
		const { method } = message;
		if (method === undefined && (message.result !== undefined || message.error !== undefined))
			return this.#ignore("a response to nothing that was asked");
		if (message.id === undefined) {
			if (typeof method === "string") this.#notification(method, message.params);
			else this.#ignore("a message with neither id nor method");
			return;
		}
		const id = idText(message.id);
		if (id === undefined) return this.#ignore(`an id must be a number or a text of at most 128 bytes, got ${describe(message.id)}`);
		let request: Request = { id, suffix: "", revision: this.#revision };
		try {
			if (message.jsonrpc !== "2.0") return this.#fail(request, INVALID_REQUEST, `jsonrpc must be "2.0", got ${describe(message.jsonrpc)}`);
			if (typeof method !== "string") return this.#fail(request, INVALID_REQUEST, `method must be a text, got ${describe(method)}`);
			const params = message.params ?? {};
			if (!isObject(params)) return this.#fail(request, INVALID_PARAMS, `params must be an object, got ${describe(params)}`);
			const meta = params._meta;
			const version = isObject(meta) && method !== "initialize" ? meta[VERSION_KEY] : undefined;
			if (version !== undefined) {
				if (version !== MODERN_REVISION) return this.#unsupported(request, version);
				if (!isObject((meta as { [key: string]: unknown })[CAPABILITIES_KEY]))
					return this.#fail(request, INVALID_PARAMS, `_meta must have ${CAPABILITIES_KEY}`);
				this.#revision = MODERN_REVISION;
				request = {
					id,
					revision: MODERN_REVISION,
					suffix: `,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":${this.#server.serverInfo}}`,
				};
			} else if (this.#revision === MODERN_REVISION && method !== "initialize")
				return this.#fail(request, INVALID_PARAMS, `_meta must have ${VERSION_KEY}`);
			this.#dispatch(request, method, params, isObject(meta) ? meta : undefined);
		} catch (error) {
			this.#server.log(`mcp: ${describeError(error)}`);
			this.#fail(request, INTERNAL_ERROR, "Internal error");
		}
	}

	/**
	 * Calls a tool for a peer that does not speak JSON-RPC, with everything that `tools/call` does: the arguments are
	 * checked, the time is limited. It never throws.
	 * @param args an object; undefined and null are taken for an empty one
	 * @param answer is called once, perhaps at once; not after `close`
	 */
	call(name: unknown, args: unknown, answer: (outcome: CallOutcome) => void): void {
		if (!this.#open) return;
		const request: Request = { id: "", suffix: "", revision: this.#revision, answer };
		try {
			this.#call(request, { name, arguments: args ?? undefined }, undefined);
		} catch (error) {
			this.#server.log(`mcp: ${describeError(error)}`);
			this.#fail(request, INTERNAL_ERROR, "Internal error");
		}
	}

	/** The peer takes notifications from now on; those that waited for one go out. */
	listen(): void {
		if (this.#listening || !this.#open) return;
		this.#listening = true;
		this.#server.listens(this);
	}

	/**
	 * Sends a notification. One that a slow peer cannot take, or that is too large, is dropped and logged.
	 * @returns false when this peer does not listen: not yet, or never for such a thing (the modern revision)
	 */
	notify(method: string, params?: { readonly [key: string]: unknown }): boolean {
		if (!this.#open || !this.#listening || this.#revision === MODERN_REVISION) return false;
		this.#notify(method, params === undefined ? undefined : toJson(params));
		return true;
	}

	/** Tells the peer that the list of tools is another one now, if it wants to know. */
	listChanged(): void {
		if (!this.#open) return;
		this.#options.onListChanged?.();
		for (const id of this.#subscriptions) this.#notify("notifications/tools/list_changed", `{"_meta":{"${SUBSCRIPTION_KEY}":${id}}}`);
		this.notify("notifications/tools/list_changed");
	}

	/** Ends the conversation: running calls are cancelled and their results dropped. May be called twice. */
	close(): void {
		if (!this.#open) return;
		this.#open = false;
		for (const call of [...this.#calls]) call.cancel();
		this.#onClose();
	}

	#dispatch(request: Request, method: string, params: { [key: string]: unknown }, meta: { [key: string]: unknown } | undefined): void {
		const modern = request.revision === MODERN_REVISION;
		switch (method) {
			case "tools/call":
				if (!modern) this.#listenLate();
				return this.#call(request, params, meta);
			case "tools/list":
				if (!modern) this.#listenLate();
				return this.#list(request, params, modern);
			case "initialize":
				return this.#initialize(request, params);
			case "subscriptions/listen":
				if (modern) return this.#subscribe(request, params);
				break;
			case "ping":
				if (!modern) return this.#reply(request, "");
				break;
			case "server/discover":
				if (!modern) return this.#fail(request, INVALID_PARAMS, `_meta must have ${VERSION_KEY}`);
				return this.#reply(
					request,
					`"supportedVersions":${JSON.stringify([MODERN_REVISION, ...LEGACY_REVISIONS])},"capabilities":`,
					this.#options.dialect.capabilities,
					`,"ttlMs":${LIST_TTL_MS},"cacheScope":"private"`,
				);
		}
		this.#fail(request, METHOD_NOT_FOUND, `Method not found: ${clip(method)}`);
	}

	/** A client that never says `notifications/initialized` is ready all the same once it works. */
	#listenLate(): void {
		if (this.#options.dialect.listensAfterInitialize) this.listen();
	}

	#subscribe(request: Request, params: { [key: string]: unknown }): void {
		const { notifications } = params;
		if (!isObject(notifications)) return this.#fail(request, INVALID_PARAMS, `notifications must be an object, got ${describe(notifications)}`);
		if (this.#subscriptions.length >= MAX_SUBSCRIPTIONS) return this.#fail(request, BUSY, `Busy: ${MAX_SUBSCRIPTIONS} subscriptions are open`);
		const wanted = notifications.toolsListChanged === true;
		if (wanted) this.#subscriptions.push(request.id);
		this.#notify(
			"notifications/subscriptions/acknowledged",
			`{"_meta":{"${SUBSCRIPTION_KEY}":${request.id}},"notifications":${wanted ? '{"toolsListChanged":true}' : "{}"}}`,
		);
	}

	#initialize(request: Request, params: { [key: string]: unknown }): void {
		const asked = params.protocolVersion;
		let revision = LEGACY_REVISIONS[0] as string;
		if (typeof asked === "string") for (const known of LEGACY_REVISIONS) if (known <= asked) revision = known;
		this.#revision = revision;
		const vision = isObject(params.capabilities) ? params.capabilities.vision : undefined;
		if (isObject(vision) && typeof vision.url === "string")
			this.vision = { url: vision.url, token: typeof vision.token === "string" ? vision.token : "" };
		this.#reply(
			request,
			'"protocolVersion":"',
			revision,
			`","capabilities":${this.#options.dialect.capabilities},"serverInfo":`,
			this.#server.serverInfo,
		);
	}

	#list(request: Request, params: { [key: string]: unknown }, modern: boolean): void {
		const cursor = params.cursor ?? "";
		if (typeof cursor !== "string") return this.#fail(request, INVALID_PARAMS, `cursor must be a text, got ${describe(cursor)}`);
		const withUserTools = params.withUserTools === true;
		if (withUserTools) this.#listedUserTools = true;
		const page = this.#server.page(cursor, withUserTools);
		if (!page) return this.#fail(request, INVALID_PARAMS, `Unknown cursor: ${clip(cursor)}`);
		const head = this.head.concat('{"jsonrpc":"2.0","id":', request.id, ',"result":{"tools":[');
		const end = modern ? `,"ttlMs":${LIST_TTL_MS},"cacheScope":"private"` : "";
		const tail = (page.next ? `],"nextCursor":"${page.next}"` : "]").concat(end, request.suffix, "}}", this.tail);
		const texts = [head, ...page.texts, tail];
		if (this.#options.sendTexts) this.#options.sendTexts(texts, utf8Length(head) + page.bytes + utf8Length(tail));
		else this.#options.send(texts.join(""));
	}

	#call(request: Request, params: { [key: string]: unknown }, meta: { [key: string]: unknown } | undefined): void {
		const { name } = params;
		if (typeof name !== "string") return this.#fail(request, INVALID_PARAMS, `name must be a text, got ${describe(name)}`);
		const tool = this.#server.find(name);
		const { dialect } = this.#options;
		if (!tool || (!dialect.userToolsCallable && !this.#listedUserTools && this.#server.isUserOnly(tool)))
			return this.#fail(request, dialect.unknownToolCode, `Unknown tool: ${clip(name)}`);
		const args = params.arguments ?? {};
		const problem = isObject(args) ? checkMembers(tool.members, args, "Argument ") : `arguments must be an object, got ${describe(args)}`;
		if (problem) return this.#refuse(request, problem);
		if (this.#server.running >= MAX_RUNNING_CALLS) return this.#toolFailed(request, BUSY, `Busy: ${MAX_RUNNING_CALLS} calls are running, try again`);

		const call = new RunningCall(this, request, tool, meta?.progressToken);
		let value: unknown;
		try {
			value = tool.call(args as never, this.#server.board, call);
			if (!isThenable(value)) return call.returned(value);
		} catch (error) {
			return call.failed(error);
		}
		const { timers } = this.#server;
		this.#calls.push(call);
		this.#server.countRunning(1);
		call.timer = timers.set(() => call.expire(), tool.timeLimitMs);
		Promise.resolve(value).then(
			(result) => call.returned(result),
			(error) => call.failed(error),
		);
	}

	/** @internal A call is over: whatever comes later of it is dropped. */
	finish(call: RunningCall<B>): void {
		const at = this.#calls.indexOf(call);
		if (at < 0) return;
		this.#calls.splice(at, 1);
		this.#server.countRunning(-1);
		this.#server.timers.clear(call.timer);
	}

	/** @internal */
	logError(where: string, error: unknown): void {
		this.#server.log(`mcp: ${where}: ${describeError(error)}`);
	}

	/** @internal */
	callReturned(request: Request, tool: Tool<B>, value: unknown): void {
		if (request.answer) return this.#answer(request, tool, value);
		let items: string;
		let structured = "";
		try {
			const content = toContent(value, this.#options.dialect.guardsAction);
			items = content.items;
			if (tool.output) {
				const problem = isObject(value) ? checkMembers(tool.output, value, "", false) : `an object was expected, got ${describe(value)}`;
				if (problem) throw new TypeError(`its result does not fit its outputSchema: ${problem}`);
				structured = `,"structuredContent":${content.structured}`;
			}
		} catch (error) {
			return this.callFailed(request, tool, error);
		}
		const around = this.head.length + this.tail.length + request.id.length + request.suffix.length + 80;
		if ((items.length + structured.length + around) * 3 > MAX_OUTBOUND_BYTES) {
			const bytes = utf8Length(items) + utf8Length(structured) + around * 3;
			if (bytes > MAX_OUTBOUND_BYTES) return this.#tooLarge(request, tool, bytes);
		}
		this.#reply(request, '"content":[', items, structured ? `]${structured},"isError":false` : '],"isError":false');
	}

	#answer(request: Request, tool: Tool<B>, value: unknown): void {
		let data: string;
		try {
			data = toData(value);
		} catch (error) {
			return this.callFailed(request, tool, error);
		}
		const bytes = utf8Length(data);
		if (bytes > MAX_OUTBOUND_BYTES - AROUND_DATA_BYTES) return this.#tooLarge(request, tool, bytes);
		if (this.#open) request.answer?.({ data });
	}

	#tooLarge(request: Request, tool: Tool<B>, bytes: number): void {
		this.#toolFailed(
			request,
			TOOL_FAILED,
			`The result of ${tool.name} is too large: about ${bytes} bytes, at most ${MAX_OUTBOUND_BYTES} can be sent`,
		);
	}

	/** @internal */
	callFailed(request: Request, tool: Tool<B>, error: unknown): void {
		if (error instanceof ToolError) return this.#toolFailed(request, TOOL_FAILED, clip(error.message, 200));
		this.#server.log(`mcp: tool ${tool.name}: ${describeError(error)}`);
		this.#toolFailed(request, INTERNAL_ERROR, `${tool.name} failed: ${clip(error instanceof Error ? error.message : String(error), 160)}`);
	}

	/** @internal */
	callExpired(request: Request, tool: Tool<B>): void {
		this.#server.log(`mcp: tool ${tool.name}: no result within ${tool.timeLimitMs} ms`);
		this.#toolFailed(request, TOOL_FAILED, `${tool.name} gave no result within ${tool.timeLimitMs / 1000} seconds`);
	}

	/** @internal */
	progress(token: string, done: number, total: number | undefined, message: string | undefined): void {
		const parts = `${total === undefined ? "" : `,"total":${total}`}${message === undefined ? "" : `,"message":${JSON.stringify(clip(message, 200))}`}`;
		this.#notify("notifications/progress", `{"progressToken":${token},"progress":${done}${parts}}`);
	}

	#notification(method: string, params: unknown): void {
		if (method === "notifications/initialized") return this.#listenLate();
		if (method !== "notifications/cancelled" || !isObject(params)) return;
		const id = idText(params.requestId);
		for (const call of [...this.#calls]) if (call.request.id === id) call.cancel();
		const at = id === undefined ? -1 : this.#subscriptions.indexOf(id);
		if (at >= 0) this.#subscriptions.splice(at, 1);
	}

	#notify(method: string, params: string | undefined): void {
		if (this.#options.congested?.()) return this.#server.log(`mcp: ${method} is dropped, the peer does not keep up`);
		const text = this.head.concat(
			'{"jsonrpc":"2.0","method":',
			JSON.stringify(method),
			params === undefined ? "}" : `,"params":${params}}`,
			this.tail,
		);
		if (text.length * 3 > MAX_OUTBOUND_BYTES && utf8Length(text) > MAX_OUTBOUND_BYTES)
			return this.#server.log(`mcp: ${method} is dropped, it is over ${MAX_OUTBOUND_BYTES} bytes`);
		this.#options.send(text);
	}

	#reply(request: Request, a: string, b = "", c = "", d = ""): void {
		if (!this.#open) return;
		const { suffix } = request;
		this.#options.send(this.head.concat('{"jsonrpc":"2.0","id":', request.id, ',"result":{', a, b, c, d, suffix, "}}", this.tail));
	}

	#fail(request: Request, code: number, message: string, data = ""): void {
		if (!this.#open) return;
		if (request.answer) return request.answer({ error: message });
		this.#options.send(
			this.head.concat(
				'{"jsonrpc":"2.0","id":',
				request.id,
				',"error":{"code":',
				String(code),
				',"message":',
				JSON.stringify(message),
				data,
				"}}",
				this.tail,
			),
		);
	}

	/** The arguments do not fit. */
	#refuse(request: Request, problem: string): void {
		if (this.#options.dialect.failureIsRpcError || request.revision < "2025-11-25") this.#fail(request, INVALID_PARAMS, problem);
		else this.#toolFailed(request, INVALID_PARAMS, problem);
	}

	#toolFailed(request: Request, code: number, message: string): void {
		if (this.#options.dialect.failureIsRpcError) this.#fail(request, code, message);
		else this.#reply(request, `"content":[{"type":"text","text":${JSON.stringify(message)}}],"isError":true`);
	}

	#unsupported(request: Request, requested: unknown): void {
		const data = `,"data":{"supported":${JSON.stringify([MODERN_REVISION, ...LEGACY_REVISIONS])},"requested":${JSON.stringify(clip(String(requested)))}}`;
		this.#fail(request, UNSUPPORTED_VERSION, `Unsupported protocol version: ${clip(String(requested))}`, data);
	}

	#ignore(why: string): void {
		this.#server.log(`mcp: ignored: ${why}`);
	}
}

/** A call between its request and its reply; the tool sees it as its context. */
class RunningCall<B> implements CallContext {
	cancelled = false;
	onCancel: (() => void) | undefined;
	timer: unknown;
	readonly request: Request;
	readonly #conversation: Conversation<B>;
	readonly #tool: Tool<B>;
	readonly #progressToken: string | undefined;
	#done = Number.NEGATIVE_INFINITY;
	#over = false;

	constructor(conversation: Conversation<B>, request: Request, tool: Tool<B>, progressToken: unknown) {
		this.#conversation = conversation;
		this.request = request;
		this.#tool = tool;
		this.#progressToken = progressToken === undefined ? undefined : idText(progressToken);
	}

	progress(done: number, total?: number, message?: string): void {
		if (this.#over || this.#progressToken === undefined || !(done > this.#done) || !Number.isFinite(done)) return;
		this.#done = done;
		this.#conversation.progress(this.#progressToken, done, Number.isFinite(total) ? total : undefined, message);
	}

	returned(value: unknown): void {
		if (this.#end()) this.#conversation.callReturned(this.request, this.#tool, value);
	}

	failed(error: unknown): void {
		if (this.#end()) this.#conversation.callFailed(this.request, this.#tool, error);
	}

	expire(): void {
		if (!this.#end()) return;
		this.#conversation.callExpired(this.request, this.#tool);
		this.#tellTool();
	}

	cancel(): void {
		if (this.#end()) this.#tellTool();
	}

	#end(): boolean {
		if (this.#over) return false;
		this.#over = true;
		this.#conversation.finish(this);
		return true;
	}

	#tellTool(): void {
		this.cancelled = true;
		try {
			this.onCancel?.();
		} catch (error) {
			this.#conversation.logError(`tool ${this.#tool.name}: onCancel`, error);
		}
	}
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
	return typeof value === "object" && value !== null && !(value instanceof ContentItem) && typeof (value as { then?: unknown }).then === "function";
}

function clip(text: string, length = 64): string {
	return text.length > length ? `${text.slice(0, length)}…` : text;
}

function describeError(error: unknown): string {
	return error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
}
