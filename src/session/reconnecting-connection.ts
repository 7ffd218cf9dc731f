// A connection that is made again whenever it ends, with backoff and a heartbeat, and parses each message.

import { Backoff } from "../base/backoff.js";
import { Heartbeat } from "../base/heartbeat.js";
import { Timeout, type Timers } from "../base/timers.js";
import type { Connect, Transport } from "../transports/transport.js";
import { type JsonMessage, MessageParser } from "./message-parser.js";

/** A peer that is silent for this long is pinged, and given up after as long again: 60 to 90 s after it was last heard. */
export const PING_INTERVAL_MS = 30_000;

export interface ReconnectingConnectionOptions {
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
	onOpen(): void;
	/** A message that is JSON. */
	onJson?(message: JsonMessage): void;
	/** Takes every message as it comes, for a protocol whose messages are not JSON; the bytes are valid only during the call. */
	onMessage?(bytes: Uint8Array): void;
	/** A message was refused unread: the whole of it or its beginning, and why. */
	onRefused?(bytes: Uint8Array, problem: string): void;
	/** A message that is not JSON. Such a text is never answered, since some servers echo it. */
	onNotJson?(text: string): void;
	/** A message that cannot be read, for the reason given. */
	onUnreadable?(problem: string): void;
	/** The connection that was open or being opened is over. */
	onClose(): void;
	/** A connection was lost or could not be made, for this reason. */
	onLost?: ((name: string, reason: string) => void) | undefined;
}

/** Keeps one connection alive from `start` to `close`; it may be started again. */
export class ReconnectingConnection {
	readonly #options: ReconnectingConnectionOptions;
	readonly #parser = new MessageParser();
	readonly #backoff: Backoff;
	readonly #wait: Timeout;
	/** A network that is gone tells nobody: without this a dead connection would stay open for hours. */
	readonly #heartbeat: Heartbeat;
	#transport: Transport | undefined;
	#running = false;

	constructor(options: ReconnectingConnectionOptions) {
		const { timers, minimumDelayMs, maximumDelayMs, random } = options;
		this.#options = options;
		this.#backoff = new Backoff({ minimumMs: minimumDelayMs, maximumMs: maximumDelayMs, random });
		this.#wait = new Timeout(timers);
		this.#heartbeat = new Heartbeat({
			timers,
			intervalMs: PING_INTERVAL_MS,
			ping: () => this.#transport?.ping?.(),
			onSilent: () => this.reconnect(`no message for ${(2 * PING_INTERVAL_MS) / 1000} s, nor an answer to a ping`),
		});
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

	/** As `send`, for a message in texts that follow each other. */
	sendTexts(texts: readonly string[], byteLength: number): void {
		const transport = this.#transport;
		if (transport?.sendTexts) transport.sendTexts(texts, byteLength);
		else transport?.send(texts.join(""));
	}

	/** The peer has turned out to be the right one: the next wait is a short one again. */
	resetBackoff(): void {
		this.#backoff.reset();
	}

	/**
	 * Ends this connection and opens another one after a wait.
	 * @param quiet it has been said before: neither the log nor `onLost` hears of it
	 */
	reconnect(reason: string, quiet = false): void {
		if (!this.#transport) return;
		this.#end()?.close();
		this.#lost(reason, quiet);
	}

	/** Ends the connection until `start` is called again. May be called twice. */
	close(): void {
		this.#running = false;
		this.#wait.clear();
		if (!this.#transport) return;
		this.#end()?.close();
		this.#options.onClose();
	}

	#connect(): void {
		const transport = this.#options.connect({
			onOpen: () => {
				if (this.#transport !== transport) return;
				if (transport.ping) this.#heartbeat.start();
				this.#options.onOpen();
			},
			onMessage: (bytes) => {
				if (this.#transport !== transport) return;
				this.#heartbeat.heard();
				this.#received(bytes);
			},
			onRefused: (head, problem) => {
				if (this.#transport === transport) this.#options.onRefused?.(head, problem);
			},
			onAlive: () => {
				if (this.#transport === transport) this.#heartbeat.heard();
			},
			onClose: (reason) => {
				if (this.#transport !== transport) return;
				this.#end();
				this.#lost(reason);
			},
		});
		this.#transport = transport;
	}

	/** Whatever the transport says from now on is ignored. */
	#end(): Transport | undefined {
		const transport = this.#transport;
		this.#transport = undefined;
		this.#heartbeat.stop();
		return transport;
	}

	#received(bytes: Uint8Array): void {
		const { name, log, names, onJson, onMessage, onNotJson, onRefused, onUnreadable } = this.#options;
		if (onMessage) return onMessage(bytes);
		const message = this.#parser.parse(bytes, names());
		if ("value" in message) return onJson?.(message);
		const { problem, text, refused } = message;
		log(`${name}: ignored ${problem}`);
		if (refused) return onRefused?.(bytes, problem);
		onUnreadable?.(problem);
		if (text !== undefined) onNotJson?.(text);
	}

	#lost(reason: string, quiet = false): void {
		const { name, log, onClose, onLost } = this.#options;
		onClose();
		if (!this.#running) return;
		if (!quiet) onLost?.(name, reason);
		const delay = this.#backoff.next();
		if (!quiet) log(`${name}: ${reason}; connecting again in ${(delay / 1000).toFixed(1)} s`);
		this.#wait.set(delay, () => {
			try {
				this.#connect();
			} catch (error) {
				this.#lost(error instanceof Error ? error.message : String(error));
			}
		});
	}
}
