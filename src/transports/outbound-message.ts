// One outbound message: bytes, or texts that are encoded only as they are sent.

import { concatBytes, utf8Bytes } from "../base/bytes.js";

/** The largest piece of a message whose bytes are there; more of a message than this is seldom taken at once. */
const MAX_PIECE_BYTES = 4096;
/** The largest piece of a message that is encoded as it is sent: that much memory, and a copy in the SDK's client. */
const MAX_TEXT_PIECE_BYTES = 1024;

const EMPTY = new Uint8Array(0);

/** Takes no more memory than the piece that goes next, where its texts are in flash. */
export class OutboundMessage {
	/** Of the whole message. */
	readonly byteLength: number;
	/** No more of it should be written at once. */
	readonly pieceBytes: number;
	/** How many of its bytes have gone. */
	sent = 0;
	readonly #texts: readonly string[];
	/** How many of the texts have been encoded, and how much of the next. */
	#taken = 0;
	#within = 0;
	/** Bytes that have not gone yet; the texts that follow come behind them. */
	#bytes: Uint8Array = EMPTY;

	/**
	 * @param texts the message, in order
	 * @param byteLength of all of them in UTF-8; without it they are encoded at once
	 */
	constructor(texts: readonly string[], byteLength?: number) {
		this.#texts = texts;
		this.pieceBytes = byteLength === undefined ? MAX_PIECE_BYTES : MAX_TEXT_PIECE_BYTES;
		this.byteLength = byteLength ?? this.fill(Number.POSITIVE_INFINITY);
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

	/** Encodes texts until there are this many bytes, all at once: one by one costs more. @returns how many there are */
	private fill(count: number): number {
		const texts = this.#texts;
		const before = this.#bytes;
		let length = before.byteLength;
		let joined = "";
		for (let text = texts[this.#taken]; text !== undefined && length < count; text = texts[this.#taken]) {
			const to = pieceEnd(text, this.#within, count - length);
			// Of a short text nothing is cut off.
			joined = joined.concat(to < text.length || this.#within > 0 ? text.slice(this.#within, to) : text);
			length += to - this.#within;
			this.#within = to < text.length ? to : 0;
			if (this.#within === 0) this.#taken++;
		}
		const more = utf8Bytes(joined);
		this.#bytes = before.byteLength ? concatBytes(before, more) : more;
		return this.#bytes.byteLength;
	}
}

/** Up to where a text is encoded from `from` on to make at least `count` bytes; a long one is cut, but not within a character. */
function pieceEnd(text: string, from: number, count: number): number {
	const end = from + Math.max(count, MAX_TEXT_PIECE_BYTES);
	if (end >= text.length) return text.length;
	const code = text.charCodeAt(end - 1);
	return code >= 0xd800 && code < 0xdc00 ? end + 1 : end;
}
