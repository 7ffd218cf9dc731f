// Whom the device takes for the right server: certificates, chains, names, times, and the messages of a handshake.

import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import tls from "node:tls";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { commonName, type PublicKey, parseCertificate, subjectOf } from "../../src/tls/certificate.js";
import { type ChainCheck, type ChainVerdict, checkChain, MAX_CHAIN } from "../../src/tls/certificate-chain.js";
import { sameBytes } from "../../src/tls/der.js";
import { HandshakeVerifier } from "../../src/tls/handshake-verifier.js";
import { PUBLIC_CAS } from "../../src/tls/settings.js";
import { type Certificate, type CertificateOptions, makeCertificate } from "../support/certificates.mjs";
import { nodeVerify as verify } from "../support/node-verify.js";

const DAY_MS = 86_400_000;
const names = ["localhost", "*.example.com", "10.0.0.1"];
const root = makeCertificate({ name: "Root", authority: true });
const middle = makeCertificate({ name: "Middle", authority: true, issuer: root });
const leaf = makeCertificate({ name: "leaf", names, issuer: middle });
const direct = makeCertificate({ name: "direct", names, issuer: root });

function check(chain: readonly (Certificate | Uint8Array)[], more: Partial<ChainCheck> = {}): string {
	const bytes = chain.map((one) => (one instanceof Uint8Array ? one : one.bytes));
	const verdict = checkChain({ chain: bytes, trusted: [root.bytes], host: "localhost", now: Date.now(), verify, ...more });
	return "problem" in verdict ? verdict.problem : "good";
}

const issue = (options: Partial<CertificateOptions>) => makeCertificate({ name: "leaf", names, issuer: root, ...options });
const untrusted = (issuer: string) => `no CA that is trusted here has signed the server's certificate: it comes from "${issuer}"`;

