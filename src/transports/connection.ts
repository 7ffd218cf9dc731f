// The base of all transports over a network socket: the outbound queue, a few deliveries at once, time limits, and one end.

import { concatBytes } from "../base/bytes.js";
import { errorText, oneLine } from "../base/text.js";
import { Timeout, type Timers } from "../base/timers.js";
import type { HostPort } from "../net/address.js";
import { ConnectionState, lostReason } from "../net/connection-state.js";
import { OutboundMessage, type TextMessage } from "../net/outbound-message.js";
import { CONGESTED_BYTES, MAX_INBOUND_BYTES, MAX_QUEUED_BYTES, REFUSED_HEAD_BYTES, type Transport, type TransportCallbacks } from "./transport.js";

/** From `connect` to the open connection: name lookup, TCP, TLS and the peer's answers together. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** How long `close` waits for the queue to drain and for the peer's own close. */
export const CLOSE_TIMEOUT_MS = 1_000;
/** A peer that takes nothing for this long while data waits is given up. */
export const STALL_TIMEOUT_MS = 20_000;

/** So many messages are delivered at once, and as many again when the promises that they made have had their time. */
const TURN_MESSAGES = 2;
/** So long is a chain of promises between a message and its answer, if nothing else is waited for. */
const TURN_PROMISES = 6;
/** After so many messages out of one event other events come first. */
const EVENT_MESSAGES = 8;
/** With 0 the simulator's timers would keep promises waiting. */
const PAUSE_MS = 1;

/** A message that comes in pieces, in a buffer that grows up to `MAX_INBOUND_BYTES`. */
export class InboundMessage {
	/** All of it, kept or not. */
	byteLength = 0;
	#bytes: Uint8Array | undefined;

	/** The beginning of a message that is too long. */
	#head: Uint8Array | undefined;

	/**
	 * @param last is it the last piece?
	 * @param due how many bytes are still to come, as far as that is known
	 */
	add(piece: Uint8Array, last: boolean, due = 0): void {
		const before = this.byteLength;
		const needed = before + piece.byteLength;
		this.byteLength = needed;
		let bytes = this.#bytes;
		if (needed > MAX_INBOUND_BYTES) {
			if (!this.#head) {
				const kept = Math.min(before, REFUSED_HEAD_BYTES);
				this.#head = concatBytes((bytes ?? piece).subarray(0, kept), piece.subarray(0, REFUSED_HEAD_BYTES - kept));
			}
			this.#bytes = undefined;
			return;
		}
		if (piece.byteLength === 0) return;
		if (!bytes && last) {
			this.#bytes = piece;
			return;
		}
		if (!bytes || bytes.byteLength < needed) {
			// At once or in few steps, since the one before is still there while it is copied.
			const wanted = last || due > 0 ? needed + due : Math.max(needed * 4, 1024);
			const larger = new Uint8Array(Math.min(MAX_INBOUND_BYTES, wanted));
			if (bytes) larger.set(bytes.subarray(0, before));
			this.#bytes = bytes = larger;
		}
		bytes.set(piece, before);
	}

	/** The first bytes of a message that is too long; undefined for others, and once it was taken. */
	get head(): Uint8Array | undefined {
		return this.#head;
	}

	/** Ends the message: its bytes, undefined where they were dropped or there were none. */
	take(): Uint8Array | undefined {
		const bytes = this.#bytes?.subarray(0, this.byteLength);
		this.#bytes = undefined;
		this.#head = undefined;
		this.byteLength = 0;
		return bytes;
	}
}

/** What every transport over a network socket is given. */
export interface ConnectionOptions {
	readonly timers: Timers;
	/** Takes single lines about what was ignored. Reasons for an end go to `onClose` instead. */
	readonly log?: ((line: string) => void) | undefined;
	/** Begins those lines. */
	readonly name?: string | undefined;
}

/**
 * One connection of a transport.
 *
 * What waits to go out is bounded by `MAX_QUEUED_BYTES`; past it the connection ends. A few messages are delivered per turn,
 * so that what they cause is queued, and counted, before the next, and none while the connection is congested: what the peer
 * sends then waits in its own TCP.
 */
export abstract class Connection implements Transport {
	protected readonly peer: HostPort;
	protected readonly connection: ConnectionState;
	readonly #log: ((line: string) => void) | undefined;
	readonly #name: string | undefined;
	protected state: "connecting" | "open" | "closing" | "closed" = "connecting";
	/** How many bytes may be written now. */
	protected writable = 0;
	/** The peer has closed its side: nothing can be sent any more. */
	protected peerClosed = false;
	#callbacks: TransportCallbacks | undefined;
	/** The limit of connecting, closing or standing still, whichever applies. */
	readonly #limit: Timeout;
	readonly #turn: Timeout;
	readonly #ending: Timeout;
	#queue: OutboundMessage[] = [];
	#queuedBytes = 0;
	/** Whole messages that came in one read with the one before them. */
	#waiting: Uint8Array[] = [];
	/** Messages delivered since the last event below, and how many may be. */
	#delivered = 0;
	#allowed = TURN_MESSAGES;
	/** The event that they are counted from. */
	#event = 0;
	#delivering = false;
	/** Will more be allowed? */
	#resting = false;
	#leaving = false;

