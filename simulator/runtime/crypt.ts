// "crypt": of Moddable's digests SHA-1 alone, for the WebSocket upgrade; the others are for TLS, which is the host's here (see tls.ts).

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** SHA-1 (FIPS 180-4, section 6.1). */
export class Digest {
	#bytes = new Uint8Array(0);

	/** @throws Error for any digest but SHA1 */
	constructor(type: string) {
		if (type !== "SHA1") throw new Error(`the simulator has no ${type}`);
	}

	write(data: ArrayBuffer): void {
		const bytes = new Uint8Array(this.#bytes.length + data.byteLength);
		bytes.set(this.#bytes);
		bytes.set(new Uint8Array(data), this.#bytes.length);
		this.#bytes = bytes;
	}

	close(): ArrayBuffer {
		const { length } = this.#bytes;
		const message = new Uint8Array((((length + 8) >> 6) + 1) * 64);
		message.set(this.#bytes);
		message[length] = 0x80;
		const words = new DataView(message.buffer);
		words.setUint32(message.length - 4, length * 8);
		const hash = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
		const schedule = new Uint32Array(80);
		for (let block = 0; block < message.length; block += 64) {
			let [a = 0, b = 0, c = 0, d = 0, e = 0] = hash;
			for (let t = 0; t < 80; t++) {
				const at = (back: number) => schedule[t - back] as number;
				schedule[t] = t < 16 ? words.getUint32(block + t * 4) : rotate(at(3) ^ at(8) ^ at(14) ^ at(16), 1);
				const mix = t < 20 ? (b & c) | (~b & d) : t < 40 || t >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
				const constant = t < 20 ? 0x5a827999 : t < 40 ? 0x6ed9eba1 : t < 60 ? 0x8f1bbcdc : 0xca62c1d6;
				const next = (rotate(a, 5) + mix + e + constant + at(0)) | 0;
				e = d;
				d = c;
				c = rotate(b, 30);
				b = a;
				a = next;
			}
			for (const [i, word] of [a, b, c, d, e].entries()) hash[i] = (hash[i] as number) + word;
		}
		const result = new DataView(new ArrayBuffer(20));
		for (const [i, word] of hash.entries()) result.setUint32(i * 4, word);
		return result.buffer;
	}
}