describe("a server's certificates", () => {
	test.each<[string, () => string]>([
		["signed by a trusted CA", () => check([direct])],
		["over a CA in between", () => check([leaf, middle])],
		["with the trusted CA behind them", () => check([leaf, middle, root])],
		["in another order, with one that has nothing to do with it", () => check([leaf, makeCertificate({ name: "Other" }), root, middle])],
		["trusted itself", () => check([leaf], { trusted: [leaf.bytes] })],
		["over a CA that is trusted though it is no root", () => check([leaf], { trusted: [middle.bytes] })],
		["with two trusted CAs of one name", () => check([direct], { trusted: [makeCertificate({ name: "Root", authority: true }).bytes, root.bytes] })],
		["with RSA", () => check([issue({ key: "rsa" })])],
		[
			"with P-384",
			() => {
				const large = makeCertificate({ name: "Large", authority: true, key: "p384" });
				return check([issue({ issuer: large })], { trusted: [large.bytes] });
			},
		],
		["for any host below a domain", () => check([direct], { host: "a.example.com" })],
		["for an address", () => check([direct], { host: "10.0.0.1" })],
		["whose policies are marked critical", () => check([issue({ extra: [{ id: "2.5.29.32", critical: true }] })])],
	])("%s: good", (_title, run) => expect(run()).toBe("good"));

	test.each<[string, () => string, string | RegExp]>([
		["none", () => check([]), "the server sent 0 certificates"],
		["too many", () => check(Array(MAX_CHAIN + 1).fill(leaf)), "the server sent 7 certificates"],
		["without the CA in between", () => check([leaf]), untrusted("Middle")],
		["while no CA is trusted", () => check([leaf, middle, root], { trusted: [] }), untrusted("Root")],
		["signed by itself, with good ones behind it", () => check([makeCertificate({ name: "x", names }), leaf, middle, root]), untrusted("x")],
		[
			"of a CA that has the name of a trusted one",
			() => check([issue({ issuer: makeCertificate({ name: "Root", authority: true }) }), root]),
			untrusted("Root"),
		],
		["signed by a server's", () => check([issue({ issuer: direct }), direct]), `the server's certificate comes from "direct", which is no CA`],
		["signed by a trusted one that is no CA", () => check([issue({ issuer: direct })], { trusted: [direct.bytes] }), /"direct", which is no CA/],
		[
			"of a CA below one that may have none below it",
			() => {
				const last = makeCertificate({ name: "Last", authority: true, pathLength: 0, issuer: root });
				const below = makeCertificate({ name: "Below", authority: true, issuer: last });
				return check([issue({ issuer: below }), below, last]);
			},
			'the CA "Last" may not have a CA below it',
		],
		[
			"of two CAs that have signed each other",
			() => {
				const a = makeCertificate({ name: "A", authority: true });
				const b = makeCertificate({ name: "B", authority: true, issuer: a });
				return check([issue({ issuer: b }), b, a]);
			},
			untrusted("A"),
		],
		["for clients", () => check([issue({ purpose: "client" })]), "the server's certificate is not one for servers"],
		[
			"with a condition that is not known here",
			() => check([issue({ extra: [{ id: "1.2.3.4", critical: true }] })]),
			/a condition that is not understood/,
		],
		["with a short key", () => check([issue({ key: "weak" })]), "the key in the server's certificate is not supported: RSA with 1024 bits"],
		[
			"for another name",
			() => check([direct], { host: "b.com" }),
			"the server's certificate is for localhost, *.example.com, 10.0.0.1, not for b.com",
		],
		["for hosts below a domain, not for the domain", () => check([direct], { host: "example.com" }), /not for example\.com/],
		["for one part, not for two", () => check([direct], { host: "a.b.example.com" }), /not for a\.b\.example\.com/],
		["for another address", () => check([direct], { host: "10.0.0.2" }), /not for 10\.0\.0\.2/],
		["for no name", () => check([issue({ names: [] })]), "the server's certificate is for no host, not for localhost"],
		["for every name", () => check([issue({ names: ["*", "*.com"] })], { host: "x.com" }), /not for x\.com/],
		["that are none", () => check([Buffer.from("nonsense")]), /^a certificate of the server is malformed: /],
		["that are cut off", () => check([leaf.bytes.subarray(0, 200)]), /^a certificate of the server is malformed: /],
		["with something behind it", () => check([Buffer.concat([direct.bytes, Buffer.from([0])])]), /malformed: something stands behind it/],
	])("%s: refused in words", (_title, run, words) => {
		if (typeof words === "string") expect(run()).toBe(words);
		else expect(run()).toMatch(words);
	});

	test("are refused outside their time, and the words say what the clock says", () => {
		const now = Date.UTC(2026, 4, 1);
		const from = new Date(now - DAY_MS);
		const ca = makeCertificate({ name: "CA", authority: true, from, to: new Date(now + DAY_MS) });
		const own = issue({ issuer: ca, from, to: new Date(now + DAY_MS / 2) });
		const at = (now: number) => check([own], { trusted: [ca.bytes], now });
		expect(at(now)).toBe("good");
		expect(at(now + 0.7 * DAY_MS)).toBe("the server's certificate has expired on 2026-05-01, and the clock says 2026-05-01");
		const long = issue({ issuer: ca, from, to: new Date(now + 9 * DAY_MS) });
		expect(check([long], { trusted: [ca.bytes], now: now + 2 * DAY_MS })).toBe(
			'the certificate of the CA "CA" has expired on 2026-05-02, and the clock says 2026-05-03',
		);
		expect(at(now - 2 * DAY_MS)).toBe("the server's certificate is valid from 2026-04-30 on, and the clock says 2026-04-29");
		expect(at(5000)).toBe("the server's certificate is valid from 2026-04-30 on, and the clock says 1970-01-01: it is not set");
		const late = issue({ to: new Date(Date.UTC(2051, 0, 1)) });
		expect(check([late], { trusted: [late.bytes], now: Date.UTC(2050, 11, 31) })).toBe("good");
	});

	test("with any byte of what is signed changed are refused, and no bytes make it throw", () => {
		const { bytes, signed } = parseCertificate(new Uint8Array(direct.bytes));
		const start = signed.byteOffset - bytes.byteOffset;
		fc.assert(
			fc.property(fc.nat(bytes.byteLength - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
				const spoiled = bytes.slice();
				spoiled[at] = (spoiled[at] ?? 0) ^ change;
				const verdict = check([spoiled]);
				if (at >= start && at < start + signed.byteLength) expect(verdict).not.toBe("good");
			}),
			{ numRuns: 500 },
		);
		fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => expect(check([bytes])).not.toBe("good")));
	});
});

