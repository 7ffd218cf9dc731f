// A small backend on 127.0.0.1: it takes devices that speak the xiaozhi envelope and drives each with the MCP client library.

import { randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { type CallToolResult, ListToolsResultSchema, type Tool } from "@modelcontextprotocol/sdk/types.js";
import { WebSocket, WebSocketServer } from "ws";
import { EnvelopeTransport } from "./envelope-transport.js";

/** The path that devices connect to. */
export const BACKEND_PATH = "/xiaozhi/v1/";
/** A device that has not said hello after this long is let go. */
export const HELLO_TIMEOUT_MS = 10_000;
/** `initialize` and each page of `tools/list` are answered within this time. */
export const DISCOVERY_TIMEOUT_MS = 10_000;
/** A device answers a call after 30 s at the latest; a little is added for the way. */
export const CALL_TIMEOUT_MS = 35_000;
/** Some gateways close the connection past this size, so the backend reports a longer message as a problem. */
export const MAX_MESSAGE_BYTES = 8192;

const MAX_FRAME_BYTES = 1024 * 1024;
const MAX_PAGES = 64;
const CLOSE_LIMIT_MS = 500;

/** Who connects, read from the headers of the upgrade. */
export interface DeviceIdentity {
	/** `aa:bb:cc:dd:ee:ff`, lower case. */
	deviceId: string;
	/** The UUID that the device made for itself. */
	clientId: string;
}

export interface BackendOptions {
	/** 0 or absent: any free port. */
	port?: number;
	/** Where it is given, a device must send it as `Authorization: Bearer <token>`; others get 401. */
	token?: string;
	/** For tests; `HELLO_TIMEOUT_MS` where it is not given. */
	helloTimeoutMs?: number;
	/** A device said hello (its text, as it came) and was answered (`reply`). */
	onHello?(hello: string, reply: string, device: DeviceIdentity): void;
	/** A device said hello and waits to be initialized: call `session.initialize()`. */
	onSession?(session: DeviceSession): void;
	/** A device was not let in, for the reason given. */
	onRefused?(reason: string): void;
	/** A device did something that the protocol does not allow. */
	onProblem?(problem: string): void;
}

/** One conversation with one device, from its hello to the end of the connection. */
export class DeviceSession implements DeviceIdentity {
	readonly id = randomUUID();
	readonly deviceId: string;
	readonly clientId: string;
	/** Resolves with the reason when the connection is over; never rejects. */
	readonly ended: Promise<string>;
	/** A notification from the device. */
	onNotification: ((method: string, params: unknown) => void) | undefined;

	readonly #socket: WebSocket;
	readonly #transport: EnvelopeTransport;
	readonly #client: Client;
	#end: (reason: string) => void = () => {};
	#over = false;

	constructor(device: DeviceIdentity, socket: WebSocket, onProblem: (problem: string) => void) {
		this.deviceId = device.deviceId;
		this.clientId = device.clientId;
		this.#socket = socket;
		this.ended = new Promise((resolve) => {
			this.#end = resolve;
		});
		this.#transport = new EnvelopeTransport({ sessionId: this.id, write: (text) => socket.send(text) });
		this.#client = new Client({ name: "moddable-mcp-bench", version: "1" });
		this.#client.onerror = (error) => onProblem(error.message);
		this.#client.fallbackNotificationHandler = async (notification) => this.onNotification?.(notification.method, notification.params);
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
		return this.#transport.protocolVersion;
	}

	/** @throws Error when the device answers with an error, not in time, or goes away. */
	async initialize(): Promise<void> {
		await this.#client.connect(this.#transport, { timeout: DISCOVERY_TIMEOUT_MS });
	}

	/**
	 * All tools, page after page; the user-only ones among them when `withUserTools` is set.
	 * @throws Error as `initialize`, and when the pages do not end.
	 */
	async listTools(withUserTools = false): Promise<Tool[]> {
		const tools: Tool[] = [];
		const cursors = new Set<string>();
		let cursor: string | undefined;
		do {
			const params = { ...(cursor === undefined ? {} : { cursor }), ...(withUserTools ? { withUserTools } : {}) };
			const page = await this.#client.request({ method: "tools/list", params }, ListToolsResultSchema, { timeout: DISCOVERY_TIMEOUT_MS });
			tools.push(...page.tools);
			cursor = page.nextCursor;
			if (cursor !== undefined && (cursors.has(cursor) || cursors.size >= MAX_PAGES))
				throw new Error(`tools/list does not end: cursor ${cursor} again`);
			if (cursor !== undefined) cursors.add(cursor);
		} while (cursor !== undefined);
		return tools;
	}

	/** @throws McpError with the device's code and message; Error when the device goes away. */
	async callTool(name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
		return (await this.#client.callTool({ name, arguments: args }, undefined, { timeout: CALL_TIMEOUT_MS })) as CallToolResult;
	}

	/** Hands one envelope's payload to the client library. */
	receive(payload: unknown): void {
		this.#transport.receive(payload);
	}

	/** Ends the connection. May be called twice. */
	close(reason = "closed by the backend"): void {
		if (this.#over) return;
		this.#over = true;
		void this.#transport.close();
		if (this.#socket.readyState === WebSocket.OPEN) {
			this.#socket.close(1000);
			setTimeout(() => this.#socket.terminate(), CLOSE_LIMIT_MS).unref();
		}
		this.#end(reason);
	}
}

/** The server itself. Made by `startBackend`. */
export class Backend {
	readonly port: number;
	/** What a device connects to. */
	readonly url: string;
	/** The sessions that stand, by device id. */
	readonly sessions = new Map<string, DeviceSession>();

	readonly #options: BackendOptions;
	readonly #server: Server;
	readonly #webSockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
	#closed: Promise<void> | undefined;

	/** @param server listens already */
	constructor(options: BackendOptions, server: Server) {
		this.#options = options;
		this.#server = server;
		this.port = (server.address() as AddressInfo).port;
		this.url = `ws://127.0.0.1:${this.port}${BACKEND_PATH}`;
		server.on("request", (_request, response) => response.writeHead(426, { Connection: "close" }).end("This is a WebSocket server.\n"));
		server.on("upgrade", (request, socket, head) => this.#onUpgrade(request, socket, head));
	}

	/** Ends all sessions and stops listening. May be called twice. */
	close(): Promise<void> {
		this.#closed ??= new Promise((resolve) => {
			for (const session of this.sessions.values()) session.close();
			for (const socket of this.#webSockets.clients) if (socket.readyState !== WebSocket.CLOSING) socket.terminate();
			const limit = setTimeout(() => {
				for (const socket of this.#webSockets.clients) socket.terminate();
				this.#server.closeAllConnections();
			}, CLOSE_LIMIT_MS);
			this.#server.close(() => {
				clearTimeout(limit);
				resolve();
			});
		});
		return this.#closed;
	}

	#onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		// The peer may be gone while it is being refused.
		socket.on("error", () => {});
		const refusal = this.#closed ? { status: "503 Service Unavailable", reason: "closing" } : checkUpgrade(request, this.#options.token);
		if (refusal) {
			socket.end(`HTTP/1.1 ${refusal.status}\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n${refusal.reason}\n`);
			this.#options.onRefused?.(`${refusal.status}: ${refusal.reason}`);
			return;
		}
		const device = { deviceId: header(request, "device-id").toLowerCase(), clientId: header(request, "client-id") };
		this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => this.#onOpen(webSocket, device));
	}

	#onOpen(socket: WebSocket, device: DeviceIdentity): void {
		let session: DeviceSession | undefined;
		const { onProblem } = this.#options;
		const problem = (text: string) => onProblem?.(`device ${device.deviceId}: ${text}`);
		const helloTimeoutMs = this.#options.helloTimeoutMs ?? HELLO_TIMEOUT_MS;
		const helloTimer = setTimeout(() => {
			problem(`no hello within ${helloTimeoutMs / 1000} s`);
			socket.close(1008, "no hello");
		}, helloTimeoutMs);
		socket.on("error", (error) => problem(error.message));
		socket.on("close", (code, reason) => {
			clearTimeout(helloTimer);
			if (!session) return;
			if (this.sessions.get(device.deviceId) === session) this.sessions.delete(device.deviceId);
			session.close(closeInWords(code, reason.toString()));
		});
		socket.on("message", (data, isBinary) => {
			// Binary frames are audio; this backend has no ears.
			if (isBinary) return;
			const text = data.toString();
			const size = Buffer.byteLength(text);
			if (size > MAX_MESSAGE_BYTES) problem(`a message of ${size} bytes, more than ${MAX_MESSAGE_BYTES}`);
			const message = parseObject(text);
			if (!message) problem(`a text frame that is not a JSON object: ${text.slice(0, 200)}`);
			else if (message.type === "hello") {
				const wrong = session ? "a second hello" : checkHello(message);
				if (wrong) return problem(wrong);
				clearTimeout(helloTimer);
				session = new DeviceSession(device, socket, problem);
				this.sessions.get(device.deviceId)?.close("the device opened a new connection");
				this.sessions.set(device.deviceId, session);
				const reply = JSON.stringify({ type: "hello", transport: "websocket", session_id: session.id });
				socket.send(reply);
				this.#options.onHello?.(text, reply, device);
				this.#options.onSession?.(session);
			} else if (message.type === "mcp") {
				if (!session) {
					problem("an mcp message before hello");
					socket.close(1008, "hello first");
				} else {
					if (message.session_id !== session.id) problem(`an mcp message with session_id ${JSON.stringify(message.session_id)}`);
					session.receive(message.payload);
				}
			}
		});
	}
}

/**
 * Starts listening on 127.0.0.1.
 * @throws Error with `code` "EADDRINUSE" when the port is taken, and whatever else listening brings
 */
export async function startBackend(options: BackendOptions = {}): Promise<Backend> {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(options.port ?? 0, "127.0.0.1", () => {
			server.off("error", reject);
			resolve();
		});
	});
	return new Backend(options, server);
}

