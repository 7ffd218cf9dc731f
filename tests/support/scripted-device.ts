// A device that says exactly what a test tells it to, over a real WebSocket.

import { WebSocket } from "ws";

/** A message of the envelope, as parsed JSON. */
export interface EnvelopeMessage {
	type?: unknown;
	session_id?: unknown;
	payload?: { id?: unknown; method?: string; params?: Record<string, unknown> };
}

export const DEVICE_HEADERS = {
	"Protocol-Version": "1",
	"Device-Id": "AA:bb:cc:dd:ee:01",
	"Client-Id": "5f3b1f0e-2c4d-4a6b-8c8d-9e0f1a2b3c4d",
};

export const HELLO = {
	type: "hello",
	version: 1,
	features: { mcp: true },
	transport: "websocket",
	audio_params: { format: "opus", sample_rate: 16000, channels: 1, frame_duration: 60 },
};

/** Answers a request; what it returns becomes `result`, what it throws as `{code, message}` becomes `error`. */
export type Answer = (params: Record<string, unknown>) => unknown;

export class ScriptedDevice {
	/** Every text message that came, in order. */
	readonly received: EnvelopeMessage[] = [];
	/** Resolves with the close code and reason. */
	readonly closed: Promise<{ code: number; reason: string }>;
	sessionId: unknown;
	readonly #socket: WebSocket;
	readonly #answers: Record<string, Answer>;
	#waiting: { matches: (message: EnvelopeMessage) => boolean; resolve: (message: EnvelopeMessage) => void }[] = [];

	private constructor(socket: WebSocket, answers: Record<string, Answer>) {
		this.#socket = socket;
		this.#answers = answers;
		this.closed = new Promise((resolve) => socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() })));
		socket.on("message", (data) => this.#onMessage(JSON.parse(data.toString()) as EnvelopeMessage));
	}

	/**
	 * Connects; no hello yet.
	 * @throws Error with the HTTP status when the upgrade is refused
	 */
	static connect(url: string, answers: Record<string, Answer> = {}, headers: Record<string, string> = DEVICE_HEADERS): Promise<ScriptedDevice> {
		return new Promise((resolve, reject) => {
			const socket = new WebSocket(url, { headers, perMessageDeflate: false });
			const device = new ScriptedDevice(socket, answers);
			socket.on("open", () => resolve(device));
			socket.on("error", reject);
		});
	}

	send(message: unknown): void {
		this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
	}

	/** Sends JSON-RPC in the envelope of the session. */
	sendMcp(payload: unknown): void {
		this.send({ session_id: this.sessionId, type: "mcp", payload });
	}

	/** Says hello and waits for the answer. */
	async hello(): Promise<void> {
		const answer = this.next((message) => message.type === "hello");
		this.send(HELLO);
		await answer;
	}

	/** The next message that fits. */
	next(matches: (message: EnvelopeMessage) => boolean): Promise<EnvelopeMessage> {
		return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
	}

	/** Ends the connection without a word. */
	breakOff(): void {
		this.#socket.terminate();
	}

	close(): void {
		this.#socket.close();
	}

	#onMessage(message: EnvelopeMessage): void {
		this.received.push(message);
		// At once, because the next message may be a request that is answered before anyone wakes up.
		if (message.type === "hello") this.sessionId = message.session_id;
		for (const waiting of this.#waiting.filter(({ matches }) => matches(message))) {
			this.#waiting = this.#waiting.filter((other) => other !== waiting);
			waiting.resolve(message);
		}
		const { id, method, params } = message.payload ?? {};
		const answer = method === undefined || id === undefined ? undefined : this.#answers[method];
		if (!answer) return;
		try {
			this.sendMcp({ jsonrpc: "2.0", id, result: answer(params ?? {}) });
		} catch (error) {
			this.sendMcp({ jsonrpc: "2.0", id, error });
		}
	}
}
