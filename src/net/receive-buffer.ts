// Bytes read from a socket that the reader above has not taken yet.

import { concatBytes } from "../base/bytes.js";

/** A short stretch of received bytes. */
export class ReceiveBuffer {
	private bytes: Uint8Array | undefined;
	private position = 0;

	get length(): number {
		return this.bytes ? this.bytes.byteLength - this.position : 0;
	}

	/** Adds bytes behind those that are left. */
	push(bytes: Uint8Array): void {
		this.bytes = this.length === 0 ? bytes : concatBytes(this.rest(), bytes);
		this.position = 0;
	}

	/** What is left, without taking it. */
	rest(): Uint8Array {
		return this.bytes ? this.bytes.subarray(this.position) : new Uint8Array(0);
	}

	/** One byte ahead of the next, without taking it. */
	peek(offset: number): number {
		return this.bytes?.[this.position + offset] ?? 0;
	}

	clear(): void {
		this.bytes = undefined;
		this.position = 0;
	}

	/**
	 * Takes bytes: one as a number without `want`, an ArrayBuffer of at most `want` bytes, or as many as fit written into
	 * `want`, of which it returns the count. Undefined when there are none. It never throws.
	 *
	 * The SDK's readers set `format` to say whether they want a number or a buffer, but the WebSocket client sets it to
	 * "buffer" in its `write` too: when something is sent while half a frame header has come, it would read on in the wrong
	 * format. What it means can be told from the argument.
	 */
	read(want?: number | Uint8Array | ArrayBuffer): number | ArrayBuffer | undefined {
		const bytes = this.bytes;
		const left = this.length;
		if (!bytes || left === 0) return undefined;
		const from = this.position;
		if (want === undefined) {
			this.take(1);
			return bytes[from];
		}
		if (typeof want === "number") {
			const count = Math.min(want, left);
			this.take(count);
			if (count === bytes.buffer.byteLength) return bytes.buffer as ArrayBuffer;
			return bytes.slice(from, from + count).buffer as ArrayBuffer;
		}
		const target = want instanceof Uint8Array ? want : new Uint8Array(want);
		const count = Math.min(target.byteLength, left);
		target.set(bytes.subarray(from, from + count));
		this.take(count);
		return count;
	}

	private take(count: number): void {
		this.position += count;
		if (this.bytes && this.position >= this.bytes.byteLength) this.clear();
	}
}
