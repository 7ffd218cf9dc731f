// Parses X.509 certificates (RFC 5280), as far as a TLS client needs them.

import { latin1 } from "../base/bytes.js";
import { BOOLEAN, DerReader, GENERALIZED_TIME, INTEGER, OCTET_STRING, SEQUENCE, SET, sameBytes, UTC_TIME } from "./der.js";

/** A public key; the numbers are big-endian and without leading zeros, a point's two are of the curve's full length. */
export type PublicKey =
	| { readonly kind: "rsa"; readonly modulus: Uint8Array; readonly exponent: Uint8Array }
	| { readonly kind: "ecdsa"; readonly curve: "secp256r1" | "secp384r1"; readonly x: Uint8Array; readonly y: Uint8Array };

export interface SignatureAlgorithm {
	readonly kind: PublicKey["kind"];
	readonly hash: "SHA256" | "SHA384" | "SHA512";
}

/** Names for which a CA may or must not sign (RFC 5280, 4.2.1.10). */
export interface NameConstraints {
	readonly permitted: NameSet;
	readonly excluded: NameSet;
}

export interface NameSet {
	/** Domains in lower case; as a constraint each covers the names below it too. */
	readonly hosts: readonly string[];
	/** Four bytes each, as a constraint followed by their mask. */
	readonly addresses: readonly Uint8Array[];
}

/** A parsed certificate; the arrays are views of its bytes. */
export interface Certificate extends NameSet {
	readonly bytes: Uint8Array;
	/** What the signature covers. */
	readonly signed: Uint8Array;
	/** In words where it is not supported, such as "SHA-1". */
	readonly algorithm: SignatureAlgorithm | string;
	readonly signature: Uint8Array;
	readonly issuer: Uint8Array;
	readonly subject: Uint8Array;
	/** In milliseconds since 1970. */
	readonly notBefore: number;
	readonly notAfter: number;
	/** In words where it is not supported, such as "RSA with 1024 bits". */
	readonly key: PublicKey | string;
	/** May it sign other certificates? */
	readonly isCa: boolean;
	/** May its key sign a key exchange? */
	readonly signs: boolean;
	/** May a client encrypt its secret for its key? */
	readonly encrypts: boolean;
	/** How many CAs may stand between it and the server's certificate. */
	readonly pathLength: number;
	/** Does its extended key usage allow a server's certificate? */
	readonly isServerAuth: boolean;
	readonly constraints: NameConstraints | undefined;
	/** Has it a critical extension that is unknown here, or a constraint on other names than hosts and addresses? */
	readonly hasUnknownCondition: boolean;
}

const RSA_KEY = "2a864886f70d010101";
const RSA_PSS = "2a864886f70d01010a";
const EC_KEY = "2a8648ce3d0201";
const SECP256R1 = "2a8648ce3d030107";
const SECP384R1 = "2b81040022";
const COMMON_NAME = "550403";
const KEY_USAGE = "551d0f";
const ALTERNATIVE_NAMES = "551d11";
const BASIC_CONSTRAINTS = "551d13";
const NAME_CONSTRAINTS = "551d1e";
const EXTENDED_KEY_USAGE = "551d25";
/** Certificate policies: they may be marked critical, and nothing here depends on them. */
const POLICIES = "551d20";
const SERVER_AUTHENTICATION = "2b06010505070301";
const ANY_USAGE = "551d2500";
/** Bits of key usage: it may sign a key exchange, be encrypted for, sign certificates. */
const DIGITAL_SIGNATURE = 0x80;
const KEY_ENCIPHERMENT = 0x20;
const SIGNS_CERTIFICATES = 0x04;
const UNLIMITED = 255;
/** The arithmetic blocks everything else, and its time grows with the square of a modulus times the exponent's bits. */
const MIN_MODULUS_BYTES = 256;
const MAX_MODULUS_BYTES = 512;
const MAX_EXPONENT_BYTES = 4;
const MAX_EXTENSIONS = 32;
/** Tags of general names. */
const HOST = 0x82;
const ADDRESS = 0x87;
const DIRECTORY = 0xa4;

