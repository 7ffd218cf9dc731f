// One conversation with one device, driven by the MCP client library, from its first message to the end of the connection.

import {
	type CallToolResult,
	Client,
	type McpSubscription,
	type Progress,
	ProtocolError,
	type ReadResourceResult,
	type Resource,
	type ResourceTemplateType,
	SdkError,
	SdkErrorCode,
	type StandardSchemaV1,
	type Tool,
	type Transport,
} from "@modelcontextprotocol/client";
import { isSendable } from "./json.js";
import { randomUuid } from "./uuid.js";

/** `initialize` and each page of a list are answered within this time. */
export const DISCOVERY_TIMEOUT_MS = 10_000;
/** A device answers a call after 30 s at the latest; a little is added for the way. */
export const CALL_TIMEOUT_MS = 35_000;
/** A call that reports progress may take longer, but not longer than this. */
export const LONGEST_CALL_MS = 600_000;

const MAX_PAGES = 64;

/** How a device is reached; the name is for people. */
export type Via = "websocket" | "endpoint" | "mqtt" | "http";

/** As seen from the hub. */
export type WireDirection = "in" | "out";

export interface DeviceSessionOptions {
	/** What the device is known by; without it, its name becomes its id once it is known. */
	deviceId?: string | undefined;
	/** The UUID that the device made for itself, where it has said one. */
	clientId?: string | undefined;
	via: Via;
	transport: Transport;
	/** Goes into envelopes; made up where it is not given. */
	id?: string;
	/** Ask for revision 2026-07-28 first. Without it, the session begins with `initialize`, as the seeds demand. */
	modern?: boolean;
	/** For tests; `CALL_TIMEOUT_MS` where it is not given. */
	callTimeoutMs?: number | undefined;
	/** Ends the connection under the transport. */
	hangUp(): void;
	/** The device did something that the protocol does not allow. */
	onProblem?(problem: string): void;
}

/** What a caller may watch and stop. */
export interface CallOptions {
	signal?: AbortSignal;
	onProgress?: ((progress: Progress) => void) | undefined;
}

export class DeviceSession {
	readonly id: string;
	readonly via: Via;
	readonly clientId: string | undefined;
	deviceId: string | undefined;
	/** Resolves with the reason when the connection is over; never rejects. */
	readonly ended: Promise<string>;
	/** A notification from the device. */
	onNotification: ((method: string, params: unknown) => void) | undefined;
	/** A message as it goes over the wire, "in" from the device or "out" to it. */
	onWire: ((direction: WireDirection, text: string) => void) | undefined;

	readonly #options: DeviceSessionOptions;
	readonly #client: Client;
	#initialized: Promise<void> | undefined;
	#subscription: McpSubscription | undefined;
	#subscribed = new Set<string>();
	#end: (reason: string) => void = () => {};
	#over = false;

