// Firmware images that their maker has signed: the key in this build, and the check of an image while it streams by.

import { Digest } from "../sdk/crypt.js";
import type { PublicKey } from "../tls/certificate.js";
import { verifyHash } from "../tls/signatures.js";

/** The longest that a signature's file may be: 72 bytes in hexadecimal digits, and an end of line. */
export const MAX_SIGNATURE_TEXT_BYTES = 160;
const KEY_BYTES = 65;

/**
 * The key of the build, `upgrade_key`: a point on P-256 as `npm run keys` prints it, 04 and two numbers of 32 bytes in
 * hexadecimal digits.
 * @returns undefined for anything else
 */
export function readUpgradeKey(text: string): PublicKey | undefined {
	const bytes = readHex(text);
	if (bytes?.byteLength !== KEY_BYTES || bytes[0] !== 4) return undefined;
	return { kind: "ecdsa", curve: "secp256r1", x: bytes.subarray(1, 33), y: bytes.subarray(33) };
}

/** Bytes in hexadecimal digits, perhaps with white space around them; undefined for anything else. */
export function readHex(given: string): Uint8Array | undefined {
	const text = given.trim();
	if (text.length === 0 || text.length % 2 !== 0) return undefined;
	const bytes = new Uint8Array(text.length / 2);
	for (let i = 0; i < bytes.byteLength; i++) {
		const [high, low] = [digit(text.charCodeAt(2 * i)), digit(text.charCodeAt(2 * i + 1))];
		if (high < 0 || low < 0) return undefined;
		bytes[i] = 16 * high + low;
	}
	return bytes;
}

function digit(code: number): number {
	if (code >= 48 && code <= 57) return code - 48;
	const letter = code | 32;
	return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** The check of one image (ECDSA with P-256 over SHA-256). */
export interface ImageCheck {
	/** @param bytes the image's next ones */
	write(bytes: Uint8Array): void;
	/** Does the signature fit all that was written? Called once. @throws Error for one that is malformed */
	holds(): boolean;
}

/** @param signature in DER, as `npm run sign` and `openssl dgst -sha256 -sign` make it */
export function checkImage(key: PublicKey, signature: Uint8Array): ImageCheck {
	const digest = new Digest("SHA256");
	return {
		write: (bytes) => digest.write(bytes.slice().buffer),
		holds: () => verifyHash(key, { kind: "ecdsa", hash: "SHA256" }, new Uint8Array(digest.close()), signature),
	};
}
