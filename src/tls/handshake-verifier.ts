// Checks the unencrypted part of a TLS 1.2 handshake (RFC 5246), so that it continues only with the server that was called.

import type { PublicKey } from "./certificate.js";
import { type ChainCheck, type ChainVerdict, MAX_CHAIN, MAX_CHAIN_BYTES } from "./certificate-chain.js";
import { DerReader, hex } from "./der.js";

const HANDSHAKE = 22;
const CHANGE_CIPHER_SPEC = 20;

const SERVER_HELLO = 2;
const CERTIFICATE = 11;
const SERVER_KEY_EXCHANGE = 12;
const CERTIFICATE_REQUEST = 13;
const SERVER_HELLO_DONE = 14;

/** ECDHE with AES-128 in GCM: everything that is offered without a reason to do otherwise. */
const ECDHE_ECDSA = 0xc02b;
const ECDHE_RSA = 0xc02f;
/** What only a server gets that the build names: RSA has no forward secrecy, and in CBC the SDK does not check padding. */
const LEGACY_ECDHE = 0xc027;
const LEGACY_DHE: readonly number[] = Object.freeze([0x9e, 0x67, 0x6b]);
/** Without a key exchange of their own: the client encrypts its secret for the certificate's key. */
const LEGACY_RSA: readonly number[] = Object.freeze([0x2f, 0x35, 0x3c, 0x3d]);
/** Bytes of a Diffie-Hellman group's modulus: the arithmetic blocks everything else. */
const MIN_DH_BYTES = 256;
const MAX_DH_BYTES = 512;
/** SHA-256, SHA-384 and SHA-512 among TLS's numbers for hashes. */
const HASHES = Object.freeze([4, 5, 6]);
const RSA = 1;
const ECDSA = 3;

/** The longest record of either side, in plain text, that the server is asked to agree on (RFC 6066, section 4): 2 ** 11. */
export const RECORD_BYTES = 2048;
const MAX_FRAGMENT_LENGTH = 1;
/** `RECORD_BYTES` as its number in that extension. */
const FRAGMENT_LENGTH_CODE = 3;
/** What GCM adds to a record: nonce and tag. And CBC, at most: IV, padding and MAC. */
const GCM_BYTES = 24;
const CBC_BYTES = 304;

/** Of the server's, in clear: hello, certificates, key exchange, a request for certificates, done. */
const MAX_MESSAGES = 5;

const BROKEN = "the server does not keep to the order of a TLS handshake";

/**
 * The SDK's TLS accepts certificates that nobody has signed, if a genuine one follows them, and a key exchange without a
 * signature: a man in the middle could read everything. So the server's messages are checked here before the SDK sees
 * them; only the signature of the key exchange and the end of the handshake are left to it.
 */
export class HandshakeVerifier {
	readonly #check: (chain: readonly Uint8Array[], use: ChainCheck["use"]) => ChainVerdict;
	readonly #legacy: boolean;
	#due: "hello" | "certificate" | "key exchange" | "done" | "cipher" = "hello";
	#exchange: "RSA" | "DHE" | "ECDHE" = "ECDHE";
	/** The kind of key that the cipher suite needs. */
	#kind: PublicKey["kind"] = "rsa";
	#key: PublicKey | undefined;
	/** The longest encrypted record that the server may send, if it has agreed on one. */
	maxRecordBytes: number | undefined;

	/**
	 * @param check decides about the server's certificates; called once
	 * @param legacy may the server choose an old cipher suite?
	 */
	constructor(check: (chain: readonly Uint8Array[], use: ChainCheck["use"]) => ChainVerdict, legacy: boolean) {
		this.#check = check;
		this.#legacy = legacy;
	}

	/**
	 * Does the body of a handshake record end where a message does? A message may go on in the next record. With more messages than a
	 * handshake has nobody need wait for the end.
	 */
	static endsMessage(body: Uint8Array): boolean {
		let at = 0;
		for (let messages = 0; at + 4 <= body.byteLength; at += 4 + number(body, at + 1, 3)) if (++messages > MAX_MESSAGES) return true;
		return at === body.byteLength;
	}

	/** Takes an unencrypted record of whole messages. Returns what is wrong in words, or undefined to let it through. */
	take(type: number, body: Uint8Array): string | undefined {
		if (type === CHANGE_CIPHER_SPEC) return this.#due === "cipher" && body.byteLength === 1 ? undefined : BROKEN;
		if (type !== HANDSHAKE) return BROKEN;
		for (let at = 0; at < body.byteLength; ) {
			const start = at + 4;
			const end = start + number(body, at + 1, 3);
			if (end > body.byteLength) return BROKEN;
			const problem = this.#takeMessage(body[at] ?? 0, body.subarray(start, end));
			if (problem) return problem;
			at = end;
		}
		return undefined;
	}

