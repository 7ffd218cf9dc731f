// Parses X.509 certificates (RFC 5280), as far as a TLS client needs them.

import { latin1 } from "../base/bytes.js";
import { BOOLEAN, DerReader, GENERALIZED_TIME, INTEGER, OCTET_STRING, SEQUENCE, SET, UTC_TIME } from "./der.js";

/** A public key; the numbers are big-endian and without leading zeros, a point's two are of the curve's full length. */
export type PublicKey =
	| { readonly kind: "rsa"; readonly modulus: Uint8Array; readonly exponent: Uint8Array }
	| { readonly kind: "ecdsa"; readonly curve: "secp256r1" | "secp384r1"; readonly x: Uint8Array; readonly y: Uint8Array };

export interface SignatureAlgorithm {
	readonly kind: PublicKey["kind"];
	readonly hash: "SHA256" | "SHA384" | "SHA512";
}

/** A parsed certificate; the arrays are views of its bytes. */
export interface Certificate {
	readonly bytes: Uint8Array;
	/** What the signature covers. */
	readonly signed: Uint8Array;
	/** Undefined for one that is not trusted here, such as SHA-1. */
	readonly algorithm: SignatureAlgorithm | undefined;
	readonly signature: Uint8Array;
	readonly issuer: Uint8Array;
	readonly subject: Uint8Array;
	/** In milliseconds since 1970. */
	readonly notBefore: number;
	readonly notAfter: number;
	/** Undefined for a kind that is not known here. */
	readonly key: PublicKey | undefined;
	/** Host names in lower case, perhaps with `*` as the first part, and IPv4 addresses. */
	readonly names: readonly string[];
	/** May it sign other certificates? */
	readonly isCa: boolean;
	/** How many CAs may stand between it and the server's certificate. */
	readonly pathLength: number;
	/** Does its extended key usage allow a server's certificate? */
	readonly isServerAuth: boolean;
	/** Has it a critical extension that is unknown here? */
	readonly hasUnknownCritical: boolean;
}

const HASHES: { readonly [id: string]: SignatureAlgorithm } = Object.freeze({
	"2a864886f70d01010b": Object.freeze({ kind: "rsa", hash: "SHA256" }),
	"2a864886f70d01010c": Object.freeze({ kind: "rsa", hash: "SHA384" }),
	"2a864886f70d01010d": Object.freeze({ kind: "rsa", hash: "SHA512" }),
	"2a8648ce3d040302": Object.freeze({ kind: "ecdsa", hash: "SHA256" }),
	"2a8648ce3d040303": Object.freeze({ kind: "ecdsa", hash: "SHA384" }),
	"2a8648ce3d040304": Object.freeze({ kind: "ecdsa", hash: "SHA512" }),
});

const RSA_KEY = "2a864886f70d010101";
const EC_KEY = "2a8648ce3d0201";
const SECP256R1 = "2a8648ce3d030107";
const SECP384R1 = "2b81040022";
const COMMON_NAME = "550403";
const KEY_USAGE = "551d0f";
const ALTERNATIVE_NAMES = "551d11";
const BASIC_CONSTRAINTS = "551d13";
const EXTENDED_KEY_USAGE = "551d25";
/** Certificate policies: they may be marked critical, and nothing here depends on them. */
const POLICIES = "551d20";
const SERVER_AUTHENTICATION = "2b06010505070301";
const ANY_USAGE = "551d2500";
/** The bit of key usage that admits signing certificates. */
const SIGNS_CERTIFICATES = 0x04;
const UNLIMITED = 255;
/** RSA keys shorter than 2048 bits are not trusted. */
const MIN_MODULUS_BYTES = 256;

/** @throws TypeError when the bytes are no certificate */
export function parseCertificate(bytes: Uint8Array): Certificate {
	const all = new DerReader(bytes);
	const outer = all.sequence();
	if (!all.done) throw new TypeError("something stands behind it");
	const signed = outer.whole(SEQUENCE);
	const algorithmId = outer.whole(SEQUENCE);
	const signature = outer.bits();

	const body = new DerReader(signed).sequence();
	if (body.upcoming === 0xa0) body.next();
	body.next(INTEGER);
	// The one inside is signed, the one outside is not: they must agree.
	const algorithm = HASHES[new DerReader(body.whole(SEQUENCE)).sequence().objectId()];
	if (algorithm !== HASHES[new DerReader(algorithmId).sequence().objectId()]) throw new TypeError("it names two algorithms");
	const issuer = body.whole(SEQUENCE);
	const validity = body.sequence();
	const notBefore = readTime(validity);
	const notAfter = readTime(validity);
	const subject = body.whole(SEQUENCE);
	const key = readKey(body.sequence());

	const found = { names: [] as string[], isCa: false, mayCertify: true, pathLength: UNLIMITED, isServerAuth: true, hasUnknownCritical: false };
	while (!body.done) {
		const contents = body.next();
		if (body.tag !== 0xa3) continue;
		const extensions = new DerReader(contents).sequence();
		while (!extensions.done) readExtension(extensions.sequence(), found);
	}
	const { names, pathLength, isServerAuth, hasUnknownCritical } = found;
	const isCa = found.isCa && found.mayCertify;
	return {
		bytes,
		signed,
		algorithm,
		signature,
		issuer,
		subject,
		notBefore,
		notAfter,
		key,
		names,
		isCa,
		pathLength,
		isServerAuth,
		hasUnknownCritical,
	};
}

