// A connection that is made again whenever it ends, with backoff and a heartbeat, and parses each message.

import { Backoff, type BackoffLimits } from "../base/backoff.js";
import { Heartbeat, type Watched } from "../base/heartbeat.js";
import { Timeout, type Timers } from "../base/timers.js";
import type { Names } from "../mcp/host.js";
import type { Outlet, TextMessage } from "../mcp/json-rpc-writer.js";
import type { Connect, Transport, TransportCallbacks } from "../transports/transport.js";
import { type JsonMessage, MessageParser } from "./message-parser.js";

/** A peer that is silent for this long is pinged, and given up after as long again: 60 to 90 s after it was last heard. */
export const PING_INTERVAL_MS = 30_000;

/** The session that a connection is for; it is told everything. */
export interface ConnectionUser {
	/** What the log calls the connection. */
	readonly name: string;
	readonly log: (line: string) => void;
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
	onLost(reason: string): void;
}

/** What a connection needs of the server: timers, and the member names that messages may have. */
export interface ConnectionServer extends Names {
	readonly timers: Timers;
}

/** Keeps one connection alive from `start` to `close`; it may be started again. */
export class ReconnectingConnection implements TransportCallbacks, Watched, Outlet {
	private readonly user: ConnectionUser;
	private readonly connectTo: Connect;
	private readonly parser = new MessageParser();
	private readonly backoff: Backoff;
	private readonly server: ConnectionServer;
	/** Made when it is first needed, as most of a connection is. */
	private wait: Timeout | undefined;
	/** A network that is gone tells nobody: without this a dead connection would stay open for hours. */
	private readonly heartbeat: Heartbeat;
	private transport: Transport | undefined;
	private running = false;

	/**
	 * @param limits of the wait before connecting again
	 * @param random see `Backoff`
	 */
	constructor(user: ConnectionUser, connect: Connect, server: ConnectionServer, limits: BackoffLimits, random?: () => number) {
		this.user = user;
		this.connectTo = connect;
		this.backoff = new Backoff(limits, random);
		this.server = server;
		this.heartbeat = new Heartbeat(this, server.timers, PING_INTERVAL_MS);
	}

	/** Is so much waiting to go out that only replies should be added? */
	congested(): boolean {
		return this.transport?.congested ?? false;
	}

	/**
	 * Connects, and goes on connecting until `close`.
	 * @throws TypeError or RangeError for settings that can never work
	 */
	start(): void {
		if (this.running) return;
		this.running = true;
		this.connect();
	}

	send(text: string): void {
		this.transport?.send(text);
	}

	/** As `send`, for a message in texts that follow each other. */
	sendTexts(message: TextMessage): void {
		this.transport?.sendTexts(message);
	}

	/** The peer has turned out to be the right one: the next wait is a short one again. */
	resetBackoff(): void {
		this.backoff.reset();
	}

	/**
	 * Ends this connection and opens another one after a wait.
	 * @param quiet it has been said before: neither the log nor `onLost` hears of it
	 */
	reconnect(reason: string, quiet = false): void {
		if (!this.transport) return;
		this.end()?.close();
		this.lost(reason, quiet);
	}

	/** Ends the connection until `start` is called again. May be called twice. */
	close(): void {
		this.running = false;
		this.wait?.clear();
		if (!this.transport) return;
		this.end()?.close();
		this.user.onClose();
	}

	private connect(): void {
		this.transport = this.connectTo(this);
	}

	/** See `TransportCallbacks`; a transport that was closed calls none of them. */
	onOpen(): void {
		if (this.transport?.ping) this.heartbeat.start();
		this.user.onOpen();
	}

	onMessage(bytes: Uint8Array): void {
		this.heartbeat.alive = true;
		const user = this.user;
		if (user.onMessage) return user.onMessage(bytes);
		const message = this.parser.parse(bytes, this.server);
		if (message.problem === undefined) return user.onJson?.(message);
		const { problem, text, refused } = message;
		user.log(`${user.name}: ignored ${problem}`);
		if (refused) return user.onRefused?.(bytes, problem);
		user.onUnreadable?.(problem);
		if (text !== undefined) user.onNotJson?.(text);
	}

	onRefused(head: Uint8Array, problem: string): void {
		this.user.onRefused?.(head, problem);
	}

	onAlive(): void {
		this.heartbeat.alive = true;
	}

	onClose(reason: string): void {
		this.end();
		this.lost(reason);
	}

	/** See `Watched`. */
	ping(): void {
		this.transport?.ping?.();
	}

	onSilent(): void {
		this.reconnect(`no message for ${(2 * PING_INTERVAL_MS) / 1000} s, nor an answer to a ping`);
	}

	/** Whatever the transport says from now on is ignored. */
	private end(): Transport | undefined {
		const transport = this.transport;
		this.transport = undefined;
		this.heartbeat.stop();
		return transport;
	}

	private lost(reason: string, quiet = false): void {
		const user = this.user;
		user.onClose();
		if (!this.running) return;
		if (!quiet) user.onLost(reason);
		const delay = this.backoff.next();
		if (!quiet) user.log(`${user.name}: ${reason}; connecting again in ${(delay / 1000).toFixed(1)} s`);
		this.wait ??= new Timeout(this.server.timers);
		this.wait.set(delay, () => {
			try {
				this.connect();
			} catch (error) {
				this.lost(error instanceof Error ? error.message : String(error));
			}
		});
	}
}
