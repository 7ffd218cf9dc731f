// A transport under the test's hand: what the session sends is kept, what the peer sends is typed in.

import { joinTexts, type TextMessage } from "../../src/mcp/json-rpc-writer.js";
import type { Connect, Transport, TransportCallbacks } from "../../src/transports/transport.js";

/** One connection that a session has opened. */
export class HandTransport implements Transport {
	readonly sent: string[] = [];
	congested = false;
	closed = false;
	readonly callbacks: TransportCallbacks;

	constructor(callbacks: TransportCallbacks) {
		this.callbacks = callbacks;
	}

	send(text: string): void {
		this.sent.push(text);
	}

	sendTexts(message: TextMessage): void {
		this.send(joinTexts(message));
	}

	close(): void {
		this.closed = true;
	}

	/** Everything that was sent, parsed. */
	// biome-ignore lint/suspicious/noExplicitAny: messages are looked into freely
	messages(): any[] {
		return this.sent.map((text) => JSON.parse(text));
	}

	// biome-ignore lint/suspicious/noExplicitAny: messages are looked into freely
	last(): any {
		return JSON.parse(this.sent.at(-1) as string);
	}

	/** The peer sends an object as JSON, or a text or bytes as they are. */
	receive(message: unknown): void {
		const bytes = message instanceof Uint8Array ? message : Buffer.from(typeof message === "string" ? message : JSON.stringify(message));
		this.callbacks.onMessage(new Uint8Array(bytes));
	}
}

/** A `Connect` that hands every connection to the test. */
export function createHandConnect(): { connect: Connect; connections: HandTransport[] } {
	const connections: HandTransport[] = [];
	return {
		connections,
		connect(callbacks) {
			const transport = new HandTransport(callbacks);
			connections.push(transport);
			return transport;
		},
	};
}
