// The TCP socket below the SDK's TLS socket: it checks the server and contains what the TLS code throws.

import { concatBytes } from "../base/bytes.js";
import { errorText } from "../base/text.js";
import { Timeout } from "../base/timers.js";
import type { ConnectionState } from "../net/connection-state.js";
import { PacedSocket, type PacedSocketOptions } from "../net/paced-socket.js";
import { ReceiveBuffer } from "../net/receive-buffer.js";
import { READ_BYTES, type SafeSocketOptions } from "../net/safe-socket.js";
import type { Socket } from "../sdk/tcp.js";
import { checkChain } from "./certificate-chain.js";
import { HandshakeVerifier, RECORD_BYTES } from "./handshake-verifier.js";
import { verifySignature } from "./signatures.js";

/** Options for the SDK's TLS socket, and for `TlsRecordSocket` below it. */
export interface SecureOptions {
	/** Off, because the SDK's check lets forged certificates through: `TlsRecordSocket` has a better one. */
	readonly verify: false;
	/** Off: a resumed session would leave nothing to check. */
	readonly cache: false;
	/** Trusted certificates in DER, of CAs or of servers themselves; called once for each connection. */
	readonly trusted: () => readonly Uint8Array[];
	/** P-256 and P-384 by their numbers in TLS: without the latter a server with a key on it refuses. */
	readonly tls_elliptic_curves: readonly number[];
	/** The SDK asks the server for records of at most this length in plain text, and reads each whole before it gives out a byte. */
	readonly tls_max_fragment_length: number;
	/** Names and addresses in lower case of servers that may choose an old cipher suite; offered to all if there is one. */
	readonly legacyHosts?: readonly string[];
	/** The name that the server's certificate must have; where it is not given, the one that was called. */
	readonly serverName?: string;
}

/** The SDK's TLS socket admits more than its records leave room for: header, IV, MAC and padding of the longest cipher. */
export const TLS_OVERHEAD_BYTES = 96;

const HEADER_BYTES = 5;
const MAX_RECORD_BYTES = 16384 + 2048;
/** In clear nothing is added to a record. */
const MAX_CLEAR_RECORD_BYTES = 16384;
/** The most records that one handshake message may come in, which are 8 where they have `RECORD_BYTES`. */
const MAX_PIECES = 64;
const CHANGE_CIPHER_SPEC = 20;
const ALERT = 21;
const HANDSHAKE = 22;
const APPLICATION_DATA = 23;

const ALERT_WORDS: { readonly [code: number]: string } = Object.freeze({
	0: "closed",
	40: "no common cipher",
	42: "bad certificate",
	45: "certificate expired",
	48: "unknown certificate authority",
	70: "protocol version",
	71: "insufficient security",
	80: "internal error",
	112: "unknown server name",
	116: "certificate required",
});

/**
 * Looks to the SDK's TLS socket like a TCP socket.
 *
 * - No throw of the TLS code (bad certificates, alerts, broken records) leaves a callback.
 * - It hands on one TLS record at a time. With more than one the TLS socket reads the rest in a timer of its own, where
 *   nothing could catch what it throws.
 * - A handshake message that comes in several records is put together, which the TLS socket does not do.
 * - It lets the handshake continue only with a server whose certificates are valid, see `HandshakeVerifier`.
 * - It ends the connection on an alert before the server's change of cipher, and lets no application data out before:
 *   the TLS socket takes such an alert for the end of its handshake and would send the request, token and all, in clear.
 */
export class TlsRecordSocket {
	/** Kept here by the TLS socket: unread bytes of the record that it was told of. */
	readable = 0;
	/** Kept here by the TLS socket: how much it may write. */
	writable = 0;
	readonly #connection: ConnectionState;
	readonly #onReadable: ((count: number) => void) | undefined;
	readonly #onWritable: ((count: number) => void) | undefined;
	readonly #onError: (() => void) | undefined;
	#socket: Socket | undefined;
	readonly #verifier: HandshakeVerifier;
	#received = new ReceiveBuffer();
	#available = 0;
	/** Bytes still to come of the record that is being handed on. */
	#record = 0;
	#ciphered = false;
	/** The beginning of a handshake message that goes on in the next record, and whole ones before it. */
	#pieces: Uint8Array | undefined;
	/** How many records these came in. */
	#pieceCount = 0;
	#flowing = false;
	readonly #failing: Timeout;

