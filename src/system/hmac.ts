// HMAC with SHA-256 (RFC 2104), by which a device proves who it is without showing its key.

import { concatBytes } from "../base/bytes.js";
import { Digest } from "../sdk/crypt.js";

const BLOCK_BYTES = 64;

/**
 * The code of a message, 64 hexadecimal digits in lower case.
 * @param key at most 64 bytes
 */
export function hmacSha256(key: Uint8Array, message: Uint8Array): string {
	const inner = sha256(padded(key, 0x36), message);
	let text = "";
	for (const byte of sha256(padded(key, 0x5c), inner)) text += byte.toString(16).padStart(2, "0");
	return text;
}

function sha256(...pieces: readonly Uint8Array[]): Uint8Array {
	const digest = new Digest("SHA256");
	digest.write(concatBytes(...pieces).buffer as ArrayBuffer);
	return new Uint8Array(digest.close());
}

function padded(key: Uint8Array, pad: number): Uint8Array {
	const block = new Uint8Array(BLOCK_BYTES).fill(pad);
	for (let i = 0; i < key.byteLength; i++) block[i] = (key[i] as number) ^ pad;
	return block;
}