	constructor(peer: HostPort, callbacks: TransportCallbacks, { timers, log, name }: ConnectionOptions) {
		this.peer = peer;
		this.#log = log;
		this.#name = name;
		this.#limit = new Timeout(timers);
		this.#turn = new Timeout(timers);
		this.#ending = new Timeout(timers);
		this.#callbacks = callbacks;
		this.connection = new ConnectionState({ timers, authority: peer.authority, reader: this });
		this.#limit.set(CONNECT_TIMEOUT_MS, () => this.finish(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s, while ${this.connection.stage}`));
	}

	/** Does what has come wait already? */
	get paused(): boolean {
		return this.#waiting.length > 0 || this.congested;
	}

	get congested(): boolean {
		return this.#queuedBytes >= CONGESTED_BYTES;
	}

	send(text: string): void {
		this.enqueue(text);
	}

	sendTexts(message: TextMessage): void {
		this.enqueue(message);
	}

	private enqueue(text: string | TextMessage): void {
		if (this.state !== "open" || this.peerClosed || this.#ending.pending) return;
		const message = new OutboundMessage(text);
		this.#queue.push(message);
		this.#queuedBytes += message.byteLength;
		if (this.#queuedBytes > MAX_QUEUED_BYTES) {
			this.end(`the peer does not read: ${this.#queuedBytes} bytes wait to go out`);
			return;
		}
		this.pump();
	}

	close(): void {
		// Also in the middle of the end, which is told to nobody then.
		this.#callbacks = undefined;
		this.#waiting = [];
		if (this.state === "closed" || this.state === "closing") return;
		const connected = this.state === "open";
		if (!connected || this.peerClosed) {
			this.finish(undefined);
			return;
		}
		this.state = "closing";
		this.#leaving = true;
		this.#limit.set(CLOSE_TIMEOUT_MS, () => this.finish(undefined));
		this.pump();
		// What the peer still sends is dropped, up to its own close, which is waited for.
		this.connection.flow();
	}

	/** Opens whatever carries this connection. Throws what goes wrong at once. */
	protected abstract open(): void;

	/**
	 * Writes the next piece of a message, of at most `writable` bytes, and brings `writable` up to date. It may throw where there
	 * is less room than was promised.
	 * @returns how many bytes of the message have gone, or undefined to wait for more room
	 */
	protected abstract writePiece(message: OutboundMessage): number | undefined;

	/** Tells the peer, after the last message, that this side closes. Returns false to wait for more room. */
	protected abstract sendClose(): boolean;

	/** Tells the peer, where there is room, that this side gives up in the middle of things. */
	protected sendAbort(): void {}

	/** Lets go of whatever carries this connection. */
	protected abstract release(): void;

	/** Everything that waited has gone out. */
	protected drained(): void {}

	/** What an end without a reason means depends on how far the connection had come. */
	protected lostReason(): string {
		return lostReason(this.connection, this.peer);
	}

	/** A line about what was ignored. */
	protected log(line: string): void {
		this.#log?.(this.#name === undefined ? line : `${this.#name}: ${line}`);
	}

	/** Called by the subclass when it is set up. */
	protected begin(): void {
		try {
			this.open();
		} catch (thrown) {
			this.end(errorText(thrown));
		}
	}

	/** For what is called from nowhere that catches: a throw becomes the end. */
	protected safely(act: () => void): void {
		try {
			act();
		} catch (thrown) {
			this.end(errorText(thrown));
		}
	}

	/** There is room for `count` bytes; the first time opens the connection. */
	protected takeWritable(count: number): void {
		this.writable = count;
		this.opened();
		this.pump();
		this.resume();
	}

	protected opened(): void {
		if (this.state !== "connecting" || this.#ending.pending) return;
		this.state = "open";
		this.#limit.clear();
		this.tell("onOpen", (callbacks) => callbacks.onOpen());
	}

	/** Writes as much of the queue as the socket takes now. */
	protected pump(): void {
		if (this.state === "connecting" || this.state === "closed" || this.peerClosed) return;
		let progress = false;
		try {
			for (let message = this.#queue[0]; message && this.writable > 0; message = this.#queue[0]) {
				const count = this.writePiece(message);
				if (count === undefined) break;
				this.#queuedBytes -= count;
				progress = true;
				message.advance(count);
				if (message.left === 0) this.#queue.shift();
			}
			if (this.#queue.length === 0) {
				if (this.#leaving && this.sendClose()) this.#leaving = false;
				else if (this.state === "open") this.drained();
			}
		} catch {
			// Less room than was promised: wait for the next; the stall limit holds.
			this.writable = 0;
		}
		if (this.state !== "open") return;
		if (this.#queue.length === 0) this.#limit.clear();
		else if (progress || !this.#limit.pending) {
			this.#limit.set(STALL_TIMEOUT_MS, () => this.finish(`the peer took nothing for ${STALL_TIMEOUT_MS / 1000} s`));
		}
	}

	/** Takes a message that is whole, and delivers it unless it has to wait. */
	protected arrived(message: InboundMessage): void {
		const { byteLength, head } = message;
		const bytes = message.take();
		if (byteLength > MAX_INBOUND_BYTES) {
			this.log(`a message of ${byteLength} bytes was dropped: the limit is ${MAX_INBOUND_BYTES}`);
			this.alive();
			if (head) this.tell("onRefused", (callbacks) => callbacks.onRefused?.(head, `a message over ${MAX_INBOUND_BYTES} bytes`));
		} else if (bytes) {
			this.#waiting.push(bytes);
			this.deliver();
		}
	}

	/** Something other than a message came and shows that the peer is there. */
	protected alive(): void {
		this.tell("onAlive", (callbacks) => callbacks.onAlive?.());
	}

	/** The peer is closing, for this reason; the connection ends when the closing handshake is over. */
	protected peerClosing(reason: string): void {
		this.peerClosed = true;
		if (this.state !== "open") return;
		this.#limit.set(CLOSE_TIMEOUT_MS, () => this.finish(undefined));
		this.connection.setReason(reason);
	}

	/** Ends the connection from within; `onClose` comes in a later turn, since this may be in the middle of a `send`. */
	protected end(reason: string): void {
		if (this.state === "closed" || this.#ending.pending) return;
		this.connection.setReason(reason);
		if (this.state === "open" && !this.peerClosed) {
			try {
				this.sendAbort();
			} catch {
				// It is over anyway.
			}
		}
		this.#queue = [];
		this.#waiting = [];
		this.#ending.set(0, () => this.finish(undefined));
	}

	/** The end: releases everything and tells the session once. */
	protected finish(reason: string | undefined): void {
		if (this.state === "closed") return;
		if (reason !== undefined) this.connection.setReason(reason);
		const waiting = this.#waiting;
		const opened = this.state === "open";
		this.state = "closed";
		for (const timer of [this.#limit, this.#turn, this.#ending]) timer.clear();
		try {
			this.release();
		} catch (thrown) {
			this.connection.setReason(errorText(thrown));
		}
		this.connection.close();
		this.#queue = [];
		this.#queuedBytes = 0;
		this.#waiting = [];
		// Messages that came before the end are not lost with it.
		if (opened) for (const message of waiting) this.tell("onMessage", (callbacks) => callbacks.onMessage(message));
		const words = this.connection.reason ?? this.lostReason();
		this.tell("onClose", (callbacks) => callbacks.onClose(oneLine(words)));
		this.#callbacks = undefined;
	}

	private tell(name: keyof TransportCallbacks, act: (callbacks: TransportCallbacks) => void): void {
		const callbacks = this.#callbacks;
		if (!callbacks) return;
		try {
			act(callbacks);
		} catch (thrown) {
			this.log(oneLine(`${name} threw ${errorText(thrown)}`));
		}
	}

	/** Delivers what waits, as far as this turn goes. */
	private deliver(): void {
		if (this.#delivering) return;
		this.#delivering = true;
		const { events } = this.connection;
		if (events !== this.#event && !this.#resting) this.begins(events);
		while (this.state === "open" && this.#delivered < this.#allowed && !this.congested) {
			const message = this.#waiting.shift();
			if (!message) break;
			if (++this.#delivered === this.#allowed) this.rest();
			this.tell("onMessage", (callbacks) => callbacks.onMessage(message));
		}
		this.#delivering = false;
	}

	/** Promises have had their time since the event before this one. */
	private begins(event: number): void {
		this.#event = event;
		this.#delivered = 0;
		this.#allowed = TURN_MESSAGES;
	}

	private rest(): void {
		if (this.#resting) return;
		this.#resting = true;
		if (this.#delivered < EVENT_MESSAGES) this.settle();
		else
			this.#turn.set(PAUSE_MS, () => {
				this.begins(this.connection.events);
				this.goOn();
			});
	}

	private async settle(): Promise<void> {
		for (let i = 0; i < TURN_PROMISES; i++) await undefined;
		this.#allowed += TURN_MESSAGES;
		this.goOn();
	}

	private goOn(): void {
		this.#resting = false;
		this.safely(() => this.resume());
	}

	private resume(): void {
		this.deliver();
		this.connection.flow();
	}
}
