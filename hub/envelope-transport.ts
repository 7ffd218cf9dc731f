// Carries the messages of the MCP client library inside the xiaozhi envelope of one WebSocket session.

import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";

/** What an envelope transport needs of the connection under it. */
export interface EnvelopeTransportOptions {
	/** Goes into every envelope as `session_id`. */
	sessionId: string;
	/** Sends one text frame. */
	write(text: string): void;
}

/**
 * A custom transport of the MCP client: `{"session_id", "type":"mcp", "payload": JSON-RPC}` both ways.
 * It does not own the connection: whoever does calls `receive` for each payload and `close` when the connection is over.
 *
 * The library's own `sessionId` member stays undefined on purpose: a transport that has one is taken for resumed, and
 * the client then skips `initialize`.
 */
export class EnvelopeTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: (message: JSONRPCMessage) => void;
	/** The revision that client and device agreed on; undefined before `initialize` was answered. */
	protocolVersion: string | undefined;

	readonly #options: EnvelopeTransportOptions;
	#closed = false;

	constructor(options: EnvelopeTransportOptions) {
		this.#options = options;
	}

	async start(): Promise<void> {}

	/** @throws Error after `close`. */
	async send(message: JSONRPCMessage): Promise<void> {
		if (this.#closed) throw new Error("the connection to the device is over");
		this.#options.write(JSON.stringify({ session_id: this.#options.sessionId, type: "mcp", payload: message }));
	}

	setProtocolVersion(version: string): void {
		this.protocolVersion = version;
	}

	/** Takes the `payload` of one envelope. What is not a JSON-RPC message goes to `onerror` and nowhere else. */
	receive(payload: unknown): void {
		if (this.#closed) return;
		const parsed = JSONRPCMessageSchema.safeParse(payload);
		if (parsed.success) this.onmessage?.(parsed.data);
		else this.onerror?.(new Error(`not a JSON-RPC 2.0 message: ${excerpt(payload)}`));
	}

	/** Ends the MCP session; requests that wait are rejected by the library. May be called twice. */
	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		this.onclose?.();
	}
}

function excerpt(value: unknown): string {
	const text = JSON.stringify(value) ?? "nothing";
	return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