/** @throws TypeError when the bytes are no certificate */
export function parseCertificate(bytes: Uint8Array): Certificate {
	const all = new DerReader(bytes);
	const outer = all.sequence();
	if (!all.done) throw new TypeError("something stands behind it");
	const signed = outer.whole(SEQUENCE);
	const algorithmId = outer.whole(SEQUENCE);
	const signature = outer.bits();
	if (!outer.done) throw new TypeError("something stands behind its signature");

	const body = new DerReader(signed).sequence();
	let version: number | undefined = 0;
	if (body.upcoming === 0xa0) version = new DerReader(body.next()).unsigned()[0];
	body.next(INTEGER);
	// The one inside is signed, the one outside is not: they must agree.
	const algorithm = body.whole(SEQUENCE);
	if (!sameBytes(algorithm, algorithmId)) throw new TypeError("it names two algorithms");
	const issuer = body.whole(SEQUENCE);
	const validity = body.sequence();
	const notBefore = readTime(validity);
	const notAfter = readTime(validity);
	const subject = body.whole(SEQUENCE);
	const key = readKey(body.sequence());

	const found: Found = { hosts: [], addresses: [], isCa: false, usage: 0xff, pathLength: UNLIMITED, isServerAuth: true, hasUnknownCondition: false };
	for (let last = 0x80; !body.done; last = body.tag) {
		const contents = body.next();
		// Two old identifiers may stand before the extensions; each comes once, and in order.
		if (body.tag <= last || body.tag > 0xa3) throw new TypeError("its members are not in order");
		if (body.tag !== 0xa3) continue;
		if (version !== V3) throw new TypeError("it has extensions, which its version has not");
		const extensions = new DerReader(contents).sequence();
		const seen: string[] = [];
		while (!extensions.done) {
			const id = readExtension(extensions.sequence(), found);
			if (seen.includes(id)) throw new TypeError("it has an extension twice");
			if (seen.push(id) > MAX_EXTENSIONS) throw new TypeError("it has too many extensions");
		}
	}
	const { hosts, addresses, usage, pathLength, isServerAuth, constraints, hasUnknownCondition } = found;
	return {
		bytes,
		signed,
		algorithm: readAlgorithm(new DerReader(algorithm).sequence().objectId()),
		signature,
		issuer,
		subject,
		notBefore,
		notAfter,
		key,
		hosts,
		addresses,
		isCa: found.isCa && (usage & SIGNS_CERTIFICATES) !== 0,
		signs: (usage & DIGITAL_SIGNATURE) !== 0,
		encrypts: (usage & KEY_ENCIPHERMENT) !== 0,
		pathLength,
		isServerAuth,
		constraints,
		hasUnknownCondition,
	};
}

/** Version 3 is written as 2. */
const V3 = 2;

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
	readonly hosts: string[];
	readonly addresses: Uint8Array[];
	isCa: boolean;
	/** Key usage's first eight bits; all of them where there is none. */
	usage: number;
	pathLength: number;
	isServerAuth: boolean;
	constraints?: NameConstraints;
	hasUnknownCondition: boolean;
}

/** Returns the extension's identifier. */
function readExtension(extension: DerReader, found: Found): string {
	const id = extension.objectId();
	const critical = extension.upcoming === BOOLEAN && extension.next()[0] !== 0;
	const value = new DerReader(extension.next(OCTET_STRING));
	if (!extension.done) throw new TypeError("something stands behind an extension");
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
			found.usage = value.bits()[0] ?? 0;
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
				if (names.tag === HOST) found.hosts.push(latin1(name).toLowerCase());
				else if (names.tag === ADDRESS && name.byteLength === 4) found.addresses.push(name);
			}
			break;
		}
		case NAME_CONSTRAINTS: {
			const sets = value.sequence();
			const permitted = { hosts: [] as string[], addresses: [] as Uint8Array[] };
			const excluded = { hosts: [] as string[], addresses: [] as Uint8Array[] };
			while (!sets.done) {
				const trees = new DerReader(sets.next());
				if (sets.tag !== 0xa0 && sets.tag !== 0xa1) throw new TypeError("its name constraints are malformed");
				const into = sets.tag === 0xa0 ? permitted : excluded;
				while (!trees.done) {
					const tree = trees.sequence();
					const name = tree.next();
					// A minimum or a maximum: RFC 5280 admits neither.
					if (!tree.done) found.hasUnknownCondition = true;
					if (tree.tag === HOST) into.hosts.push(latin1(name).toLowerCase());
					else if (tree.tag === ADDRESS && (name.byteLength === 8 || name.byteLength === 32)) into.addresses.push(name);
					// Mail and web addresses are no names of servers, but a subject is one of everybody.
					else if (tree.tag === ADDRESS || tree.tag === DIRECTORY) found.hasUnknownCondition = true;
				}
			}
			found.constraints = { permitted, excluded };
			break;
		}
		case POLICIES:
			break;
		default:
			found.hasUnknownCondition ||= critical;
	}
	return id;
}

