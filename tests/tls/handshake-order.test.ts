// The messages of a TLS 1.2 handshake, each broken in one place: it ends in words, before the SDK's TLS sees any of it.

import { describe, expect, test } from "@jest/globals";
import type { ChainVerdict } from "../../src/tls/certificate-chain.js";
import { MAX_CHAIN } from "../../src/tls/certificate-chain.js";
import { HandshakeVerifier } from "../../src/tls/handshake-verifier.js";

const CHANGE_CIPHER_SPEC = 20;
const HANDSHAKE = 22;
const APPLICATION_DATA = 23;
const BROKEN = "the server does not keep to the order of a TLS handshake";
const UNSIGNED = "the server has not signed its key exchange";
const MALFORMED = "the server's signature is malformed";

type Record = readonly [type: number, body: readonly number[]];

const inThree = (bytes: readonly number[]) => [0, bytes.length >> 8, bytes.length & 255, ...bytes];
const message = (type: number, body: readonly number[]): Record => [HANDSHAKE, [type, ...inThree(body)]];
const verdict: ChainVerdict = { key: { kind: "ecdsa", curve: "secp256r1", x: new Uint8Array(32).fill(1), y: new Uint8Array(32).fill(1) } };

const helloBody = [3, 3, ...Array(32).fill(7), 0, 0xc0, 0x2b, 0];
const certificatesBody = inThree(inThree([1, 2]));
const signature = [0x30, 6, 2, 1, 1, 2, 1, 1];
const exchangeBody = (signed: readonly number[]) => [3, 0, 23, 2, 4, 4, 4, 3, 0, signed.length, ...signed];

const good = {
	hello: message(2, helloBody),
	certificates: message(11, certificatesBody),
	exchange: message(12, exchangeBody(signature)),
	done: message(14, []),
	cipher: [CHANGE_CIPHER_SPEC, [1]] as Record,
};

/** How a handshake ends in which these messages stand in the place of the good ones. */
function handshake(instead: Partial<typeof good> = {}): { problem: string | undefined; chains: number[] } {
	const chains: number[] = [];
	const verifier = new HandshakeVerifier((chain) => {
		chains.push(chain.length);
		return verdict;
	}, false);
	for (const [type, body] of Object.values({ ...good, ...instead })) {
		const problem = verifier.take(type, Uint8Array.from(body));
		if (problem) return { problem, chains };
	}
	return { problem: undefined, chains };
}

describe("a handshake", () => {
	test("that is in order goes on", () => expect(handshake()).toEqual({ problem: undefined, chains: [1] }));

	test.each<[string, Partial<typeof good>, string]>([
		["a hello of another kind", { hello: message(1, helloBody) }, BROKEN],
		["a hello that ends too early", { hello: message(2, helloBody.slice(0, -1)) }, BROKEN],
		["a hello in another record", { hello: [APPLICATION_DATA, good.hello[1]] }, BROKEN],
		["certificates of another kind", { certificates: message(13, certificatesBody) }, BROKEN],
		["certificates in another record", { certificates: [APPLICATION_DATA, good.certificates[1]] }, BROKEN],
		["a certificate that reaches past the end", { certificates: message(11, inThree([0, 0, 3, 1, 2])) }, BROKEN],
		["certificates with a wrong total", { certificates: message(11, [0, 0, 9, ...inThree([1, 2])]) }, BROKEN],
		["a signature with a byte behind it", { exchange: message(12, [...exchangeBody(signature), 0]) }, UNSIGNED],
		["a signature without numbers", { exchange: message(12, exchangeBody([0x30, 0])) }, MALFORMED],
		["a signature whose first number is 0", { exchange: message(12, exchangeBody([0x30, 6, 2, 1, 0, 2, 1, 1])) }, MALFORMED],
		["a signature whose second number is 0", { exchange: message(12, exchangeBody([0x30, 6, 2, 1, 1, 2, 1, 0])) }, MALFORMED],
		["another message before the last", { done: [HANDSHAKE, [20, 0, 0, 0, 14, 0, 0, 0]] }, BROKEN],
		["a change of cipher of two bytes", { cipher: [CHANGE_CIPHER_SPEC, [1, 1]] }, BROKEN],
	])("with %s ends", (_title, instead, words) => expect(handshake(instead).problem).toBe(words));

	test("with endless certificates ends before they are looked at", () => {
		const many = Array.from({ length: MAX_CHAIN + 2 }, () => inThree([1])).flat();
		expect(handshake({ certificates: message(11, inThree(many)) })).toEqual({ problem: BROKEN, chains: [] });
	});
});
