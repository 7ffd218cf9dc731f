// Carries the messages of the MCP client library to one device, in the xiaozhi envelope or bare.

import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { nextTurn } from "../simulator/turn.js";
import { excerpt } from "./json.js";

/** What a transport needs of the connection under it. */
export interface DeviceTransportOptions {
	/** Goes into every envelope as `session_id`. Without it, messages travel bare, as on an MCP endpoint. */
	sessionId?: string;
	/** Sends one text message. */
	write(text: string): void;
}

/**
 * A custom transport of the MCP client: `{"session_id", "type":"mcp", "payload": JSON-RPC}` both ways, or JSON-RPC alone.
 * It does not own the connection: whoever does calls `receive` for each payload and `close` when the connection is over.
 *
 * The library's own `sessionId` member stays undefined on purpose: the client takes a transport that has one for resumed
 * and skips `initialize`.
 */
export class DeviceTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: (message: JSONRPCMessage) => void;

	readonly #options: DeviceTransportOptions;
	readonly #inbox: JSONRPCMessage[] = [];
	#delivering = false;
	#closed = false;

	constructor(options: DeviceTransportOptions) {
		this.#options = options;
	}

	async start(): Promise<void> {}

	/** @throws Error after `close`. */
	async send(message: JSONRPCMessage): Promise<void> {
		if (this.#closed) throw new Error("the connection to the device is over");
		const { sessionId, write } = this.#options;
		write(JSON.stringify(sessionId === undefined ? message : { session_id: sessionId, type: "mcp", payload: message }));
	}

	/**
	 * Takes one JSON-RPC message. Anything else goes to `onerror` and nowhere else.
	 *
	 * Messages that come together are handed on one a turn: the client looks at notifications late, and would forget the
	 * progress of a call whose result is already there.
	 */
	receive(payload: unknown): void {
		if (this.#closed) return;
		let message: JSONRPCMessage;
		try {
			message = parseJSONRPCMessage(payload);
		} catch {
			this.onerror?.(new Error(`not a JSON-RPC 2.0 message: ${excerpt(payload)}`));
			return;
		}
		this.#inbox.push(message);
		if (!this.#delivering) this.#deliver();
	}

	/** Ends the MCP session; the library rejects the requests that wait. May be called twice. */
	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		// What came before the end counts.
		for (const message of this.#inbox.splice(0)) this.onmessage?.(message);
		this.onclose?.();
	}

	#deliver(): void {
		const message = this.#inbox.shift();
		this.#delivering = message !== undefined;
		if (!message) return;
		nextTurn(() => this.#deliver());
		this.onmessage?.(message);
	}
}
