// A transport for the official client libraries over the backend's end of a device's WebSocket, raw or in the envelope.

import type { WebSocket } from "ws";

// biome-ignore lint/suspicious/noExplicitAny: both libraries' message types fit
type AnyMessage = any;

/** Fits the `Transport` interface of both major lines of the official client. */
export class SocketTransport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: (message: AnyMessage) => void;
	/** Every payload that the device has sent. */
	readonly received: AnyMessage[] = [];
	readonly #socket: WebSocket;
	readonly #enveloped: boolean;

	constructor(socket: WebSocket, enveloped: boolean) {
		this.#socket = socket;
		this.#enveloped = enveloped;
		socket.on("message", (data: Buffer) => {
			const message = JSON.parse(data.toString());
			if (enveloped && message.type !== "mcp") return;
			const payload = enveloped ? message.payload : message;
			this.received.push(payload);
			this.onmessage?.(payload);
		});
		socket.on("close", () => this.onclose?.());
	}

	async start(): Promise<void> {}

	async send(message: AnyMessage): Promise<void> {
		this.#socket.send(JSON.stringify(this.#enveloped ? { session_id: "session-1", type: "mcp", payload: message } : message));
	}

	async close(): Promise<void> {
		this.#socket.close(1000);
	}
}
