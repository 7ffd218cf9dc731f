// A connection that is opened again whenever it ends: backoff with jitter, and the first look at each message.

import type { Timers } from "../mcp/server.js";
import type { Connect, Transport } from "../transports/transport.js";
import { InboundReader } from "./inbound.js";

/**
 * How often a connection is looked at. One that was silent from one look to the next is pinged, and ended when it is
 * still silent at the look after: 60 to 90 s after the last sign of life.
 */
export const WATCH_INTERVAL_MS = 30_000;

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
	/** A connection was lost or could not be made, for the reason given in words. */
	onLost?: ((name: string, reason: string) => void) | undefined;
}

/** Keeps one connection alive from `start` to `close`. */
export class Link {
	readonly #options: LinkOptions;
	readonly #reader = new InboundReader();
	#transport: Transport | undefined;
	#timer: unknown;
	#watchTimer: unknown;
	#heard = false;
	#pinged = false;
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

	/** As `send`, for a message in texts that are one after the other. */
	sendTexts(texts: readonly string[], byteLength: number): void {
		const transport = this.#transport;
		if (transport?.sendTexts) transport.sendTexts(texts, byteLength);
		else transport?.send(texts.join(""));
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
		this.#clearWatch();
		transport.close();
		this.#down(reason);
	}

	/** Ends the connection for good. May be called twice. */
	close(): void {
		this.#running = false;
		this.#clearTimer();
		this.#clearWatch();
		const transport = this.#transport;
		this.#transport = undefined;
		if (!transport) return;
		transport.close();
		this.#options.onDown();
	}

	#connect(): void {
		const transport = this.#options.connect({
			onOpen: () => {
				if (this.#transport !== transport) return;
				if (transport.ping) this.#watch(transport);
				this.#options.onOpen();
			},
			onMessage: (bytes) => {
				if (this.#transport !== transport) return;
				this.#heard = true;
				this.#received(bytes);
			},
			onAlive: () => {
				this.#heard = true;
			},
			onClose: (reason) => {
				if (this.#transport !== transport) return;
				this.#transport = undefined;
				this.#clearWatch();
				this.#down(reason);
			},
		});
		this.#transport = transport;
	}

	/** A network that is gone tells nobody: without this a dead connection would stand for hours. */
	#watch(transport: Transport): void {
		this.#heard = false;
		this.#pinged = false;
		const look = () => {
			this.#watchTimer = undefined;
			if (!this.#heard && this.#pinged) return this.drop(`no message for ${(2 * WATCH_INTERVAL_MS) / 1000} s, nor an answer to a ping`);
			this.#pinged = !this.#heard;
			this.#heard = false;
			if (this.#pinged) transport.ping?.();
			this.#watchTimer = this.#options.timers.set(look, WATCH_INTERVAL_MS);
		};
		this.#watchTimer = this.#options.timers.set(look, WATCH_INTERVAL_MS);
	}

	#clearWatch(): void {
		if (this.#watchTimer !== undefined) this.#options.timers.clear(this.#watchTimer);
		this.#watchTimer = undefined;
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
		this.#options.onLost?.(name, reason);
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
