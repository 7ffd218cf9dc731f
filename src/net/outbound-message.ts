// One outbound message: bytes, or texts that are encoded only as they are sent.

import { concatBytes, utf8Bytes } from "../base/bytes.js";

/** The largest piece of a message whose bytes are there; more of a message than this is seldom taken at once. */
const MAX_PIECE_BYTES = 4096;
/** The largest piece of a message that is encoded as it is sent: that much memory, and a copy in the SDK's client. */
const MAX_TEXT_PIECE_BYTES = 1024;

const EMPTY = new Uint8Array(0);

/** A message in texts that follow each other: `head`, then `texts`, then `tail`. Those in flash are sent from there. */
export interface TextMessage {
	readonly head: string;
	readonly texts: readonly string[];
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
	#at = -1;
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
		if (this.#bytes.byteLength < wanted) this.fill(Math.max(wanted, MAX_TEXT_PIECE_BYTES));
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
		const { texts } = message;
		const before = this.#bytes;
		const parts: string[] = [];
		let at = this.#at;
		let within = this.#within;
		for (let missing = count - before.byteLength; at <= texts.length && missing > 0; ) {
			let text = at < 0 ? message.head : (texts[at] ?? message.tail);
			if (within > 0) text = text.slice(within);
			const { length } = text;
			if (length > missing) {
				const end = wholeCharacters(text, missing);
				text = text.slice(0, end);
				within += end;
			} else {
				within = 0;
				at++;
			}
			missing -= length;
			parts.push(text);
		}
		this.#at = at;
		this.#within = within;
		const more = utf8Bytes(parts.join(""));
		this.#bytes = before.byteLength ? concatBytes(before, more) : more;
	}
}

/** An end of a piece of a text that is not within a character: the one given, or the next. */
function wholeCharacters(text: string, end: number): number {
	const code = text.charCodeAt(end - 1);
	return code >= 0xd800 && code < 0xdc00 ? end + 1 : end;
}
