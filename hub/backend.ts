// Takes devices that open a WebSocket: in the xiaozhi envelope (seeds 000, 002, 004) and as MCP endpoints (seed 003).

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { DeviceSession } from "./device-session.js";
import { DeviceTransport } from "./device-transport.js";
import { type DeviceIdentity, EnvelopeConnection, type EnvelopeListener } from "./envelope.js";
import { HttpServer, type HttpServerOptions, hostInUrl, isAuthorized, RateLimit, reachableAddresses, sameText, UNAUTHORIZED } from "./http-server.js";

/** Where devices connect that speak the envelope. */
export const BACKEND_PATH = "/xiaozhi/v1/";
/** Where devices connect that are MCP endpoints; the token is in the query, and `deviceId` where several share one token. */
export const ENDPOINT_PATH = "/mcp/";
/** Devices at a time; the next ones get 503. */
export const MAX_SESSIONS = 100;
/** Messages of one device in a second, and how many may come at once after a pause. */
export const MESSAGES_PER_SECOND = 200;
export const MESSAGES_AT_ONCE = 2000;

const MAX_FRAME_BYTES = 1024 * 1024;
const CLOSE_LIMIT_MS = 500;
/** A device that answers no ping within this time has gone without a word. */
const PING_MS = 20_000;

export interface BackendOptions extends Omit<HttpServerOptions, "onUpgrade">, EnvelopeListener {
	/** Where it is given, a device must send it as `Authorization: Bearer <token>`, or as `?token=`; others get 401. */
	token?: string | undefined;
	/** For tests; `HELLO_TIMEOUT_MS` where it is not given. */
	helloTimeoutMs?: number;
	/** For tests; 20 s where it is not given. */
	pingMs?: number;
	/** A device did something that the protocol does not allow. */
	onProblem?(problem: string): void;
}

/** The server itself. Made by `startBackend`. */
export class Backend {
	/** What a device on this machine connects to. */
	readonly url: string;
	readonly #options: BackendOptions;
	readonly #http: HttpServer;
	readonly #webSockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
	readonly #heartbeat: NodeJS.Timeout;
	readonly #silent = new Set<WebSocket>();
	readonly #sessions = new Set<DeviceSession>();
	#closed: Promise<void> | undefined;

	/** @throws Error with `code` "EADDRINUSE" when the port is taken, and whatever else listening brings */
	static async listen(options: BackendOptions): Promise<Backend> {
		let backend: Backend | undefined;
		const http = await HttpServer.listen({ ...options, onUpgrade: (request, socket, head) => backend?.onUpgrade(request, socket, head) });
		backend = new Backend(options, http);
		return backend;
	}

	private constructor(options: BackendOptions, http: HttpServer) {
		this.#options = options;
		this.#http = http;
		this.url = this.urls(http.host === "0.0.0.0" || http.host === "::" ? "127.0.0.1" : http.host)[0] as string;
		this.#heartbeat = setInterval(() => this.#ping(), options.pingMs ?? PING_MS).unref();
	}

	get port(): number {
		return this.#http.port;
	}

	/** What devices on the network connect to. */
	urls(host = this.#http.host, path = BACKEND_PATH): string[] {
		return reachableAddresses(host).map((address) => `ws://${hostInUrl(address)}:${this.port}${path}`);
	}

