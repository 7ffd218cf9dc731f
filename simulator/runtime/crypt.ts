// "crypt": of Moddable's digests SHA-1, for the WebSocket upgrade, and SHA-256, for activation; the rest is for TLS, which is the host's here (see tls.ts).

const left = (word: number, by: number): number => (word << by) | (word >>> (32 - by));
const right = (word: number, by: number): number => left(word, 32 - by);

/** SHA-256's constants are the fractions of the roots of the first 64 primes. */
const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
const fraction = (root: number): number => ((root % 1) * 2 ** 32) >>> 0;
const CUBE_ROOTS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

/** How a digest begins, and how it takes a block of 16 words. */
const DIGESTS: { readonly [type: string]: readonly [start: readonly number[], take: (hash: Uint32Array, block: Uint32Array) => number[]] } = {
	SHA1: [[0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0], takeSha1],
	SHA256: [PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))), takeSha256],
};

/** SHA-1 and SHA-256 (FIPS 180-4, section 6). */
export class Digest {
	readonly #type: string;
	#bytes = new Uint8Array(0);

	/** @throws Error for any other digest */
	constructor(type: string) {
		if (!DIGESTS[type]) throw new Error(`the simulator has no ${type}`);
		this.#type = type;
	}

	write(data: ArrayBuffer): void {
		const bytes = new Uint8Array(this.#bytes.length + data.byteLength);
		bytes.set(this.#bytes);
		bytes.set(new Uint8Array(data), this.#bytes.length);
		this.#bytes = bytes;
	}

	close(): ArrayBuffer {
		const [start, take] = DIGESTS[this.#type] as (typeof DIGESTS)[string];
		const { length } = this.#bytes;
		const message = new Uint8Array((((length + 8) >> 6) + 1) * 64);
		message.set(this.#bytes);
		message[length] = 0x80;
		const words = new DataView(message.buffer);
		words.setUint32(message.length - 4, length * 8);
		const hash = Uint32Array.from(start);
		for (let at = 0; at < message.length; at += 64) {
			const block = Uint32Array.from({ length: 16 }, (_, i) => words.getUint32(at + i * 4));
			for (const [i, word] of take(hash, block).entries()) hash[i] = (hash[i] as number) + word;
		}
		const result = new DataView(new ArrayBuffer(hash.length * 4));
		for (const [i, word] of hash.entries()) result.setUint32(i * 4, word);
		return result.buffer;
	}
}

function takeSha1(hash: Uint32Array, block: Uint32Array): number[] {
	let [a = 0, b = 0, c = 0, d = 0, e = 0] = hash;
	const schedule = new Uint32Array(80);
	schedule.set(block);
	for (let t = 0; t < 80; t++) {
		const at = (back: number) => schedule[t - back] as number;
		if (t >= 16) schedule[t] = left(at(3) ^ at(8) ^ at(14) ^ at(16), 1);
		const mix = t < 20 ? (b & c) | (~b & d) : t < 40 || t >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
		const constant = t < 20 ? 0x5a827999 : t < 40 ? 0x6ed9eba1 : t < 60 ? 0x8f1bbcdc : 0xca62c1d6;
		const next = (left(a, 5) + mix + e + constant + at(0)) | 0;
		[e, d, c, b, a] = [d, c, left(b, 30), a, next];
	}
	return [a, b, c, d, e];
}

function takeSha256(hash: Uint32Array, block: Uint32Array): number[] {
	let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
	const schedule = new Uint32Array(64);
	schedule.set(block);
	for (let t = 0; t < 64; t++) {
		const at = (back: number) => schedule[t - back] as number;
		if (t >= 16) {
			const [near, far] = [at(2), at(15)];
			schedule[t] = at(16) + at(7) + (right(far, 7) ^ right(far, 18) ^ (far >>> 3)) + (right(near, 17) ^ right(near, 19) ^ (near >>> 10));
		}
		const first = h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & f) ^ (~e & g)) + (CUBE_ROOTS[t] as number) + at(0);
		const second = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
		[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
	}
	return [a, b, c, d, e, f, g, h];
}
