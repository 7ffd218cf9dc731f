// The HTTP server under everything that the hub listens on: who may speak to it, how much, and which path leads where.

import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, isIP, type Socket } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";

/** Connections at a time; the next ones get 503. */
export const MAX_CONNECTIONS = 256;
/** A body may be this long. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Requests of one address in a second, and how many may come at once after a pause. */
export const REQUESTS_PER_SECOND = 200;
export const REQUESTS_AT_ONCE = 1000;

/** A request has to be there in whole after this long. */
const REQUEST_TIMEOUT_MS = 15_000;
const HEADERS_TIMEOUT_MS = 10_000;
const CLOSE_LIMIT_MS = 500;
const MAX_ADDRESSES = 1024;

export type Route = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void> | void;

export interface HttpServerOptions {
	/** "127.0.0.1" where it is not given. */
	host?: string | undefined;
	/** 0 or absent: any free port. */
	port?: number | undefined;
	/** Has to come with each request as `Authorization: Bearer <token>`. */
	token?: string | undefined;
	/** For tests; 15 s where it is not given, and the headers within 10 s of these. */
	requestTimeoutMs?: number;
	/** By first segment of the path: `mcp` takes `/mcp` and all below. Each asks for the token. */
	routes?: Readonly<Record<string, Route>>;
	/** The same for what holds no secret and asks for no token; "" is the first page. */
	openRoutes?: Readonly<Record<string, Route>>;
	/** Takes upgrades, and answers for the token itself. */
	onUpgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
	/** Somebody was not let in, for the reason given. */
	onRefused?(reason: string): void;
}

