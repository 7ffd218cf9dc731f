// Finds messages between two delimiters in a stream of bytes, however the stream is cut.

import { concatBytes } from "../base/bytes.js";
import { InboundMessage } from "./connection.js";

/** How much of what comes outside of messages is kept for the log. */
const STRAY_BEGIN_BYTES = 60;
const NOTHING = new Uint8Array(0);

/** A stream in which every message comes between the bytes `head` and `tail`. What comes outside is skipped. */
export class DelimitedStream {
	readonly #head: Uint8Array;
	readonly #tail: Uint8Array;
	readonly #message = new InboundMessage();
	#inside = false;
	/** What may be the beginning of a delimiter, at the end of what has come. */
	#rest: Uint8Array = NOTHING;
	/** How many bytes came outside of messages. */
	strayBytes = 0;
	/** The first few of them. */
	strayBegin: Uint8Array = NOTHING;

	constructor(head: Uint8Array, tail: Uint8Array) {
		this.#head = head;
		this.#tail = tail;
	}

	/** How much of an unfinished message has come. */
	get unfinishedBytes(): number {
		return this.#inside ? this.#message.byteLength : 0;
	}

	/** Takes the next bytes, and calls back for each message that is whole; the callback has to `take` it. */
	feed(chunk: Uint8Array, onMessage: (message: InboundMessage) => void): void {
		const bytes = this.#rest.byteLength > 0 ? concatBytes(this.#rest, chunk) : chunk;
		this.#rest = NOTHING;
		for (let at = 0; at < bytes.byteLength; ) {
			const mark = this.#inside ? this.#tail : this.#head;
			const found = indexOf(bytes, mark, at);
			const end = found < 0 ? bytes.byteLength - startOf(bytes, mark, at) : found;
			if (this.#inside) this.#message.add(bytes.slice(at, end), found >= 0);
			else this.pass(bytes.subarray(at, end));
			if (found < 0) {
				this.#rest = bytes.slice(end);
				return;
			}
			at = found + mark.byteLength;
			this.#inside = !this.#inside;
			if (!this.#inside) onMessage(this.#message);
		}
	}

	private pass(stray: Uint8Array): void {
		const before = this.strayBegin;
		const more = stray.subarray(0, STRAY_BEGIN_BYTES - before.byteLength);
		if (more.byteLength > 0) this.strayBegin = concatBytes(before, more);
		this.strayBytes += stray.byteLength;
	}

	/** Forgets what has come. */
	clear(): void {
		this.#message.take();
		this.#rest = NOTHING;
		this.#inside = false;
	}
}

/** Where `mark` stands in `bytes` from `from` on; −1 when it is not there in full. */
function indexOf(bytes: Uint8Array, mark: Uint8Array, from: number): number {
	const first = mark[0] as number;
	const last = bytes.byteLength - mark.byteLength;
	for (let at = bytes.indexOf(first, from); at >= 0 && at <= last; at = bytes.indexOf(first, at + 1)) {
		let same = 1;
		while (same < mark.byteLength && bytes[at + same] === mark[same]) same++;
		if (same === mark.byteLength) return at;
	}
	return -1;
}

/** How many bytes at the end of `bytes`, but not before `from`, may be the beginning of `mark`. */
function startOf(bytes: Uint8Array, mark: Uint8Array, from: number): number {
	for (let count = Math.min(mark.byteLength - 1, bytes.byteLength - from); count > 0; count--) {
		const start = bytes.byteLength - count;
		let same = 0;
		while (same < count && bytes[start + same] === mark[same]) same++;
		if (same === count) return count;
	}
	return 0;
}
