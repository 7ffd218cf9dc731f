// Checks the unencrypted part of a TLS 1.2 handshake (RFC 5246), so that it continues only with the server that was called.

import type { PublicKey } from "./certificate.js";
import { type ChainVerdict, MAX_CHAIN } from "./certificate-chain.js";
import { DerReader } from "./der.js";

const HANDSHAKE = 22;
const CHANGE_CIPHER_SPEC = 20;

const SERVER_HELLO = 2;
const CERTIFICATE = 11;
const SERVER_KEY_EXCHANGE = 12;
const CERTIFICATE_REQUEST = 13;
const SERVER_HELLO_DONE = 14;

/** The cipher suites without a key exchange of their own: the client encrypts its secret for the certificate's key. */
const RSA_SUITES = Object.freeze([0x2f, 0x35, 0x3c, 0x3d]);
/** SHA-256, SHA-384 and SHA-512 among TLS's numbers for hashes. */
const HASHES = Object.freeze([4, 5, 6]);
const RSA = 1;
const ECDSA = 3;

const BROKEN = "the server does not keep to the order of a TLS handshake";

/**
 * The SDK's TLS accepts certificates that nobody has signed, if a genuine one follows them, and a key exchange without a
 * signature: a man in the middle could read everything. So the server's messages are checked here before the SDK sees
 * them; only the signature of the key exchange and the end of the handshake are left to it.
 */
export class HandshakeVerifier {
	readonly #check: (chain: readonly Uint8Array[]) => ChainVerdict;
	#due: "hello" | "certificate" | "key exchange" | "done" | "cipher" = "hello";
	#suite: "RSA" | "DHE" | "ECDHE" = "RSA";
	#key: PublicKey | undefined;

	/** @param check decides about the server's certificates; called once */
	constructor(check: (chain: readonly Uint8Array[]) => ChainVerdict) {
		this.#check = check;
	}

	/** Takes a whole unencrypted record. Returns what is wrong in words, or undefined to let it through. */
	take(type: number, body: Uint8Array): string | undefined {
		if (type === CHANGE_CIPHER_SPEC) return this.#due === "cipher" && body.byteLength === 1 ? undefined : BROKEN;
		if (type !== HANDSHAKE) return BROKEN;
		for (let at = 0; at < body.byteLength; ) {
			const start = at + 4;
			const end = start + number(body, at + 1, 3);
			if (end > body.byteLength) return "the server sends its handshake in pieces, which is not supported";
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
		const [first, second = 0] = body.subarray(at, at + 2);
		this.#suite = first === 0xc0 ? "ECDHE" : RSA_SUITES.includes(second) ? "RSA" : "DHE";
		this.#due = "certificate";
		return undefined;
	}

	#takeCertificates(body: Uint8Array): string | undefined {
		const chain: Uint8Array[] = [];
		for (let at = 3; at < body.byteLength; ) {
			const end = at + 3 + number(body, at, 3);
			if (end > body.byteLength || chain.length > MAX_CHAIN) return BROKEN;
			chain.push(body.subarray(at + 3, end));
			at = end;
		}
		if (body.byteLength !== 3 + number(body, 0, 3)) return BROKEN;
		const verdict = this.#check(chain);
		if ("problem" in verdict) return verdict.problem;
		this.#key = verdict.key;
		if (this.#suite === "RSA" && verdict.key.kind !== "rsa") return BROKEN;
		this.#due = this.#suite === "RSA" ? "done" : "key exchange";
		return undefined;
	}

	/** The SDK checks the signature, but only if hash and algorithm are ones that it knows. */
	#takeKeyExchange(body: Uint8Array): string | undefined {
		let at = 0;
		if (this.#suite === "ECDHE") at = 4 + (body[3] ?? 0);
		else for (let i = 0; i < 3; i++) at += 2 + number(body, at, 2);
		const hash = body[at] ?? 0;
		const algorithm = body[at + 1] ?? 0;
		const signature = body.subarray(at + 4);
		const due = this.#key?.kind === "rsa" ? RSA : ECDSA;
		if (!HASHES.includes(hash) || algorithm !== due || signature.byteLength === 0 || signature.byteLength !== number(body, at + 2, 2)) {
			return "the server has not signed its key exchange";
		}
		if (algorithm === ECDSA && !isEcdsaSignature(signature)) return "the server's signature is malformed";
		this.#due = "done";
		return undefined;
	}
}

/** Two numbers that are not 0, which a careless check would accept as a signature of anything. */
function isEcdsaSignature(bytes: Uint8Array): boolean {
	try {
		const numbers = new DerReader(bytes).sequence();
		return numbers.unsigned().byteLength > 0 && numbers.unsigned().byteLength > 0;
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