/** Only the subject of a certificate, as its bytes. @throws TypeError when the bytes are no certificate */
export function subjectOf(bytes: Uint8Array): Uint8Array {
	const body = new DerReader(bytes).sequence().sequence();
	if (body.upcoming === 0xa0) body.next();
	// Serial number, algorithm, issuer, validity.
	for (let i = 0; i < 4; i++) body.next();
	return body.whole(SEQUENCE);
}

/** The common name in a subject or issuer, for the log; "" where there is none. */
export function commonName(name: Uint8Array): string {
	let found = "";
	try {
		const sets = new DerReader(name).sequence();
		while (!sets.done) {
			const part = new DerReader(sets.next(SET)).sequence();
			if (part.objectId() !== COMMON_NAME) continue;
			found = latin1(part.next());
		}
	} catch {
		// It is only for the log.
	}
	return found;
}

interface Found {
	readonly names: string[];
	isCa: boolean;
	mayCertify: boolean;
	pathLength: number;
	isServerAuth: boolean;
	hasUnknownCritical: boolean;
}

function readExtension(extension: DerReader, found: Found): void {
	const id = extension.objectId();
	const critical = extension.upcoming === BOOLEAN && extension.next()[0] !== 0;
	const value = new DerReader(extension.next(OCTET_STRING));
	switch (id) {
		case BASIC_CONSTRAINTS: {
			const constraints = value.sequence();
			found.isCa = constraints.upcoming === BOOLEAN && constraints.next()[0] !== 0;
			if (constraints.done) break;
			const limit = constraints.unsigned();
			found.pathLength = limit.byteLength > 1 ? UNLIMITED : (limit[0] ?? 0);
			break;
		}
		case KEY_USAGE:
			found.mayCertify = ((value.bits()[0] ?? 0) & SIGNS_CERTIFICATES) !== 0;
			break;
		case EXTENDED_KEY_USAGE: {
			const purposes = value.sequence();
			found.isServerAuth = false;
			while (!purposes.done) {
				const purpose = purposes.objectId();
				if (purpose === SERVER_AUTHENTICATION || purpose === ANY_USAGE) found.isServerAuth = true;
			}
			break;
		}
		case ALTERNATIVE_NAMES: {
			const names = value.sequence();
			while (!names.done) {
				const name = names.next();
				if (names.tag === 0x82) found.names.push(latin1(name).toLowerCase());
				else if (names.tag === 0x87 && name.byteLength === 4) found.names.push(`${name[0]}.${name[1]}.${name[2]}.${name[3]}`);
			}
			break;
		}
		case POLICIES:
			break;
		default:
			found.hasUnknownCritical ||= critical;
	}
}

function readKey(info: DerReader): PublicKey | undefined {
	const algorithm = info.sequence();
	const kind = algorithm.objectId();
	if (kind === RSA_KEY) {
		const numbers = new DerReader(info.bits()).sequence();
		const modulus = numbers.unsigned();
		const exponent = numbers.unsigned();
		// With the exponent 3 a careless check of a signature can be cheated; 65537 is the rule.
		return modulus.byteLength < MIN_MODULUS_BYTES || exponent.byteLength < 3 ? undefined : { kind: "rsa", modulus, exponent };
	}
	if (kind !== EC_KEY) return undefined;
	const id = algorithm.objectId();
	const curve = id === SECP256R1 ? "secp256r1" : id === SECP384R1 ? "secp384r1" : undefined;
	const size = curve === "secp256r1" ? 32 : 48;
	const point = info.bits();
	if (!curve || point[0] !== 4 || point.byteLength !== 1 + 2 * size) return undefined;
	return { kind: "ecdsa", curve, x: point.subarray(1, 1 + size), y: point.subarray(1 + size) };
}

/** Years have two digits until 2049 and four from then on; always UTC, always with seconds. */
function readTime(validity: DerReader): number {
	const text = latin1(validity.next());
	const long = validity.tag === GENERALIZED_TIME;
	const digits = long ? 14 : 12;
	if ((!long && validity.tag !== UTC_TIME) || text.length !== digits + 1 || text[digits] !== "Z") throw new TypeError("it has a date that is none");
	const at = digits - 10;
	const part = (i: number) => Number(text.slice(at + 2 * i, at + 2 * i + 2));
	const year = Number(text.slice(0, at));
	const time = Date.UTC(long ? year : year + (year < 50 ? 2000 : 1900), part(0) - 1, part(1), part(2), part(3), part(4));
	if (Number.isNaN(time)) throw new TypeError("it has a date that is none");
	return time;
}
