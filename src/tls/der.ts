// Reads DER, the encoding of certificates (X.690), strictly and item by item.

export const BOOLEAN = 0x01;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const OBJECT_ID = 0x06;
export const UTC_TIME = 0x17;
export const GENERALIZED_TIME = 0x18;
export const SEQUENCE = 0x30;
export const SET = 0x31;

/** A sequence of items. Every method throws a TypeError where the bytes are not what was asked for. */
export class DerReader {
	/** The tag of the item that `next` took. */
	tag = 0;
	readonly #bytes: Uint8Array;
	#at = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	get done(): boolean {
		return this.#at >= this.#bytes.byteLength;
	}

	/** The tag of the item that comes next; −1 at the end. */
	get upcoming(): number {
		return this.#bytes[this.#at] ?? -1;
	}

	/** Takes an item, of this tag if one is given, and returns its contents as a view. */
	next(tag?: number): Uint8Array {
		const start = this.#at;
		this.whole(tag);
		return this.#bytes.subarray(start + this.#headBytes(start), this.#at);
	}

	/** Takes an item and returns all of it, head and contents, as a view. */
	whole(tag?: number): Uint8Array {
		const start = this.#at;
		if (this.done) throw new TypeError("it ends too early");
		this.tag = this.upcoming;
		if (tag !== undefined && this.tag !== tag) throw new TypeError(`it has the tag ${this.tag} where ${tag} is due`);
		const head = this.#headBytes(start);
		let length = this.#bytes[start + 1] ?? 0;
		if (length > 127) {
			length = 0;
			for (let i = start + 2; i < start + head; i++) length = length * 256 + (this.#bytes[i] ?? 0);
		}
		const end = start + head + length;
		if (end > this.#bytes.byteLength) throw new TypeError("it is cut off");
		this.#at = end;
		return this.#bytes.subarray(start, end);
	}

	/** Takes a sequence and returns a reader of what is in it. */
	sequence(): DerReader {
		return new DerReader(this.next(SEQUENCE));
	}

	/** Takes an integer that is not negative, and returns its bytes without leading zeros. */
	unsigned(): Uint8Array {
		const bytes = this.next(INTEGER);
		if (bytes.byteLength === 0 || (bytes[0] ?? 0) > 127) throw new TypeError("a number is negative");
		let zeros = 0;
		while (zeros < bytes.byteLength && bytes[zeros] === 0) zeros++;
		return bytes.subarray(zeros);
	}

	/** Takes an object identifier and returns its bytes in hexadecimal digits. */
	objectId(): string {
		return hex(this.next(OBJECT_ID));
	}

	/** Takes a string of bits and returns those that fill whole bytes. */
	bits(): Uint8Array {
		const bytes = this.next(BIT_STRING);
		if (bytes.byteLength === 0) throw new TypeError("a string of bits is empty");
		return bytes.subarray(1);
	}

	#headBytes(start: number): number {
		const length = this.#bytes[start + 1] ?? 0;
		if (length < 128) return 2;
		// More than 16 MB, or without a length: no certificate has that.
		if (length === 128 || length > 131) throw new TypeError("it has a length that cannot be");
		return 2 + length - 128;
	}
}

/** Two lower-case digits for each byte. */
export function hex(bytes: Uint8Array): string {
	let text = "";
	for (let i = 0; i < bytes.byteLength; i++) text += (bytes[i] ?? 0).toString(16).padStart(2, "0");
	return text;
}

/** Are both the same bytes? */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
	if (a.byteLength !== b.byteLength) return false;
	for (let i = 0; i < a.byteLength; i++) if (a[i] !== b[i]) return false;
	return true;
}
