// The contract between a session and whatever carries its bytes: WebSocket, MQTT, TCP, memory.

import type { TextMessage } from "../net/outbound-message.js";
import config from "../sdk/config.js";

/** What a transport tells its session. No callback runs before `connect` has returned. */
export interface TransportCallbacks {
	/** The connection stands; `send` may be called from now on. */
	onOpen(): void;
	/** One whole text message, as bytes of UTF-8 that nobody has checked yet. The array is valid only during the call. */
	onMessage(bytes: Uint8Array): void;
	/**
	 * A message was dropped for its length.
	 * @param head its first bytes, at most `REFUSED_HEAD_BYTES`
	 * @param problem such as "a message over 4096 bytes"
	 */
	onRefused?(head: Uint8Array, problem: string): void;
	/** Something else showed that the peer is there: the answer to a `ping`, or what is ignored. */
	onAlive?(): void;
	/**
	 * The connection is over, for the reason given in words; nothing follows.
	 * Called exactly once unless `close` was called first; then it is not called at all.
	 */
	onClose(reason: string): void;
}

/** One connection. */
export interface Transport {
	/**
	 * Queues one text message. It goes out whole and in order, in pieces as the peer takes them.
	 * Ignored after the connection is over.
	 */
	send(text: string): void;
	/**
	 * As `send`, for a message in texts that are one after the other. Those that live in flash are sent from there instead of
	 * being put together.
	 */
	sendTexts(message: TextMessage): void;
	/**
	 * Is so much waiting to go out that only replies should be added? While it is true the transport delivers no
	 * further message, so a peer that asks without reading slows down only itself.
	 */
	readonly congested: boolean;
	/** Asks the peer for a sign of life, where the protocol below has that and does not see to it by itself. */
	ping?(): void;
	/** Ends the connection, telling the peer where that is possible. May be called twice. */
	close(): void;
}

/** Opens a connection. It may throw a TypeError or RangeError for settings that can never work (a malformed URL). */
export type Connect = (callbacks: TransportCallbacks) => Transport;

/** The longest inbound message where the board's manifest says nothing else: what a chip without PSRAM can take at any time. */
const DEFAULT_INBOUND_BYTES = 4096;
const MOST_INBOUND_BYTES = 65_536;
/** An inbound message over this size is refused. A board with PSRAM may say more in its manifest (`config.max_message`). */
export const MAX_INBOUND_BYTES = inboundLimit(config.max_message);
/** So much of a refused message is kept: its id may be there. */
export const REFUSED_HEAD_BYTES = 256;
/** A message over this size is not even skipped: it may never end, so it ends the connection. */
export const MAX_PASSED_OVER_BYTES = 1_200_000;
/** From this many waiting bytes on a transport is congested. */
export const CONGESTED_BYTES = 16384;
/** A transport with this many waiting bytes gives up and closes: the peer does not read. */
export const MAX_QUEUED_BYTES = 131072;

function inboundLimit(given: unknown): number {
	const bytes = Number(given);
	return Number.isInteger(bytes) && bytes >= DEFAULT_INBOUND_BYTES && bytes <= MOST_INBOUND_BYTES ? bytes : DEFAULT_INBOUND_BYTES;
}