describe("the CAs that come with the firmware", () => {
	const folder = new URL("../../src/certificates/", import.meta.url);
	const read = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)));

	test("are those in src/certificates", () => {
		expect([...PUBLIC_CAS].sort()).toEqual(readdirSync(folder).sort());
	});

	test("are among those that Node trusts, if they are not older than this Node", () => {
		const known = new Set(tls.rootCertificates.map((pem) => new X509Certificate(pem).fingerprint256));
		const unknown = PUBLIC_CAS.filter((name) => !known.has(new X509Certificate(read(name)).fingerprint256));
		// A Node of another year may have dropped one; most of them unknown would mean that the files are not what they say.
		expect(unknown.length).toBeLessThanOrEqual(2);
	});

	test.each([...PUBLIC_CAS])("%s is a CA that is understood, whose own signature holds", (name) => {
		const bytes = read(name);
		const ca = parseCertificate(bytes);
		expect(ca).toMatchObject({ isCa: true, hasUnknownCondition: false, isServerAuth: true, key: expect.any(Object) });
		expect(sameBytes(subjectOf(bytes), ca.subject)).toBe(true);
		expect(commonName(ca.subject)).not.toBe("");
		// A root's own signature may be SHA-1; nothing depends on it.
		if (typeof ca.algorithm === "object" && typeof ca.key === "object") expect(verify(ca.key, ca.algorithm, ca.signed, ca.signature)).toBe(true);
	});
});

