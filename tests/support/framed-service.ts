// A small framed service as seed 001 describes it: authorisation, heartbeat, services of the clients, calls of them.

import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";

const HEAD = "##START";
const TAIL = "##END";
const KINDS = { auth: 1, audio: 2, end: 3, text: 4, status: 5, mcp: 6 } as const;

export interface FramedServiceOptions {
	/** The token that is let in. */
	token?: string;
	/** How frames are written: the sequence bare or in brackets, as the seed prints it. */
	brackets?: boolean;
	/** The bytes of each write; frames go out whole and joined where it is not given. */
	step?: number;
	/** Does it answer the authorisation? */
	mute?: boolean;
	/** Does it answer pings? */
	deaf?: boolean;
}

/** A service that a client offers. */
export interface Service {
	description: string;
	parameters: { type: "object"; properties: Record<string, Record<string, unknown>>; required?: string[] };
}

/** A frame as it came. */
export interface Frame {
	kind: number;
	task: string;
	sequence: string;
	body: string;
}

interface Waiter {
	matches: (frame: Frame) => boolean;
	resolve: (frame: Frame) => void;
}

/** One client's connection. */
export class FramedClient {
	readonly socket: Socket;
	/** Settles when the connection is over. */
	readonly closed: Promise<void>;
	/** Every frame so far. */
	readonly frames: Frame[] = [];
	/** What the client offers, once it has registered. */
	services: Record<string, Service> = {};
	readonly #options: FramedServiceOptions;
	readonly #waiting = new Set<Waiter>();
	#unread: Frame[] = [];
	#bytes = Buffer.alloc(0);
	#calls = 0;

	constructor(socket: Socket, options: FramedServiceOptions) {
		this.socket = socket;
		this.#options = options;
		this.closed = new Promise((resolve) => socket.on("close", () => resolve()));
		socket.setNoDelay(true);
		socket.on("error", () => {});
		socket.on("data", (data) => {
			this.#bytes = Buffer.concat([this.#bytes, data]);
			for (;;) {
				const start = this.#bytes.indexOf(HEAD);
				const end = start < 0 ? -1 : this.#bytes.indexOf(TAIL, start);
				if (end < 0) return;
				const text = this.#bytes.subarray(start + HEAD.length, end).toString();
				this.#bytes = this.#bytes.subarray(end + TAIL.length);
				const [, sequence = "", body = ""] = /^(\d{4}|\[\d{4}\])(.*)$/s.exec(text.slice(9)) ?? [];
				this.#received({ kind: text.charCodeAt(0), task: text.slice(1, 9), sequence, body });
			}
		});
	}

	/** The next frame that matches, also one of the past that nobody has taken. */
	frame(matches: (frame: Frame) => boolean): Promise<Frame> {
		const past = this.#unread.findIndex(matches);
		if (past >= 0) return Promise.resolve(this.#unread.splice(past, 1)[0] as Frame);
		return new Promise((resolve) => this.#waiting.add({ matches, resolve }));
	}

	/** Settles with what the client offers, when it registers next. */
	async registered(): Promise<Record<string, Service>> {
		await this.frame(({ kind, body }) => kind === KINDS.mcp && JSON.parse(body).type === "register");
		return this.services;
	}

	/** Calls one of the client's services and takes its result. */
	async call(
		method: string,
		params?: unknown,
		callId: unknown = `call_${String(++this.#calls).padStart(3, "0")}`,
	): Promise<{ success: boolean; data?: unknown; error?: string }> {
		this.mcp({ type: "call", data: { call_id: callId, method, params } });
		const { body } = await this.frame(({ kind, body }) => {
			if (kind !== KINDS.mcp) return false;
			const { type, data } = JSON.parse(body);
			return type === "result" && JSON.stringify(data.call_id) === JSON.stringify(callId);
		});
		return JSON.parse(body).data.result;
	}

	/** Sends an MCP message. */
	mcp(message: unknown): void {
		this.send(KINDS.mcp, "mcp00001", JSON.stringify(message).replaceAll(TAIL, "\\u0023\\u0023END"));
	}

	send(kind: number, task: string, body: string): void {
		this.write(this.encode(kind, task, body));
	}

	encode(kind: number, task: string, body: string): Buffer {
		const sequence = this.#options.brackets ? "[0000]" : "0000";
		return Buffer.from(`${HEAD}${String.fromCharCode(kind)}${task}${sequence}${body}${TAIL}`);
	}

	/** Writes bytes, cut as the service is told to cut them. */
	write(bytes: Buffer): void {
		const { step = bytes.length } = this.#options;
		for (let at = 0; at < bytes.length; at += step) this.socket.write(bytes.subarray(at, at + step));
	}

	#received(frame: Frame): void {
		this.frames.push(frame);
		if (frame.kind === KINDS.auth) this.#authorise(frame.body);
		else if (frame.kind === KINDS.status && frame.body === "##PING" && !this.#options.deaf) this.send(KINDS.status, frame.task, "##INFO:PONG");
		else if (frame.kind === KINDS.status && frame.body === "##DISCONNECT") this.socket.end();
		else if (frame.kind === KINDS.mcp) {
			const message = JSON.parse(frame.body);
			if (message.type === "register") this.services = message.data.services;
		}
		for (const waiter of this.#waiting)
			if (waiter.matches(frame)) {
				this.#waiting.delete(waiter);
				waiter.resolve(frame);
				return;
			}
		this.#unread.push(frame);
	}

	#authorise(body: string): void {
		const { token, mute } = this.#options;
		if (mute) return;
		if (token === undefined || body.startsWith(`${token}##`)) this.send(KINDS.auth, "00000000", "##INFO:OK");
		else {
			this.send(KINDS.auth, "00000000", "##ERROR:token 无效");
			this.socket.end();
		}
	}
}

/** The service on 127.0.0.1. */
export class FramedService {
	readonly #server: Server;
	readonly #clients: FramedClient[] = [];
	readonly #waiting: ((client: FramedClient) => void)[] = [];
	readonly #sockets = new Set<Socket>();

	static async listen(options: FramedServiceOptions = {}): Promise<FramedService> {
		const service = new FramedService(options);
		await new Promise<void>((resolve) => service.#server.listen(0, "127.0.0.1", () => resolve()));
		return service;
	}

	private constructor(options: FramedServiceOptions) {
		this.#server = createServer((socket) => {
			this.#sockets.add(socket);
			socket.on("close", () => this.#sockets.delete(socket));
			const client = new FramedClient(socket, options);
			const waiting = this.#waiting.shift();
			if (waiting) waiting(client);
			else this.#clients.push(client);
		});
	}

	get address(): string {
		return `tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	/** The next client that connects. */
	client(): Promise<FramedClient> {
		const client = this.#clients.shift();
		return client ? Promise.resolve(client) : new Promise((resolve) => this.#waiting.push(resolve));
	}

	async close(): Promise<void> {
		for (const socket of this.#sockets) socket.destroy();
		await new Promise((resolve) => this.#server.close(resolve));
	}
}