/** Is it an address that only this machine reaches? */
export function isLoopback(host: string): boolean {
	return host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The addresses under which others on the network reach a server that listens on `host`. */
export function reachableAddresses(host: string): string[] {
	if (host !== "0.0.0.0" && host !== "::") return [host];
	const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
	const found = all.filter(({ family, internal }) => family === "IPv4" && !internal).map(({ address }) => address);
	return found.length > 0 ? found : ["127.0.0.1"];
}

/** `aa:bb::1` as it stands in a URL. */
export function hostInUrl(host: string): string {
	return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** Does the request bring the token? Without a token everybody does. */
export function isAuthorized(request: IncomingMessage, token: string | undefined): boolean {
	return token === undefined || sameText(request.headers.authorization ?? "", `Bearer ${token}`);
}

/** Compares in a time that tells nothing about where the difference is. */
export function sameText(a: string, b: string): boolean {
	const left = Buffer.from(a);
	const right = Buffer.from(b);
	return left.length === right.length && timingSafeEqual(left, right);
}

/** A bucket of tokens: so many in a second, and a store of them for what comes at once. */
export class RateLimit {
	readonly #perSecond: number;
	readonly #most: number;
	#left: number;
	#at: number;

	constructor(perSecond: number, most: number, now = performance.now()) {
		this.#perSecond = perSecond;
		this.#most = most;
		this.#left = most;
		this.#at = now;
	}

	/** May one more pass? */
	take(now = performance.now()): boolean {
		this.#left = Math.min(this.#most, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
		this.#at = now;
		if (this.#left < 1) return false;
		this.#left--;
		return true;
	}
}

/** A refusal: the status, the text for people, and headers that belong to it. */
interface Refusal {
	status: number;
	reason: string;
	headers?: Record<string, string>;
}

/** Made by `listen`. */
export class HttpServer {
	readonly host: string;
	readonly port: number;
	readonly #server: Server;
	readonly #options: HttpServerOptions;
	readonly #sockets = new Set<Socket>();
	readonly #rates = new Map<string, RateLimit>();
	#closed: Promise<void> | undefined;

	/** @throws Error with `code` "EADDRINUSE" when the port is taken, and whatever else listening brings */
	static async listen(options: HttpServerOptions): Promise<HttpServer> {
		const host = options.host ?? "127.0.0.1";
		const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
		const headersTimeout = Math.min(HEADERS_TIMEOUT_MS, requestTimeout);
		const server = createServer({ requestTimeout, headersTimeout, connectionsCheckingInterval: Math.min(2000, requestTimeout) });
		await new Promise<void>((resolve, reject) => {
			server.once("error", reject);
			server.listen(options.port ?? 0, host.replace(/^\[|\]$/g, ""), () => {
				server.off("error", reject);
				resolve();
			});
		});
		return new HttpServer(options, host, server);
	}

	private constructor(options: HttpServerOptions, host: string, server: Server) {
		this.#options = options;
		this.#server = server;
		this.host = host;
		this.port = (server.address() as AddressInfo).port;
		// Beyond the limit a few more are let in, to be told why they are not served.
		server.maxConnections = MAX_CONNECTIONS * 2;
		server.on("connection", (socket) => {
			this.#sockets.add(socket);
			socket.on("close", () => this.#sockets.delete(socket));
		});
		server.on("request", (request, response) => void this.#onRequest(request, response));
		server.on("upgrade", (request, socket, head) => this.#onUpgrade(request, socket, head));
	}

	/** Ends all connections, gently for half a second. May be called twice. */
	close(): Promise<void> {
		this.#closed ??= new Promise((resolve) => {
			const limit = setTimeout(() => {
				for (const socket of this.#sockets) socket.destroy();
			}, CLOSE_LIMIT_MS);
			this.#server.close(() => {
				clearTimeout(limit);
				resolve();
			});
			this.#server.closeIdleConnections();
		});
		return this.#closed;
	}

	async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
		request.on("error", () => {});
		response.on("error", () => {});
		const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
		const first = path.split("/")[1] ?? "";
		const { routes = {}, openRoutes = {} } = this.#options;
		const open = Object.hasOwn(openRoutes, first) ? openRoutes[first] : undefined;
		const route = open ?? (Object.hasOwn(routes, first) ? routes[first] : undefined);
		const refusal =
			this.#checkPeer(request) ??
			(open || isAuthorized(request, this.#options.token) ? undefined : UNAUTHORIZED) ??
			(route ? undefined : { status: 404, reason: "there is nothing here" });
		if (refusal) {
			this.#options.onRefused?.(`${refusal.status}: ${refusal.reason}`);
			refuse(request, response, refusal);
			return;
		}
		try {
			await route?.(request, response, path);
		} catch (error) {
			this.#options.onRefused?.(`500: ${(error as Error).message}`);
			if (response.headersSent) response.destroy();
			else refuse(request, response, { status: 500, reason: "something went wrong here" });
		}
	}

	#onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		// The peer may be gone while it is being refused.
		socket.on("error", () => {});
		const { onUpgrade } = this.#options;
		const refusal = this.#closed
			? { status: 503, reason: "closing" }
			: (this.#checkPeer(request) ?? (onUpgrade ? undefined : { status: 404, reason: "no WebSocket here" }));
		if (refusal) this.refuseUpgrade(socket, refusal);
		else onUpgrade?.(request, socket, head);
	}

	/** Answers an upgrade with a status and ends the connection. */
	refuseUpgrade(socket: Duplex, { status, reason, headers = {} }: Refusal): void {
		const lines = Object.entries({ Connection: "close", "Content-Type": "text/plain", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
		socket.end(`HTTP/1.1 ${status} ${STATUS_TEXT[status] ?? ""}\r\n${lines.join("")}\r\n${reason}\n`);
		this.#options.onRefused?.(`${status} ${STATUS_TEXT[status] ?? ""}: ${reason}`);
	}

	/** What is the same for a request and an upgrade: how many there are, and that no web page of a stranger speaks here. */
	#checkPeer(request: IncomingMessage): Refusal | undefined {
		if (this.#sockets.size > MAX_CONNECTIONS) return { status: 503, reason: "too many connections", headers: { "Retry-After": "2" } };
		const name = hostnameOf(`http://${request.headers.host ?? ""}`);
		if (name === undefined || !this.#isOwnName(name)) return { status: 403, reason: `Host is not this server: "${request.headers.host ?? ""}"` };
		const { origin } = request.headers;
		const originName = origin === undefined ? name : hostnameOf(origin);
		if (originName === undefined || (originName !== name && !isLoopback(originName)))
			return { status: 403, reason: `Origin is not allowed: "${origin}"` };
		if (!this.#rateOf(request.socket.remoteAddress ?? "").take())
			return { status: 429, reason: "too many requests", headers: { "Retry-After": "1" } };
		return undefined;
	}

	/** Rebinding needs a name of the attacker's; an address, or a name of this machine, is none. */
	#isOwnName(name: string): boolean {
		const own = hostname().toLowerCase();
		if (isLoopback(this.host)) return isLoopback(name);
		return isIP(name.replace(/^\[|\]$/g, "")) !== 0 || isLoopback(name) || [this.host.toLowerCase(), own, `${own}.local`].includes(name);
	}

	#rateOf(address: string): RateLimit {
		let rate = this.#rates.get(address);
		if (!rate) {
			// Only a network full of addresses gets here; then all begin anew.
			if (this.#rates.size >= MAX_ADDRESSES) this.#rates.clear();
			rate = new RateLimit(REQUESTS_PER_SECOND, REQUESTS_AT_ONCE);
			this.#rates.set(address, rate);
		}
		return rate;
	}
}

/** For a request without the token, or with a wrong one. */
export const UNAUTHORIZED: Refusal = {
	status: 401,
	reason: "the token is missing or wrong",
	headers: { "WWW-Authenticate": 'Bearer realm="moddable-mcp"' },
};

const STATUS_TEXT: Readonly<Record<number, string>> = {
	400: "Bad Request",
	401: "Unauthorized",
	403: "Forbidden",
	404: "Not Found",
	429: "Too Many Requests",
	503: "Service Unavailable",
};

function hostnameOf(url: string): string | undefined {
	return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, reason, headers = {} }: Refusal): void {
	// What is left of the request is not read.
	request.unpipe();
	response.writeHead(status, { Connection: "close", "Content-Type": "application/json", ...headers });
	response.end(`${JSON.stringify({ error: reason })}\n`);
}
