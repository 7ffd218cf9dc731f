// SHA-1 of a short text, only for Sec-WebSocket-Accept (RFC 6455, section 4.2.2), where no secret depends on it.

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** SHA-1 (FIPS 180-4, section 6.1) of ASCII text, as 20 bytes. */
export function sha1(text: string): Uint8Array {
	const blocks = ((text.length + 8) >> 6) + 1;
	const words = new Uint32Array(blocks * 16);
	for (let i = 0; i <= text.length; i++) {
		words[i >> 2] = (words[i >> 2] ?? 0) | ((i < text.length ? text.charCodeAt(i) : 0x80) << (24 - (i & 3) * 8));
	}
	words[words.length - 1] = text.length * 8;

	const hash = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
	const schedule = new Uint32Array(80);
	for (let block = 0; block < blocks; block++) {
		let [a = 0, b = 0, c = 0, d = 0, e = 0] = hash;
		for (let t = 0; t < 80; t++) {
			schedule[t] =
				t < 16
					? (words[block * 16 + t] ?? 0)
					: rotate((schedule[t - 3] ?? 0) ^ (schedule[t - 8] ?? 0) ^ (schedule[t - 14] ?? 0) ^ (schedule[t - 16] ?? 0), 1);
			const mix = t < 20 ? (b & c) | (~b & d) : t < 40 || t >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
			const constant = t < 20 ? 0x5a827999 : t < 40 ? 0x6ed9eba1 : t < 60 ? 0x8f1bbcdc : 0xca62c1d6;
			const next = (rotate(a, 5) + mix + e + constant + (schedule[t] ?? 0)) | 0;
			e = d;
			d = c;
			c = rotate(b, 30);
			b = a;
			a = next;
		}
		const round = [a, b, c, d, e];
		for (let i = 0; i < 5; i++) hash[i] = (hash[i] ?? 0) + (round[i] ?? 0);
	}
	return Uint8Array.from({ length: 20 }, (_, i) => (hash[i >> 2] ?? 0) >>> (24 - (i & 3) * 8));
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Base64 (RFC 4648, section 4): `Uint8Array.prototype.toBase64` is not everywhere yet. */
export function base64(bytes: Uint8Array): string {
	let text = "";
	for (let i = 0; i < bytes.byteLength; i += 3) {
		const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
		for (let n = 0; n < 4; n++) text += i + n > bytes.byteLength ? "=" : ALPHABET.charAt((group >> (18 - 6 * n)) & 63);
	}
	return text;
}
