// Netstrings (`length:bytes,`), the framing that the XS worker speaks.

const COLON = 58;
const COMMA = 44;
const MAX_LENGTH_DIGITS = 9;

/** Frames `bytes` behind a one-character prefix. */
export function encodeNetstring(prefix: string, bytes: Uint8Array): Buffer {
	return Buffer.concat([Buffer.from(`${bytes.length + prefix.length}:${prefix}`), bytes, Buffer.from(",")]);
}

/** Takes a stream apart, wherever it was cut. */
export class NetstringReader {
	#chunks: Buffer[] = [];
	#size = 0;
	/** How many bytes the next string needs in all; undefined while its length is unknown. */
	#needed: number | undefined;
	#start = 0;

	/**
	 * Adds what came.
	 * @returns the strings that are whole now
	 * @throws Error when the stream is no netstring
	 */
	push(chunk: Buffer): Buffer[] {
		this.#chunks.push(chunk);
		this.#size += chunk.length;
		const whole: Buffer[] = [];
		for (;;) {
			if (this.#needed === undefined && !this.#readLength()) break;
			const needed = this.#needed as number;
			if (this.#size < needed) break;
			const all = this.#join();
			if (all[needed - 1] !== COMMA) throw new Error("a netstring without its comma");
			whole.push(all.subarray(this.#start, needed - 1));
			this.#chunks = needed < all.length ? [all.subarray(needed)] : [];
			this.#size -= needed;
			this.#needed = undefined;
		}
		return whole;
	}

	#join(): Buffer {
		if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
		return this.#chunks[0] as Buffer;
	}

	#readLength(): boolean {
		if (this.#size === 0) return false;
		const head = this.#join();
		const colon = head.subarray(0, MAX_LENGTH_DIGITS + 1).indexOf(COLON);
		if (colon < 0 && head.length <= MAX_LENGTH_DIGITS) return false;
		const digits = head.toString("latin1", 0, Math.max(0, colon));
		if (!/^\d+$/.test(digits)) throw new Error("a netstring without its length");
		this.#start = colon + 1;
		this.#needed = this.#start + Number(digits) + 1;
		return true;
	}
}