describe("a handshake", () => {
	const HELLO = 2;
	const CERTIFICATE = 11;
	const KEY_EXCHANGE = 12;
	const REQUEST = 13;
	const DONE = 14;
	const BROKEN = "the server does not keep to the order of a TLS handshake";
	const OTHER_LENGTH = "the server did not take records of 2048 bytes, but others";
	const UNSIGNED = "the server has not signed its key exchange";
	const CHANGE_OF_CIPHER = [1];
	const keyOf = (certificate: Certificate) => parseCertificate(certificate.bytes).key as PublicKey;
	const ec: ChainVerdict = { key: keyOf(direct) };
	const rsa: ChainVerdict = { key: keyOf(issue({ key: "rsa" })) };

	const message = (type: number, ...body: number[]) => [type, 0, body.length >> 8, body.length & 255, ...body];
	const hello = (first: number, second: number, version = 3, extensions: number[] = []) =>
		message(HELLO, 3, version, ...Array(32).fill(7), 0, first, second, 0, ...(extensions.length > 0 ? [0, extensions.length, ...extensions] : []));
	const ecdhe = hello(0xc0, 0x2b);
	const certificate = message(CERTIFICATE, 0, 0, 5, 0, 0, 2, 1, 2);
	const signature = [0x30, 6, 2, 1, 1, 2, 1, 1];
	const exchange = (hash: number, algorithm: number, bytes = signature) =>
		message(KEY_EXCHANGE, 3, 0, 23, 2, 4, 4, hash, algorithm, 0, bytes.length, ...bytes);
	const dhe = (bits: number, last = 0xff, generator = [2]) => {
		const group = [...Array(bits / 8 - 1).fill(0xff), last];
		return message(KEY_EXCHANGE, bits >> 11, (bits >> 3) & 255, ...group, 0, generator.length, ...generator, 0, 1, 9, 4, 1, 0, 2, 1, 1);
	};
	const done = message(DONE);

	function take(verdict: ChainVerdict, ...records: (readonly number[])[]): string {
		return takeFrom(false, verdict, ...records);
	}

	function takeFrom(legacy: boolean, verdict: ChainVerdict, ...records: (readonly number[])[]): string {
		const guard = new HandshakeVerifier(() => verdict, legacy);
		for (const record of records) {
			const problem = guard.take(record === CHANGE_OF_CIPHER ? 20 : 22, Uint8Array.from(record));
			if (problem) return problem;
		}
		return "good";
	}

	test.each<[string, () => string]>([
		["with ECDHE, message by message", () => take(ec, ecdhe, certificate, exchange(4, 3), done, CHANGE_OF_CIPHER)],
		["in one record", () => take(ec, [...ecdhe, ...certificate, ...exchange(5, 3), ...done], CHANGE_OF_CIPHER)],
		["with a wish for a certificate", () => take(ec, ecdhe, certificate, exchange(4, 3), message(REQUEST, 0), done, CHANGE_OF_CIPHER)],
		["with RSA where that is admitted", () => takeFrom(true, rsa, hello(0, 0x3c), certificate, done, CHANGE_OF_CIPHER)],
		["with DHE where that is admitted", () => takeFrom(true, rsa, hello(0, 0x9e), certificate, dhe(2048), done, CHANGE_OF_CIPHER)],
		["with CBC where that is admitted", () => takeFrom(true, rsa, hello(0xc0, 0x27), certificate, exchange(4, 1), done, CHANGE_OF_CIPHER)],
	])("%s: goes on", (_title, run) => expect(run()).toBe("good"));

	test.each<[string, () => string, string]>([
		["with certificates that are not good", () => take({ problem: "not good" }, ecdhe, certificate), "not good"],
		["without certificate", () => take(ec, ecdhe, exchange(4, 3)), BROKEN],
		["without key exchange", () => take(ec, ecdhe, certificate, done), BROKEN],
		["with a change of cipher at once", () => take(ec, ecdhe, CHANGE_OF_CIPHER), BROKEN],
		["with a change of cipher before its end", () => take(ec, ecdhe, certificate, exchange(4, 3), CHANGE_OF_CIPHER), BROKEN],
		["with two certificates", () => take(ec, ecdhe, certificate, certificate), BROKEN],
		["with a message behind its end", () => take(ec, ecdhe, certificate, exchange(4, 3), done, certificate), BROKEN],
		["with a key exchange without hash", () => take(ec, ecdhe, certificate, exchange(0, 3)), UNSIGNED],
		["with a key exchange without algorithm", () => take(ec, ecdhe, certificate, exchange(4, 0)), UNSIGNED],
		["with a key exchange signed by SHA-1", () => take(ec, ecdhe, certificate, exchange(2, 3)), UNSIGNED],
		["with a key exchange signed by another kind of key", () => take(ec, ecdhe, certificate, exchange(4, 1)), UNSIGNED],
		["with an empty signature", () => take(ec, ecdhe, certificate, exchange(4, 3, [])), UNSIGNED],
		[
			"with a signature of zeros",
			() => take(ec, ecdhe, certificate, exchange(4, 3, [0x30, 6, 2, 1, 0, 2, 1, 0])),
			"the server's signature is malformed",
		],
		["of another version", () => take(ec, hello(0xc0, 0x2b, 2)), "the server does not speak TLS 1.2"],
		["with RSA and a key that is none", () => takeFrom(true, ec, hello(0, 0x3c), certificate), BROKEN],
		["with ECDSA and an RSA key", () => take(rsa, ecdhe, certificate), BROKEN],
		["with RSA", () => take(rsa, hello(0, 0x3c)), "the server chose the cipher suite 0x003c, which is not admitted"],
		["with AES-128-CBC", () => take(rsa, hello(0xc0, 0x27)), "the server chose the cipher suite 0xc027, which is not admitted"],
		["with DHE", () => take(rsa, hello(0, 0x9e)), "the server chose the cipher suite 0x009e, which is not admitted"],
		["with RC4", () => takeFrom(true, rsa, hello(0, 5)), "the server chose the cipher suite 0x0005, which is not admitted"],
		["with compression", () => take(ec, [...ecdhe.slice(0, -1), 1]), "the server chose to compress"],
		[
			"with a group of 1024 bits",
			() => takeFrom(true, rsa, hello(0, 0x9e), certificate, dhe(1024)),
			"the server's Diffie-Hellman group has 1024 bits",
		],
		[
			"with a group of 8192 bits",
			() => takeFrom(true, rsa, hello(0, 0x9e), certificate, dhe(8192)),
			"the server's Diffie-Hellman group has 8192 bits",
		],
		["with an even group", () => takeFrom(true, rsa, hello(0, 0x9e), certificate, dhe(2048, 2)), "the server's Diffie-Hellman group has 2048 bits"],
		[
			"with a long generator",
			() =>
				takeFrom(
					true,
					rsa,
					hello(0, 0x9e),
					certificate,
					dhe(2048, 3, Array(257).fill(2)).map((b, i, all) => (i === 262 ? 1 : i === 263 ? 1 : (all[i] ?? b))),
				),
			BROKEN,
		],
		[
			"with certificates of more than 12 KB",
			() => take(ec, ecdhe, [CERTIFICATE, 0, 0x40, 3, 0, 0x40, 0, ...Array(0x4000).fill(0)]),
			"the server sent certificates of 16387 bytes",
		],
		[
			"with a signature longer than the curve",
			() => take(ec, ecdhe, certificate, exchange(4, 3, [0x30, 38, 2, 33, ...Array(33).fill(1), 2, 1, 1])),
			"the server's signature is malformed",
		],
		["with a message in pieces", () => take(ec, ecdhe, certificate.slice(0, 8)), BROKEN],
		["with records of another length than was asked for", () => take(ec, hello(0xc0, 0x2b, 3, [0, 1, 0, 1, 1])), OTHER_LENGTH],
		["with a length of records that is cut off", () => take(ec, hello(0xc0, 0x2b, 3, [0, 1, 0, 1])), OTHER_LENGTH],
	])("%s: ends in words", (_title, run, words) => expect(run()).toBe(words));

	test("of any bytes throws nothing", () => {
		fc.assert(
			fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { maxLength: 5 }), (records) => {
				const guard = new HandshakeVerifier((chain) => ({ problem: check(chain) }), true);
				guard.take(22, Uint8Array.from(ecdhe));
				for (const record of records) guard.take(22, record);
			}),
		);
	});
});
