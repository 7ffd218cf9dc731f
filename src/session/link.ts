// A connection that is opened again whenever it ends: backoff with jitter, and the first look at each message.

import type { Timers } from "../mcp/server.js";
import type { Connect, Transport } from "../transports/transport.js";
import { InboundReader } from "./inbound.js";

export interface LinkOptions {
	/** What the log calls this connection. */
	name: string;
	connect: Connect;
	timers: Timers;
	/** The first wait before connecting again is between this and twice this, in milliseconds. */
	minimumDelayMs: number;
	/** The longest wait, in milliseconds. */
	maximumDelayMs: number;
	/** A number from 0 up to 1; `Math.random` where it is not given. */
	random?: (() => number) | undefined;
	log: (line: string) => void;
	/** The member names that messages may have. */
	names(): readonly string[];
	/** The connection stands. */
	onOpen(): void;
	/** A message that is JSON. */
	onValue?(value: unknown): void;
	/** Takes every message as it comes, for a protocol whose messages are no JSON; the bytes are valid only during the call. */
	onBytes?(bytes: Uint8Array): void;
	/** A message that is not JSON; such a text is never answered, since some servers echo it. */
	onText?(text: string): void;
	/** The connection is over. */
	onDown(): void;
}

/** Keeps one connection alive from `start` to `close`. */
export class Link {
	readonly #options: LinkOptions;
	readonly #reader = new InboundReader();
	#transport: Transport | undefined;
	#timer: unknown;
	#attempts = 0;
	#running = false;

	constructor(options: LinkOptions) {
		this.#options = options;
	}

	/** Is so much waiting to go out that only replies should be added? */
	get congested(): boolean {
		return this.#transport?.congested ?? false;
	}

	/**
	 * Connects, and goes on connecting until `close`.
	 * @throws TypeError or RangeError for settings that can never work
	 */
	start(): void {
		if (this.#running) return;
		this.#running = true;
		this.#connect();
	}

	send(text: string): void {
		this.#transport?.send(text);
	}

	/** The peer has shown itself to be the right one: the next wait is a short one again. */
	established(): void {
		this.#attempts = 0;
	}

	/** Ends this connection and opens another one after a wait. */
	drop(reason: string): void {
		const transport = this.#transport;
		if (!transport) return;
		this.#transport = undefined;
		transport.close();
		this.#down(reason);
	}

	/** Ends the connection for good. May be called twice. */
	close(): void {
		this.#running = false;
		this.#clearTimer();
		const transport = this.#transport;
		this.#transport = undefined;
		if (!transport) return;
		transport.close();
		this.#options.onDown();
	}

	#connect(): void {
		const transport = this.#options.connect({
			onOpen: () => {
				if (this.#transport === transport) this.#options.onOpen();
			},
			onMessage: (bytes) => {
				if (this.#transport === transport) this.#received(bytes);
			},
			onClose: (reason) => {
				if (this.#transport !== transport) return;
				this.#transport = undefined;
				this.#down(reason);
			},
		});
		this.#transport = transport;
	}

	#received(bytes: Uint8Array): void {
		if (this.#options.onBytes) return this.#options.onBytes(bytes);
		const inbound = this.#reader.read(bytes, this.#options.names());
		if ("value" in inbound) return this.#options.onValue?.(inbound.value);
		this.#options.log(`${this.#options.name}: ignored ${inbound.problem}`);
		if (inbound.text !== undefined) this.#options.onText?.(inbound.text);
	}

	#down(reason: string): void {
		const { name, log, minimumDelayMs, maximumDelayMs, random = Math.random, timers } = this.#options;
		this.#options.onDown();
		if (!this.#running) return;
		const most = Math.min(maximumDelayMs, minimumDelayMs * 2 ** (this.#attempts + 1));
		const delay = Math.round((most / 2) * (1 + random()));
		if (this.#attempts < 30) this.#attempts++;
		log(`${name}: ${reason}; connecting again in ${(delay / 1000).toFixed(1)} s`);
		this.#clearTimer();
		this.#timer = timers.set(() => {
			this.#timer = undefined;
			if (!this.#running) return;
			try {
				this.#connect();
			} catch (error) {
				this.#down(error instanceof Error ? error.message : String(error));
			}
		}, delay);
	}

	#clearTimer(): void {
		if (this.#timer !== undefined) this.#options.timers.clear(this.#timer);
		this.#timer = undefined;
	}
}