	#takeMessage(type: number, body: Uint8Array): string | undefined {
		switch (this.#due) {
			case "hello":
				return type === SERVER_HELLO ? this.#takeHello(body) : BROKEN;
			case "certificate":
				return type === CERTIFICATE ? this.#takeCertificates(body) : BROKEN;
			case "key exchange":
				return type === SERVER_KEY_EXCHANGE ? this.#takeKeyExchange(body) : BROKEN;
			case "done":
				if (type === SERVER_HELLO_DONE) this.#due = "cipher";
				return type === SERVER_HELLO_DONE || type === CERTIFICATE_REQUEST ? undefined : BROKEN;
			default:
				return BROKEN;
		}
	}

	#takeHello(body: Uint8Array): string | undefined {
		if (number(body, 0, 2) !== 0x303) return "the server does not speak TLS 1.2";
		const at = 35 + (body[34] ?? 0);
		if (body.byteLength < at + 3) return BROKEN;
		const suite = number(body, at, 2);
		const modern = suite === ECDHE_ECDSA || suite === ECDHE_RSA;
		if (!modern && !(this.#legacy && (suite === LEGACY_ECDHE || LEGACY_DHE.includes(suite) || LEGACY_RSA.includes(suite)))) {
			return `the server chose the cipher suite 0x${hex(body.subarray(at, at + 2))}, which is not admitted`;
		}
		if (body[at + 2] !== 0) return "the server chose to compress";
		this.#exchange = LEGACY_RSA.includes(suite) ? "RSA" : LEGACY_DHE.includes(suite) ? "DHE" : "ECDHE";
		this.#kind = suite === ECDHE_ECDSA ? "ecdsa" : "rsa";
		this.#due = "certificate";
		for (let i = at + 5; i < body.byteLength; i += 4 + number(body, i + 2, 2)) {
			if (number(body, i, 2) !== MAX_FRAGMENT_LENGTH) continue;
			if (number(body, i + 2, 3) !== 0x100 + FRAGMENT_LENGTH_CODE) return `the server did not take records of ${RECORD_BYTES} bytes, but others`;
			this.maxRecordBytes = RECORD_BYTES + (modern ? GCM_BYTES : CBC_BYTES);
		}
		return undefined;
	}

	#takeCertificates(body: Uint8Array): string | undefined {
		if (body.byteLength > 3 * (1 + MAX_CHAIN) + MAX_CHAIN_BYTES) return `the server sent certificates of ${body.byteLength} bytes`;
		const chain: Uint8Array[] = [];
		for (let at = 3; at < body.byteLength; ) {
			const end = at + 3 + number(body, at, 3);
			if (end > body.byteLength || chain.length > MAX_CHAIN) return BROKEN;
			chain.push(body.subarray(at + 3, end));
			at = end;
		}
		if (body.byteLength !== 3 + number(body, 0, 3)) return BROKEN;
		const verdict = this.#check(chain, this.#exchange === "RSA" ? "encryption" : "signing");
		if ("problem" in verdict) return verdict.problem;
		this.#key = verdict.key;
		if (verdict.key.kind !== this.#kind) return BROKEN;
		this.#due = this.#exchange === "RSA" ? "done" : "key exchange";
		return undefined;
	}

	/** The SDK checks the signature, but only if hash and algorithm are ones that it knows. */
	#takeKeyExchange(body: Uint8Array): string | undefined {
		let at = 0;
		if (this.#exchange === "ECDHE") at = 4 + (body[3] ?? 0);
		else {
			const bytes = number(body, 0, 2);
			const odd = (body[1 + bytes] ?? 0) & 1;
			if (bytes < MIN_DH_BYTES || bytes > MAX_DH_BYTES || !odd || !body[2]) return `the server's Diffie-Hellman group has ${8 * bytes} bits`;
			for (let i = 0; i < 3; i++) {
				const length = number(body, at, 2);
				if (length > bytes) return BROKEN;
				at += 2 + length;
			}
		}
		const hash = body[at] ?? 0;
		const algorithm = body[at + 1] ?? 0;
		const signature = body.subarray(at + 4);
		const due = this.#kind === "rsa" ? RSA : ECDSA;
		if (!HASHES.includes(hash) || algorithm !== due || signature.byteLength === 0 || signature.byteLength !== number(body, at + 2, 2)) {
			return "the server has not signed its key exchange";
		}
		if (this.#key?.kind === "ecdsa" && !isEcdsaSignature(signature, this.#key.x.byteLength)) return "the server's signature is malformed";
		this.#due = "done";
		return undefined;
	}
}

/** Two numbers that are neither 0 nor longer than the curve's, which the SDK's check takes as they come. */
function isEcdsaSignature(bytes: Uint8Array, size: number): boolean {
	try {
		const all = new DerReader(bytes);
		const numbers = all.sequence();
		const lengths = [numbers.unsigned().byteLength, numbers.unsigned().byteLength];
		return all.done && numbers.done && lengths.every((length) => length > 0 && length <= size);
	} catch {
		return false;
	}
}

/** A big-endian number; bytes past the end count as 0. */
function number(bytes: Uint8Array, at: number, length: number): number {
	let value = 0;
	for (let i = at; i < at + length; i++) value = value * 256 + (bytes[i] ?? 0);
	return value;
}