	constructor(options: SafeSocketOptions) {
		this.#connection = options.connection;
		this.#failing = new Timeout(options.connection.timers);
		this.#onReadable = options.onReadable;
		this.#onWritable = options.onWritable;
		this.#onError = options.onError;
		const { trusted, serverName, legacyHosts } = (options.secure ?? {}) as Partial<SecureOptions>;
		const host = (serverName ?? String(options.host)).toLowerCase();
		this.#verifier = new HandshakeVerifier(
			(chain, use) => checkChain({ chain, host, trusted: trusted?.() ?? [], now: Date.now(), verify: verifySignature, use }),
			legacyHosts?.includes(host) ?? false,
		);
		const below: PacedSocketOptions = {
			timers: options.connection.timers,
			address: options.address,
			host: options.host,
			port: options.port,
			nodelay: true,
			onReadable: (count) => {
				this.#available = count;
				this.#connection.flow();
			},
			onWritable: (count) => {
				try {
					if (this.#connection.stage === "connecting") this.#connection.stage = "waiting for TLS";
					this.#onWritable?.(count);
				} catch (thrown) {
					this.fail(`TLS failed: ${errorText(thrown)}`);
				}
			},
			onError: () => this.fail(undefined),
		};
		this.#socket = new PacedSocket(below);
		this.#connection.join(this);
	}

	read(want?: number | Uint8Array | ArrayBuffer): number | ArrayBuffer | undefined {
		return this.#received.read(want);
	}