	/** Ends all connections and stops listening. May be called twice. */
	close(): Promise<void> {
		this.#closed ??= (async () => {
			clearInterval(this.#heartbeat);
			for (const session of this.#sessions) session.close("closed by the backend");
			for (const socket of this.#webSockets.clients) socket.close(1001);
			await this.#http.close();
		})();
		return this.#closed;
	}

	onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		const url = new URL(request.url ?? "/", "http://localhost");
		const isEndpoint = `${url.pathname}/`.startsWith(ENDPOINT_PATH);
		const refusal =
			this.#webSockets.clients.size >= MAX_SESSIONS
				? { status: 503, reason: "too many devices", headers: { "Retry-After": "10" } }
				: isEndpoint
					? this.#checkEndpoint(url)
					: this.#checkUpgrade(request, url);
		if (refusal) return this.#http.refuseUpgrade(socket, refusal);
		this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
			if (isEndpoint) this.#onEndpoint(webSocket, url.searchParams.get("deviceId") ?? undefined);
			else this.#onOpen(webSocket, { deviceId: header(request, "device-id").toLowerCase(), clientId: header(request, "client-id") });
		});
	}

	#checkEndpoint(url: URL) {
		const { token } = this.#options;
		if (token !== undefined && !sameText(url.searchParams.get("token") ?? "", token)) return UNAUTHORIZED;
		const deviceId = url.searchParams.get("deviceId");
		if (deviceId !== null && !/^[\w.:-]{1,64}$/.test(deviceId)) return { status: 400, reason: "deviceId must be of letters, digits and _ . : -" };
		return undefined;
	}

	#checkUpgrade(request: IncomingMessage, url: URL) {
		if (url.pathname !== BACKEND_PATH) return { status: 404, reason: `the path is ${BACKEND_PATH}, or ${ENDPOINT_PATH} for an MCP endpoint` };
		if (!isAuthorized(request, this.#options.token)) return UNAUTHORIZED;
		// Some servers look for exactly this value and answer anything else with HTTP 200, so this one is as strict.
		const connection = header(request, "connection");
		if (connection.toLowerCase() !== "upgrade") return { status: 400, reason: `Connection must be "Upgrade", got "${connection}"` };
		const version = header(request, "protocol-version");
		if (version !== "1") return { status: 400, reason: `Protocol-Version must be 1, got "${version}"` };
		const deviceId = header(request, "device-id");
		if (!/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(deviceId)) return { status: 400, reason: `Device-Id must be a MAC address, got "${deviceId}"` };
		if (header(request, "client-id") === "") return { status: 400, reason: "Client-Id is missing" };
		return undefined;
	}

	/** What both kinds of connections have in common. @returns reports a problem */
	#watch(socket: WebSocket, who: string, onText: (text: string) => void, onClose: (reason: string) => void): (problem: string) => void {
		const problem = (text: string) => this.#options.onProblem?.(`device ${who}: ${text}`);
		const rate = new RateLimit(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE);
		socket.on("error", (error) => problem(error.message));
		socket.on("pong", () => this.#silent.delete(socket));
		socket.on("close", (code, reason) => {
			this.#silent.delete(socket);
			onClose(closeInWords(code, reason.toString()));
		});
		socket.on("message", (data: RawData, isBinary) => {
			if (socket.readyState !== WebSocket.OPEN) return;
			if (!rate.take()) {
				problem("too many messages");
				socket.close(1008, "too many messages");
				// Binary frames are audio; the hub has no ears.
			} else if (!isBinary) onText(data.toString());
		});
		return problem;
	}

	#onOpen(socket: WebSocket, device: DeviceIdentity): void {
		const { onHello, assistant, helloTimeoutMs } = this.#options;
		const onSession = (session: DeviceSession) => this.#begin(session);
		const connection = new EnvelopeConnection({
			device,
			listener: { onSession, ...(onHello && { onHello }), ...(assistant && { assistant }) },
			helloTimeoutMs,
			write: (text) => {
				if (socket.readyState === WebSocket.OPEN) socket.send(text);
			},
			hangUp: (fault) => (fault === undefined ? hangUp(socket) : socket.close(1008, fault)),
			onProblem: (text) => problem(text),
		});
		const problem = this.#watch(
			socket,
			device.deviceId,
			(text) => connection.receive(text),
			(reason) => connection.closed(reason),
		);
	}

	#onEndpoint(socket: WebSocket, deviceId: string | undefined): void {
		const transport = new DeviceTransport({
			write(line) {
				session.onWire?.("out", line);
				socket.send(line);
			},
		});
		const onText = (text: string) => {
			session.onWire?.("in", text);
			try {
				transport.receive(JSON.parse(text));
			} catch {
				problem(`a text frame that is not JSON: ${text.slice(0, 200)}`);
			}
		};
		const problem = this.#watch(socket, deviceId ?? "endpoint", onText, (reason) => session.close(reason));
		const session = new DeviceSession({ deviceId, via: "endpoint", transport, hangUp: () => hangUp(socket), onProblem: problem });
		this.#begin(session);
	}

	#begin(session: DeviceSession): void {
		this.#sessions.add(session);
		void session.ended.then(() => this.#sessions.delete(session));
		this.#options.onSession?.(session);
	}

	/** Finds out who has gone without a word, as after a power cut. */
	#ping(): void {
		for (const socket of this.#webSockets.clients) {
			if (this.#silent.has(socket)) socket.terminate();
			else if (socket.readyState === WebSocket.OPEN) {
				this.#silent.add(socket);
				socket.ping();
			}
		}
	}
}

/** @throws Error with `code` "EADDRINUSE" when the port is taken, and whatever else listening brings */
export function startBackend(options: BackendOptions = {}): Promise<Backend> {
	return Backend.listen(options);
}

function hangUp(socket: WebSocket): void {
	if (socket.readyState !== WebSocket.OPEN) return;
	socket.close(1000);
	setTimeout(() => socket.terminate(), CLOSE_LIMIT_MS).unref();
}

function header(request: IncomingMessage, name: string): string {
	const value = request.headers[name];
	return (Array.isArray(value) ? value[0] : value) ?? "";
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
