// Checks RSA (PKCS #1 v1.5) and ECDSA signatures with the SDK's arithmetic.

import { Digest } from "../sdk/crypt.js";
import Curve from "../sdk/curve.js";
import Ecdsa from "../sdk/ecdsa.js";
import EcPoint from "../sdk/ecp.js";
import Modular from "../sdk/modular.js";
import type { PublicKey, SignatureAlgorithm } from "./certificate.js";
import { DerReader } from "./der.js";

/** What stands before the hash inside an RSA signature: an algorithm's name in DER (RFC 8017, section 9.2). */
const DIGEST_INFO = Object.freeze({
	SHA256: "3031300d060960864801650304020105000420",
	SHA384: "3041300d060960864801650304020205000430",
	SHA512: "3051300d060960864801650304020305000440",
});

const BigInteger = BigInt as unknown as { fromArrayBuffer(bytes: ArrayBuffer): bigint };

/** Has the owner of `key` signed `message`? It may throw for a malformed signature. */
export function verifySignature(key: PublicKey, algorithm: SignatureAlgorithm, message: Uint8Array, signature: Uint8Array): boolean {
	const digest = new Digest(algorithm.hash);
	digest.write(message.slice().buffer);
	return verifyHash(key, algorithm, new Uint8Array(digest.close()), signature);
}

/** The same for a message of which only the hash is known. */
export function verifyHash(key: PublicKey, algorithm: SignatureAlgorithm, hash: Uint8Array, signature: Uint8Array): boolean {
	if (key.kind === "rsa") {
		if (algorithm.kind !== "rsa" || signature.byteLength !== key.modulus.byteLength) return false;
		const modulus = numberOf(key.modulus);
		const value = numberOf(signature);
		// The whole encoding is compared, so that nothing can hide in it.
		return (
			value < modulus && new Modular(modulus).exp(value, numberOf(key.exponent)) === numberOf(encode(hash, algorithm.hash, signature.byteLength))
		);
	}
	if (algorithm.kind !== "ecdsa") return false;
	const size = key.x.byteLength;
	const curve = new Curve(key.curve);
	const all = new DerReader(signature);
	const numbers = all.sequence();
	const r = numbers.unsigned();
	const s = numbers.unsigned();
	if (!all.done || !numbers.done) return false;
	for (const part of [r, s]) if (part.byteLength === 0 || part.byteLength > size || numberOf(part) >= curve.n) return false;
	const both = new Uint8Array(2 * size);
	both.set(r, size - r.byteLength);
	both.set(s, 2 * size - s.byteLength);
	const point = new EcPoint(numberOf(key.x), numberOf(key.y));
	return new Ecdsa(point, curve, false).verify(hash.slice(0, size).buffer, both.buffer);
}

function encode(hash: Uint8Array, name: SignatureAlgorithm["hash"], length: number): Uint8Array {
	const info = DIGEST_INFO[name];
	const bytes = new Uint8Array(length).fill(0xff);
	const at = length - hash.byteLength - info.length / 2;
	bytes[0] = 0;
	bytes[1] = 1;
	bytes[at - 1] = 0;
	for (let i = 0; i < info.length / 2; i++) bytes[at + i] = Number.parseInt(info.slice(2 * i, 2 * i + 2), 16);
	bytes.set(hash, length - hash.byteLength);
	return bytes;
}

function numberOf(bytes: Uint8Array): bigint {
	return BigInteger.fromArrayBuffer(bytes.slice().buffer as ArrayBuffer);
}