	write(data: Uint8Array | ArrayBuffer): number {
		const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
		if (!this.#socket || this.#failing.pending) return 0;
		if (bytes[0] === ALERT) return this.failLater(`TLS failed: this side refused: ${alertWords(this.#ciphered ? undefined : bytes[6])}`);
		if (bytes[0] === APPLICATION_DATA && !this.#ciphered) return this.failLater("TLS failed: the handshake did not complete");
		try {
			const left = this.#socket.write(bytes);
			if (typeof left === "number" && left >= 0) return left;
			return this.failLater("the connection was lost while sending");
		} catch (thrown) {
			return this.failLater(`the connection was lost while sending (${errorText(thrown)})`);
		}
	}

	close(): void {
		const socket = this.#socket;
		this.#socket = undefined;
		this.#failing.clear();
		try {
			socket?.close();
		} catch (thrown) {
			this.#connection.setReason(errorText(thrown));
		}
	}

	/** Hands records on until there are no more or the transport is busy. */
	flow(): boolean {
		if (this.#flowing) return false;
		this.#flowing = true;
		try {
			while (this.#socket && !this.#connection.paused) {
				if (this.#received.length < this.wanted()) {
					if (this.#available === 0) break;
					const chunk = this.#socket.read(Math.min(this.#available, this.most()));
					if (typeof chunk !== "object") break;
					this.#available -= chunk.byteLength;
					this.#received.push(new Uint8Array(chunk));
					continue;
				}
				if (this.#record === 0) {
					const problem = this.startRecord();
					if (problem) {
						this.fail(problem);
						break;
					}
					if (this.#record === 0) continue;
				}
				const left = this.#received.length;
				const count = Math.min(this.#record, left);
				this.#record -= count;
				this.#onReadable?.(count);
				if (left - this.#received.length !== count) {
					this.fail("TLS failed: a record was not read whole");
				}
			}
		} catch (thrown) {
			this.fail(`TLS failed: ${errorText(thrown)}`);
		} finally {
			this.#flowing = false;
		}
		return true;
	}

	/** How much must be here to go on: of a new record the header, in clear all of it. */
	private wanted(): number {
		if (this.#record > 0) return 1;
		if (this.#received.length < HEADER_BYTES) return HEADER_BYTES;
		const bodyBytes = (this.#received.peek(3) << 8) | this.#received.peek(4);
		return this.#ciphered || bodyBytes > MAX_CLEAR_RECORD_BYTES ? HEADER_BYTES : HEADER_BYTES + bodyBytes;
	}

	/**
	 * How much is read at once: of an encrypted record the header first, so that nothing but that is here when the TLS socket makes room
	 * for the rest. What is left in a block of memory would keep the next long record out of it.
	 */
	private most(): number {
		if (!this.#ciphered) return READ_BYTES;
		return this.#record > 0 ? Math.min(this.#record, READ_BYTES) : HEADER_BYTES - this.#received.length;
	}

	/** Begins to hand on the record that comes next, unless it is to be continued. Returns what is wrong in words. */
	private startRecord(): string | undefined {
		const type = this.#received.peek(0);
		const bodyBytes = (this.#received.peek(3) << 8) | this.#received.peek(4);
		const { maxRecordBytes = MAX_RECORD_BYTES } = this.#verifier;
		if (this.#ciphered && bodyBytes > maxRecordBytes && bodyBytes <= MAX_RECORD_BYTES) {
			return `TLS failed: the server sent a record of ${bodyBytes} bytes, and had agreed on at most ${RECORD_BYTES}`;
		}
		if (type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA || this.#received.peek(1) !== 3 || bodyBytes > MAX_RECORD_BYTES) {
			return "the server does not speak TLS";
		}
		if (!this.#ciphered) {
			if (type === ALERT) return `TLS failed: the server refused: ${alertWords(this.#received.peek(HEADER_BYTES + 1))}`;
			if (bodyBytes > MAX_CLEAR_RECORD_BYTES) return "the server does not speak TLS";
			const rest = this.#received.rest();
			const body = rest.subarray(HEADER_BYTES, HEADER_BYTES + bodyBytes);
			if (type === HANDSHAKE && (this.#pieces || !HandshakeVerifier.endsMessage(body))) {
				const pieces = this.#pieces ? concatBytes(this.#pieces, body) : body.slice();
				const length = pieces.byteLength;
				// Each is copied with those before it.
				if (++this.#pieceCount > MAX_PIECES) return `TLS failed: the server's handshake has a message in more than ${MAX_PIECES} records`;
				if (length > MAX_CLEAR_RECORD_BYTES) return `TLS failed: the server's handshake has a message over ${MAX_CLEAR_RECORD_BYTES} bytes`;
				const whole = HandshakeVerifier.endsMessage(pieces);
				const next = rest.subarray(HEADER_BYTES + bodyBytes);
				this.#pieces = whole ? undefined : pieces;
				if (whole) this.#pieceCount = 0;
				this.#received.clear();
				this.#received.push(whole ? concatBytes(Uint8Array.of(HANDSHAKE, 3, 3, length >> 8, length), pieces, next) : next);
				return whole ? this.startRecord() : undefined;
			}
			const problem = this.#pieces ? "a handshake message was cut off" : this.#verifier.take(type, body);
			if (problem) return `TLS failed: ${problem}`;
			this.#ciphered = type === CHANGE_CIPHER_SPEC;
		}
		this.#record = HEADER_BYTES + bodyBytes;
		return undefined;
	}

	/** Not at once, because the TLS socket is in the middle of its write. */
	private failLater(reason: string): number {
		this.#connection.setReason(reason);
		this.#failing.set(0, () => this.fail(undefined));
		return 0;
	}

	private fail(reason: string | undefined): void {
		if (!this.#socket) return;
		if (reason !== undefined) this.#connection.setReason(reason);
		this.close();
		try {
			this.#onError?.();
		} catch (thrown) {
			this.#connection.setReason(errorText(thrown));
		}
	}
}

function alertWords(code: number | undefined): string {
	return code === undefined ? "an alert" : `alert ${code}${ALERT_WORDS[code] ? `, ${ALERT_WORDS[code]}` : ""}`;
}
