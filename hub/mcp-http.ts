// The gateway over Streamable HTTP: revision 2026-07-28 request by request, the revisions before it with sessions.

import { randomUUID } from "node:crypto";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Gateway } from "./gateway.js";
import { MAX_BODY_BYTES, type Route } from "./http-server.js";

/** Sessions of the older revisions; the one that was idle longest makes room for the next. */
export const MAX_CLIENT_SESSIONS = 64;
/** A session that was used within this time is not idle. */
const IDLE_MS = 30_000;
const MAX_SUBSCRIPTIONS = 64;

interface ClientSession {
	transport: WebStandardStreamableHTTPServerTransport;
	/** Requests that are open, a GET that listens among them. */
	open: number;
	usedAt: number;
}

export class McpHttp {
	readonly route: Route;
	readonly #gateway: Gateway;
	readonly #handler: ReturnType<typeof createMcpHandler>;
	readonly #sessions = new Map<string, ClientSession>();
	readonly #stop: () => void;

	constructor(gateway: Gateway, onProblem?: (problem: string) => void) {
		this.#gateway = gateway;
		const onerror = (error: Error) => onProblem?.(error.message);
		const limits = { maxRequestBodySize: MAX_BODY_BYTES };
		this.#handler = createMcpHandler(gateway.createServer, { ...limits, legacy: "reject", maxSubscriptions: MAX_SUBSCRIPTIONS, onerror });
		this.#stop = gateway.listen(this.#handler.notify);
		const handle = toNodeHandler({ fetch: (request) => this.#fetch(request) }, { ...limits, onerror });
		this.route = async (request, response, path) => {
			if (path !== "/mcp" && path !== "/mcp/") response.writeHead(404).end();
			else await handle(request, response);
		};
	}

	/** Ends all exchanges and sessions. */
	async close(): Promise<void> {
		this.#stop();
		await this.#handler.close();
		for (const { transport } of this.#sessions.values()) await transport.close();
	}

	async #fetch(request: Request): Promise<Response> {
		const body = request.method === "POST" ? await jsonOf(request.clone()) : undefined;
		const parsed = body === undefined ? {} : { parsedBody: body };
		if (await isLegacyRequest(request, body)) return this.#legacy(request, body, parsed);
		// The library keeps subscriptions to itself; the devices have to know of them.
		const uris = (body as { params?: { notifications?: { resourceSubscriptions?: unknown } } } | null)?.params?.notifications?.resourceSubscriptions;
		if (methodOf(body) === "subscriptions/listen" && Array.isArray(uris))
			await this.#gateway.subscribe(uris.filter((uri) => typeof uri === "string").slice(0, MAX_SUBSCRIPTIONS));
		return this.#handler.fetch(request, parsed);
	}

	async #legacy(request: Request, body: unknown, parsed: { parsedBody?: unknown }): Promise<Response> {
		const id = request.headers.get("mcp-session-id");
		if (id === null && methodOf(body) !== "initialize") {
			if (request.method === "POST" && body === undefined) return failure(400, -32700, "the body is not JSON");
			if (request.method === "POST") return failure(400, -32600, "begin with initialize, or send _meta of 2026-07-28");
			return failure(405, -32600, "a session is needed", { Allow: "POST" });
		}
		const session = id === null ? this.#makeRoom() && (await this.#open()) : this.#sessions.get(id);
		if (!session) {
			if (id !== null) return failure(404, -32001, "Session not found");
			return failure(503, -32000, "too many sessions", { "Retry-After": "5" });
		}
		session.open++;
		session.usedAt = performance.now();
		const response = await session.transport.handleRequest(request, parsed);
		return whenDone(response, request.signal, () => session.open--);
	}

	async #open(): Promise<ClientSession> {
		const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
			sessionIdGenerator: () => randomUUID(),
			onsessioninitialized: (id) => void this.#sessions.set(id, session),
		});
		const session: ClientSession = { transport, open: 0, usedAt: performance.now() };
		const server = this.#gateway.createLastingServer({ era: "legacy" });
		await server.connect(transport);
		const stop = server.onclose;
		server.onclose = () => {
			stop?.();
			if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
		};
		return session;
	}

	/** @returns is there room for one more session? */
	#makeRoom(): boolean {
		if (this.#sessions.size < MAX_CLIENT_SESSIONS) return true;
		const idle = [...this.#sessions.values()].filter(({ open, usedAt }) => open === 0 && performance.now() - usedAt > IDLE_MS);
		const oldest = idle.sort((a, b) => a.usedAt - b.usedAt)[0];
		if (!oldest) return false;
		void oldest.transport.close();
		return true;
	}
}

async function jsonOf(request: Request): Promise<unknown> {
	try {
		return await request.json();
	} catch {
		return undefined;
	}
}

function methodOf(body: unknown): unknown {
	return (body as { method?: unknown } | null | undefined)?.method;
}

function failure(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
	return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status, headers });
}

/** Calls back once when the response has been read to its end, or the client has gone. */
function whenDone(response: Response, signal: AbortSignal, done: () => void): Response {
	let called = false;
	const once = () => {
		if (called) return;
		called = true;
		done();
	};
	if (!response.body) {
		once();
		return response;
	}
	signal.addEventListener("abort", once, { once: true });
	const body = response.body.pipeThrough(new TransformStream({ flush: once }));
	return new Response(body, { status: response.status, headers: response.headers });
}
