// Bytes joined, and turned into text and back.

/** So many arguments fit onto a small stack. */
const LATIN1_PIECE = 64;

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

/** The inverse of `latin1`. */
export function latin1Bytes(text: string): Uint8Array {
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
	return bytes;
}