function readAlgorithm(id: string): SignatureAlgorithm | string {
	switch (id) {
		case "2a864886f70d01010b":
			return { kind: "rsa", hash: "SHA256" };
		case "2a864886f70d01010c":
			return { kind: "rsa", hash: "SHA384" };
		case "2a864886f70d01010d":
			return { kind: "rsa", hash: "SHA512" };
		case "2a8648ce3d040302":
			return { kind: "ecdsa", hash: "SHA256" };
		case "2a8648ce3d040303":
			return { kind: "ecdsa", hash: "SHA384" };
		case "2a8648ce3d040304":
			return { kind: "ecdsa", hash: "SHA512" };
		case RSA_PSS:
			return "RSA-PSS";
		case "2a864886f70d010104":
			return "MD5";
		case "2a864886f70d010105":
		case "2a8648ce3d0401":
			return "SHA-1";
		case "2b6570":
			return "Ed25519";
		default:
			return "an unknown algorithm";
	}
}

function readKey(info: DerReader): PublicKey | string {
	const algorithm = info.sequence();
	const kind = algorithm.objectId();
	if (kind === RSA_KEY) {
		const numbers = new DerReader(info.bits()).sequence();
		const modulus = numbers.unsigned();
		const exponent = numbers.unsigned();
		const { byteLength } = modulus;
		if (byteLength < MIN_MODULUS_BYTES || byteLength > MAX_MODULUS_BYTES) return `RSA with ${8 * byteLength} bits`;
		// With the exponent 3 a careless check of a signature can be cheated; 65537 is the rule. An even number is no key's.
		if (exponent.byteLength < 3 || exponent.byteLength > MAX_EXPONENT_BYTES || !isOdd(exponent) || !isOdd(modulus))
			return "RSA with an exponent or a modulus that is not usual";
		return { kind: "rsa", modulus, exponent };
	}
	if (kind === RSA_PSS) return "RSA-PSS";
	if (kind !== EC_KEY) return "of an unknown kind";
	const id = algorithm.objectId();
	const curve = id === SECP256R1 ? "secp256r1" : id === SECP384R1 ? "secp384r1" : undefined;
	const size = curve === "secp256r1" ? 32 : 48;
	const point = info.bits();
	if (!curve || point[0] !== 4 || point.byteLength !== 1 + 2 * size) return "on another curve than P-256 and P-384";
	return { kind: "ecdsa", curve, x: point.subarray(1, 1 + size), y: point.subarray(1 + size) };
}

function isOdd(number: Uint8Array): boolean {
	return ((number[number.byteLength - 1] ?? 0) & 1) === 1;
}

/** Years have two digits until 2049 and four from then on; always UTC, always with seconds. */
function readTime(validity: DerReader): number {
	const text = latin1(validity.next());
	const long = validity.tag === GENERALIZED_TIME;
	const digits = long ? 14 : 12;
	let good = (long || validity.tag === UTC_TIME) && text.length === digits + 1 && text[digits] === "Z";
	for (let i = 0; i < digits; i++) good &&= text.charCodeAt(i) >= 48 && text.charCodeAt(i) <= 57;
	const at = digits - 10;
	const part = (i: number) => Number(text.slice(at + 2 * i, at + 2 * i + 2));
	const shortYear = Number(text.slice(0, at));
	const year = long ? shortYear : shortYear + (shortYear < 50 ? 2000 : 1900);
	const time = Date.UTC(year, part(0) - 1, part(1), part(2), part(3), part(4));
	const date = new Date(time);
	// Month 13 would be January of the next year.
	good &&= date.getUTCFullYear() === year && date.getUTCMonth() + 1 === part(0) && date.getUTCDate() === part(1);
	good &&= date.getUTCHours() === part(2) && date.getUTCMinutes() === part(3) && date.getUTCSeconds() === part(4);
	if (!good) throw new TypeError("it has a date that is none");
	return time;
}
