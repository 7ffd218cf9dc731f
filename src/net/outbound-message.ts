// One outbound message: bytes, or texts that are encoded only as they are sent.

import { concatBytes, utf8Bytes } from "../base/bytes.js";

/** The largest piece of a message whose bytes are there; more of a message than this is seldom taken at once. */
const MAX_PIECE_BYTES = 4096;
/** The largest piece of a message that is encoded as it is sent: that much memory, and a copy in the SDK's client. */
const MAX_TEXT_PIECE_BYTES = 1024;

const EMPTY = new Uint8Array(0);

/** A message in texts that follow each other: `head`, then `texts` from `from` up to `to`, then `tail`. Those in flash are sent from there. */
export interface TextMessage {
	readonly head: string;
	readonly texts: readonly string[];
	readonly from: number;
	readonly to: number;
	readonly tail: string;
	/** Of all of it in UTF-8. */
	readonly byteLength: number;
}

/** Takes no more memory than the piece that goes next, where its texts are in flash. */
export class OutboundMessage {
	/** Of the whole message. */
	readonly byteLength: number;
	/** No more of it should be written at once. */
	readonly pieceBytes: number;
	/** How many of its bytes have gone. */
	sent = 0;
	readonly #message: TextMessage | undefined;
	/** The text that is encoded next, and how much of it has been; the head is the one before the first. */
	#at = 0;
	#within = 0;
	/** Bytes that have not gone yet; the texts that follow come behind them. */
	#bytes: Uint8Array = EMPTY;

	/** @param message one text is encoded at once */
	constructor(message: string | TextMessage) {
		if (typeof message === "string") {
			this.#bytes = utf8Bytes(message);
			this.byteLength = this.#bytes.byteLength;
			this.pieceBytes = MAX_PIECE_BYTES;
		} else {
			this.#message = message;
			this.#at = message.from - 1;
			this.byteLength = message.byteLength;
			this.pieceBytes = MAX_TEXT_PIECE_BYTES;
		}
	}

	/** How many bytes have not gone yet. */
	get left(): number {
		return this.byteLength - this.sent;
	}

	/** The next bytes, as many as asked for or as are left. Valid until the next call. */
	next(count: number): Uint8Array {
		const wanted = Math.min(count, this.left);
		if (this.#bytes.byteLength < wanted) this.fill(wanted);
		return this.#bytes.subarray(0, wanted);
	}

	/** So many bytes have gone. */
	advance(count: number): void {
		this.sent += count;
		this.#bytes = this.#bytes.subarray(count);
	}

	/** Encodes texts until there are this many bytes, all at once: one by one costs more. */
	private fill(count: number): void {
		const message = this.#message;
		if (!message) return;
		const { texts, from, to } = message;
		const before = this.#bytes;
		let length = before.byteLength;
		let joined = "";
		while (this.#at <= to && length < count) {
			const text = this.#at < from ? message.head : this.#at < to ? (texts[this.#at] as string) : message.tail;
			const end = pieceEnd(text, this.#within, count - length);
			// Of a short text nothing is cut off.
			joined = joined.concat(end < text.length || this.#within > 0 ? text.slice(this.#within, end) : text);
			length += end - this.#within;
			this.#within = end < text.length ? end : 0;
			if (this.#within === 0) this.#at++;
		}
		const more = utf8Bytes(joined);
		this.#bytes = before.byteLength ? concatBytes(before, more) : more;
	}
}

/** Up to where a text is encoded from `from` on to make at least `count` bytes; a long one is cut, but not within a character. */
function pieceEnd(text: string, from: number, count: number): number {
	const end = from + Math.max(count, MAX_TEXT_PIECE_BYTES);
	if (end >= text.length) return text.length;
	const code = text.charCodeAt(end - 1);
	return code >= 0xd800 && code < 0xdc00 ? end + 1 : end;
}
