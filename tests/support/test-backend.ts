// The backend's side of a real WebSocket, under the test's hand: what the device sends waits until the test takes it.

import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Server } from "node:tls";
import { type WebSocket, WebSocketServer } from "ws";
import type { Certificate } from "./certificates.mjs";

// biome-ignore lint/suspicious/noExplicitAny: messages are looked into freely
export type Message = any;

/** Values that arrive one by one, and readers that wait for them. */
class Inbox<T> {
	readonly #items: T[] = [];
	readonly #waiting: ((item: T) => void)[] = [];

	put(item: T): void {
		const reader = this.#waiting.shift();
		if (reader) reader(item);
		else this.#items.push(item);
	}

	take(): Promise<T> {
		const item = this.#items.shift();
		if (item !== undefined) return Promise.resolve(item);
		return new Promise((resolve) => this.#waiting.push(resolve));
	}

	get length(): number {
		return this.#items.length;
	}
}

/** One connection of a device. */
export class BackendConnection {
	readonly socket: WebSocket;
	readonly request: IncomingMessage;
	/** Settles with the close code when the device has gone. */
	readonly closed: Promise<number>;
	/** How many messages the device has sent on this connection, notifications not counted. */
	received = 0;
	readonly #inbox = new Inbox<Message>();
	readonly #notifications = new Inbox<Message>();
	#nextId = 1000;

	constructor(socket: WebSocket, request: IncomingMessage) {
		this.socket = socket;
		this.request = request;
		this.closed = new Promise((resolve) => socket.on("close", resolve));
		socket.on("message", (data: Buffer, isBinary) => {
			const message = isBinary ? data : JSON.parse(data.toString());
			const payload = message.type === "mcp" ? message.payload : message.jsonrpc ? message : undefined;
			if (payload && payload.id === undefined) return this.#notifications.put(payload);
			this.received++;
			this.#inbox.put(message);
		});
	}

	/** The next message of the device that is no notification, parsed. */
	next(): Promise<Message> {
		return this.#inbox.take();
	}

	/** The next notification: its payload. */
	notification(): Promise<Message> {
		return this.#notifications.take();
	}

	/** The payload of the next message of type `mcp` that is no notification. */
	async reply(): Promise<Message> {
		for (;;) {
			const { type, payload } = await this.next();
			if (type === "mcp") return payload;
		}
	}

	/** How many messages wait to be taken. */
	get waiting(): number {
		return this.#inbox.length;
	}

	/** Sends an object as JSON; a text or bytes as they are. */
	send(message: unknown): void {
		if (typeof message === "string") this.socket.send(message);
		else if (Buffer.isBuffer(message)) this.socket.send(message, { binary: false });
		else this.socket.send(JSON.stringify(message));
	}

	/** Sends a JSON-RPC request in the envelope. */
	sendRequest(method: string, params?: unknown, id: string | number = this.#nextId++, more: object = {}): void {
		this.send({ ...more, type: "mcp", payload: { jsonrpc: "2.0", id, method, params } });
	}

	/** Sends a request and takes the reply with its id; replies to other requests are dropped. */
	async ask(method: string, params?: unknown, id: string | number = this.#nextId++): Promise<Message> {
		this.sendRequest(method, params, id);
		for (;;) {
			const reply = await this.reply();
			if (reply.id === id) return reply;
		}
	}

	/** Calls a tool and returns the text of its result; a JSON-RPC error rejects. */
	async call(name: string, args?: unknown): Promise<string> {
		const reply = await this.ask("tools/call", { name, arguments: args });
		if (reply.error) throw new Error(`${reply.error.code} ${reply.error.message}`);
		return reply.result.content[0].text;
	}

	/** Takes the device's hello and answers it. */
	async hello(sessionId: unknown = "session-1"): Promise<Message> {
		const hello = await this.next();
		this.send({ type: "hello", transport: "websocket", session_id: sessionId });
		return hello;
	}
}

export interface TestBackendOptions {
	port?: number;
	/** Speaks wss:// with this certificate and key, as "localhost". */
	certificate?: Certificate;
	/** Decides on an upgrade request: 101 lets it through, anything else is the HTTP status of the refusal. */
	verify?(request: IncomingMessage): number;
}

/** A WebSocket server on 127.0.0.1. */
export class TestBackend {
	readonly #server: WebSocketServer;
	/** Below the WebSocket server, where it speaks wss://. */
	readonly #secure: Server | undefined;
	readonly #connections = new Inbox<BackendConnection>();

	static listen(options: TestBackendOptions = {}): Promise<TestBackend> {
		return new Promise((resolve, reject) => {
			const { certificate, port = 0 } = options;
			const place = { host: "127.0.0.1", port };
			const secure = certificate && createServer({ key: certificate.key, cert: certificate.pem });
			const server = new WebSocketServer({
				...(secure ? { server: secure } : place),
				maxPayload: 1 << 22,
				verifyClient: ({ req }, done) => {
					const status = options.verify?.(req) ?? 101;
					done(status === 101, status);
				},
			});
			server.once("error", reject);
			server.once("listening", () => resolve(new TestBackend(server, secure)));
			secure?.listen(place);
		});
	}

	private constructor(server: WebSocketServer, secure: Server | undefined) {
		this.#server = server;
		this.#secure = secure;
		server.on("connection", (socket, request) => this.#connections.put(new BackendConnection(socket, request)));
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	get url(): string {
		return `${this.#secure ? "wss://localhost" : "ws://127.0.0.1"}:${this.port}/xiaozhi/v1/`;
	}

	/** Shows another certificate from the next connection on. */
	show({ key, pem }: Certificate): void {
		this.#secure?.setSecureContext({ key, cert: pem });
	}

	/** The next device that connects. */
	connection(): Promise<BackendConnection> {
		return this.#connections.take();
	}

	/** The next device that connects, after its hello was answered. */
	async session(sessionId: unknown = "session-1"): Promise<BackendConnection> {
		const connection = await this.connection();
		await connection.hello(sessionId);
		return connection;
	}

	async close(): Promise<void> {
		for (const client of this.#server.clients) client.terminate();
		await new Promise((resolve) => this.#server.close(resolve));
		const secure = this.#secure;
		if (secure) await new Promise((resolve) => secure.close(resolve));
	}
}
