// Bytes joined, and turned into text and back.

/** So many arguments fit onto a small stack. */
const LATIN1_PIECE = 64;
/** A multiple of 3: no piece but the last is padded. */
const BASE64_PIECE_BYTES = 768;
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The bytes of `pieces`, one after the other, in one array. */
export function concatBytes(...pieces: readonly Uint8Array[]): Uint8Array {
	let length = 0;
	for (const piece of pieces) length += piece.byteLength;
	const bytes = new Uint8Array(length);
	let at = 0;
	for (const piece of pieces) {
		bytes.set(piece, at);
		at += piece.byteLength;
	}
	return bytes;
}

/** The bytes of a text in UTF-8. */
export function utf8Bytes(text: string): Uint8Array {
	return new Uint8Array(ArrayBuffer.fromString(text));
}

/** Each byte as the character of the same number, so that any bytes survive the way there and back. */
export function latin1(bytes: Uint8Array): string {
	let text = "";
	// In pieces: a text that grows by single characters is copied as often.
	for (let i = 0; i < bytes.byteLength; i += LATIN1_PIECE) text += String.fromCharCode(...bytes.subarray(i, i + LATIN1_PIECE));
	return text;
}

/** Base64 (RFC 4648, section 4): not every engine that runs this has `Uint8Array.prototype.toBase64`. */
export function base64(bytes: Uint8Array): string {
	let text = "";
	for (let i = 0; i < bytes.byteLength; i += 3) {
		const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
		for (let n = 0; n < 4; n++) text += i + n > bytes.byteLength ? "=" : BASE64.charAt((group >> (18 - 6 * n)) & 63);
	}
	return text;
}

/** Base64 in texts one after the other, so that a picture needs no single large piece of memory. */
export function base64Texts(bytes: Uint8Array): string[] {
	const texts: string[] = [];
	for (let i = 0; i < bytes.byteLength; i += BASE64_PIECE_BYTES) texts.push(base64(bytes.subarray(i, i + BASE64_PIECE_BYTES)));
	return texts;
}

/** The inverse of `latin1`. */
export function latin1Bytes(text: string): Uint8Array {
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
	return bytes;
}