function header(request: IncomingMessage, name: string): string {
	const value = request.headers[name];
	return (Array.isArray(value) ? value[0] : value) ?? "";
}

function checkUpgrade(request: IncomingMessage, token: string | undefined): { status: string; reason: string } | undefined {
	const path = (request.url ?? "").split("?", 1)[0];
	if (path !== BACKEND_PATH) return { status: "404 Not Found", reason: `the path is ${BACKEND_PATH}` };
	if (token !== undefined && !sameText(header(request, "authorization"), `Bearer ${token}`))
		return { status: "401 Unauthorized", reason: "the token is missing or wrong" };
	// Some servers look for exactly this value and answer anything else with HTTP 200, so the bench is as strict.
	const connection = header(request, "connection");
	if (connection.toLowerCase() !== "upgrade") return { status: "400 Bad Request", reason: `Connection must be "Upgrade", got "${connection}"` };
	const version = header(request, "protocol-version");
	if (version !== "1") return { status: "400 Bad Request", reason: `Protocol-Version must be 1, got "${version}"` };
	const deviceId = header(request, "device-id");
	if (!/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(deviceId))
		return { status: "400 Bad Request", reason: `Device-Id must be a MAC address, got "${deviceId}"` };
	if (header(request, "client-id") === "") return { status: "400 Bad Request", reason: "Client-Id is missing" };
	return undefined;
}

function sameText(a: string, b: string): boolean {
	const left = Buffer.from(a);
	const right = Buffer.from(b);
	return left.length === right.length && timingSafeEqual(left, right);
}

function parseObject(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}

function checkHello(hello: Record<string, unknown>): string | undefined {
	const { features } = hello;
	if (hello.version !== 1) return `hello has version ${JSON.stringify(hello.version)}, expected 1`;
	if (hello.transport !== "websocket") return `hello has transport ${JSON.stringify(hello.transport)}, expected "websocket"`;
	if (typeof features !== "object" || features === null || (features as Record<string, unknown>).mcp !== true)
		return "hello does not offer features.mcp";
	return undefined;
}

function closeInWords(code: number, reason: string): string {
	const text =
		code === 1006
			? "the connection broke off"
			: code === 1005
				? "the device closed the connection"
				: `the device closed the connection with code ${code}`;
	return reason ? `${text}: ${reason}` : text;
}