	constructor(options: DeviceSessionOptions) {
		this.#options = options;
		this.id = options.id ?? randomUuid();
		this.via = options.via;
		this.clientId = options.clientId;
		this.deviceId = options.deviceId;
		this.ended = new Promise((resolve) => {
			this.#end = resolve;
		});
		this.#client = new Client(
			{ name: "moddable-mcp-hub", version: "1" },
			{ versionNegotiation: { mode: options.modern ? "auto" : "legacy" }, capabilities: {} },
		);
		this.#client.onerror = (error) => options.onProblem?.(error.message);
		const notified = (method: string, params: unknown) => this.onNotification?.(method, params);
		for (const method of ["notifications/tools/list_changed", "notifications/resources/list_changed", "notifications/resources/updated"] as const)
			this.#client.setNotificationHandler(method, ({ params }) => notified(method, params));
		this.#client.fallbackNotificationHandler = async ({ method, params }) => notified(method, params);
	}

	/** Is the connection over? */
	get over(): boolean {
		return this.#over;
	}

	/** The device's name and version, known after `initialize`. */
	get server(): { name: string; version: string } | undefined {
		return this.#client.getServerVersion();
	}

	/** The MCP revision that was agreed on, known after `initialize`. */
	get protocolVersion(): string | undefined {
		return this.#client.getNegotiatedProtocolVersion();
	}

	/** What the device says of itself to a model, known after `initialize`. */
	get instructions(): string | undefined {
		return this.#client.getInstructions();
	}

	/** Does the device have resources? Known after `initialize`. */
	get hasResources(): boolean {
		return this.#client.getServerCapabilities()?.resources !== undefined;
	}

	/**
	 * Agrees on a revision with the device. May be called twice.
	 * @throws Error when the device answers with an error, not in time, or goes away.
	 */
	initialize(): Promise<void> {
		this.#initialized ??= this.#connect();
		return this.#initialized;
	}

	/**
	 * All tools, page after page; the user-only ones among them when `withUserTools` is set. A tool that no client could
	 * use is left out and reported.
	 * @throws Error as `initialize`, and when the pages do not end.
	 */
	async listTools(withUserTools = false): Promise<Tool[]> {
		const listed = await this.#pages("tools/list", "tools", withUserTools ? { withUserTools } : {});
		return listed.filter((tool): tool is Tool => {
			const problem = problemOfTool(tool);
			if (problem) this.#options.onProblem?.(problem);
			return problem === undefined;
		});
	}

	/** All resources, none where the device has no such thing. @throws Error as `listTools` */
	async listResources(): Promise<Resource[]> {
		return this.hasResources ? ((await this.#pages("resources/list", "resources")) as Resource[]).filter(hasText("uri")) : [];
	}

	/** All templates of resources. @throws Error as `listTools` */
	async listResourceTemplates(): Promise<ResourceTemplateType[]> {
		if (!this.hasResources) return [];
		try {
			return ((await this.#pages("resources/templates/list", "resourceTemplates")) as ResourceTemplateType[]).filter(hasText("uriTemplate"));
		} catch (error) {
			// A device without templates need not know the method.
			if (error instanceof ProtocolError) return [];
			throw error;
		}
	}

	/** @throws ProtocolError with the device's code and message; Error when the device goes away or does not answer. */
	async callTool(name: string, args: Record<string, unknown> = {}, { signal, onProgress }: CallOptions = {}): Promise<CallToolResult> {
		return await this.#guard(
			this.#client.request(
				{ method: "tools/call", params: { name, arguments: args } },
				{
					timeout: this.#options.callTimeoutMs ?? CALL_TIMEOUT_MS,
					resetTimeoutOnProgress: true,
					maxTotalTimeout: LONGEST_CALL_MS,
					...(signal ? { signal } : {}),
					...(onProgress ? { onprogress: onProgress } : {}),
				},
			) as Promise<CallToolResult>,
			signal,
		);
	}

	/** @throws as `callTool` */
	async readResource(uri: string, { signal }: CallOptions = {}): Promise<ReadResourceResult> {
		return await this.#guard(
			this.#client.request({ method: "resources/read", params: { uri } }, { timeout: CALL_TIMEOUT_MS, ...(signal ? { signal } : {}) }),
			signal,
		);
	}

	/** Asks to be told of changes of a resource, until the session ends. @throws as `callTool` */
	async subscribeResource(uri: string): Promise<void> {
		if (this.#subscribed.has(uri)) return;
		this.#subscribed.add(uri);
		try {
			if (this.#client.getProtocolEra() === "modern") await this.#subscribe();
			else await this.#guard(this.#client.request({ method: "resources/subscribe", params: { uri } }, { timeout: DISCOVERY_TIMEOUT_MS }));
		} catch (error) {
			this.#subscribed.delete(uri);
			throw error;
		}
	}

	/** Settles when the device has answered a ping. @throws Error when it has not within `timeoutMs` */
	async ping(timeoutMs: number): Promise<void> {
		await this.#client.request({ method: "ping" }, { timeout: timeoutMs });
	}

	/** Ends the connection. May be called twice. */
	close(reason = "closed by the hub"): void {
		if (this.#over) return;
		this.#over = true;
		void this.#client.close().catch(() => {});
		// Where `initialize` was never called, the client does not know the transport yet.
		void this.#options.transport.close().catch(() => {});
		this.#options.hangUp();
		this.#end(reason);
	}

	async #connect(): Promise<void> {
		await this.#client.connect(this.#options.transport, { timeout: DISCOVERY_TIMEOUT_MS });
		// Not before: a client that could not connect closes itself, and its error says more.
		this.#client.onclose = () => this.close("the connection is over");
		await this.#subscribe();
	}

	/** Revision 2026-07-28 sends changes only to whoever has subscribed. */
	async #subscribe(): Promise<void> {
		if (this.#client.getProtocolEra() !== "modern") return;
		const { tools, resources } = this.#client.getServerCapabilities() ?? {};
		const filter = {
			...(tools?.listChanged ? { toolsListChanged: true } : {}),
			...(resources?.listChanged ? { resourcesListChanged: true } : {}),
			...(resources?.subscribe && this.#subscribed.size > 0 ? { resourceSubscriptions: [...this.#subscribed] } : {}),
		};
		if (Object.keys(filter).length === 0) return;
		const before = this.#subscription;
		const subscription = await this.#client.listen(filter, { timeout: DISCOVERY_TIMEOUT_MS });
		this.#subscription = subscription;
		await before?.close();
		void subscription.closed.then((how) => {
			if (how !== "local" && this.#subscription === subscription) this.close("the device ended the subscription");
		});
	}

	async #pages(method: "tools/list" | "resources/list" | "resources/templates/list", member: string, extra = {}): Promise<unknown[]> {
		const items: unknown[] = [];
		const cursors = new Set<string>();
		let cursor: string | undefined;
		do {
			const params = { ...(cursor === undefined ? {} : { cursor }), ...extra };
			const page = await this.#guard(this.#client.request({ method, params }, AS_IT_IS, { timeout: DISCOVERY_TIMEOUT_MS }));
			const found = page[member];
			if (!Array.isArray(found)) throw new Error(`the result of ${method} has no ${member}`);
			items.push(...found);
			cursor = typeof page.nextCursor === "string" ? page.nextCursor : undefined;
			if (cursor !== undefined && (cursors.has(cursor) || cursors.size >= MAX_PAGES))
				throw new Error(`${method} does not end: cursor ${cursor} again`);
			if (cursor !== undefined) cursors.add(cursor);
		} while (cursor !== undefined);
		return items;
	}

	/** Over HTTP only a request that fails, or is not answered, shows that the device has gone. */
	async #guard<T>(answer: Promise<T>, signal?: AbortSignal): Promise<T> {
		try {
			return await answer;
		} catch (error) {
			const answered = error instanceof ProtocolError || (error instanceof SdkError && KEEPS_SESSION.has(error.code));
			if (this.via === "http" && !answered && !signal?.aborted) this.close(reasonOf(error));
			throw error;
		}
	}
}

const KEEPS_SESSION: ReadonlySet<string> = new Set([SdkErrorCode.InvalidResult, SdkErrorCode.CapabilityNotSupported]);

/** A list is handed on with everything that a device has put into it, also what the library does not know. */
const AS_IT_IS: StandardSchemaV1<unknown, Record<string, unknown>> = {
	"~standard": { version: 1, vendor: "moddable-mcp", validate: (value) => ({ value: value as Record<string, unknown> }) },
};

/** "fetch failed" says little; its cause says why. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return "it did not answer in time";
	return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message;
}

function hasText<K extends string>(member: K): (value: unknown) => boolean {
	return (value) => typeof (value as Record<K, unknown> | null)?.[member] === "string" && isSendable(value);
}

function problemOfTool(tool: unknown): string | undefined {
	const { name, description, inputSchema } = (tool ?? {}) as { name?: unknown; description?: unknown; inputSchema?: { type?: unknown } | null };
	if (typeof name !== "string" || name === "") return "a tool without a name";
	if (inputSchema?.type !== "object") return `the tool ${name} has no inputSchema of type object`;
	if (description !== undefined && typeof description !== "string") return `the tool ${name} has a description that is not text`;
	return isSendable(tool) ? undefined : `the tool ${name} is nested too deeply`;
}
