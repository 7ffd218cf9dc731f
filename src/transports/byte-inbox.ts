// Bytes taken from a socket that the reader above has not taken yet, read in the two ways of ECMA-419 sockets.

/** A short stretch of received bytes. */
export class ByteInbox {
	#bytes: Uint8Array | undefined;
	#position = 0;
	/** As ECMA-419 has it: "number" reads one byte, "buffer" reads many. */
	format = "buffer";

	get length(): number {
		return this.#bytes ? this.#bytes.byteLength - this.#position : 0;
	}

	/** Adds bytes behind those that are left. */
	push(bytes: Uint8Array): void {
		const left = this.length;
		if (left === 0) this.#bytes = bytes;
		else {
			const joined = new Uint8Array(left + bytes.byteLength);
			joined.set(this.rest());
			joined.set(bytes, left);
			this.#bytes = joined;
		}
		this.#position = 0;
	}

	/** What is left, without taking it. */
	rest(): Uint8Array {
		return this.#bytes ? this.#bytes.subarray(this.#position) : new Uint8Array(0);
	}

	/** One byte ahead of the next, without taking it. */
	peek(offset: number): number {
		return this.#bytes?.[this.#position + offset] ?? 0;
	}

	clear(): void {
		this.#bytes = undefined;
		this.#position = 0;
	}

	/**
	 * Takes bytes as the socket's `read` does: a number, an ArrayBuffer of at most `want` bytes, or the count of bytes
	 * written into `want`; undefined when there are none. It never throws.
	 */
	read(want?: number | Uint8Array | ArrayBuffer): number | ArrayBuffer | undefined {
		const bytes = this.#bytes;
		const left = this.length;
		if (!bytes || left === 0) return undefined;
		const from = this.#position;
		if (this.format === "number") {
			this.#take(1);
			return bytes[from];
		}
		if (want === undefined || typeof want === "number") {
			const count = Math.max(0, Math.min(want ?? left, left));
			this.#take(count);
			if (from === 0 && count === bytes.byteLength && bytes.byteLength === bytes.buffer.byteLength) return bytes.buffer as ArrayBuffer;
			return bytes.slice(from, from + count).buffer as ArrayBuffer;
		}
		const target = want instanceof Uint8Array ? want : new Uint8Array(want);
		const count = Math.min(target.byteLength, left);
		target.set(bytes.subarray(from, from + count));
		this.#take(count);
		return count;
	}

	#take(count: number): void {
		this.#position += count;
		if (this.#bytes && this.#position >= this.#bytes.byteLength) this.clear();
	}
}
