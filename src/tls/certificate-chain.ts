// Decides whether a server is who it says it is, by its certificates, the trusted CAs, its name and the clock.

import { oneLine } from "../base/text.js";
import {
	type Certificate,
	commonName,
	type NameConstraints,
	type PublicKey,
	parseCertificate,
	type SignatureAlgorithm,
	subjectOf,
} from "./certificate.js";
import { sameBytes } from "./der.js";

/** Has the owner of `key` signed `message`? A signature that is malformed counts as none. */
export type VerifySignature = (key: PublicKey, algorithm: SignatureAlgorithm, message: Uint8Array, signature: Uint8Array) => boolean;

/** More certificates than this are not looked at, nor more bytes. */
export const MAX_CHAIN = 6;
export const MAX_CHAIN_BYTES = 12_288;
/** A check computes so many signatures at most, and looks at so many ways up. */
const MAX_SIGNATURES = 10;
const MAX_STEPS = 64;

export interface ChainCheck {
	/** As the server sent them, its own first. */
	readonly chain: readonly Uint8Array[];
	/** CAs, or servers' own certificates. */
	readonly trusted: readonly Uint8Array[];
	/** The name or IPv4 address that was called, in lower case. */
	readonly host: string;
	/** In milliseconds since 1970. */
	readonly now: number;
	readonly verify: VerifySignature;
	/** What the server's key is for: to sign the key exchange, or for the client to encrypt its secret. */
	readonly use?: "signing" | "encryption" | undefined;
}

/** What a check has found: the server's key, or what is wrong in words. */
export type ChainVerdict = { readonly key: PublicKey } | { readonly problem: string };

/**
 * Checks what a server presents (RFC 5280, section 6, and RFC 6125).
 *
 * From the server's certificate on, each must be signed by the next, which must be a CA's and valid at this time, up to one
 * that a trusted certificate has signed. A trusted certificate may also be the server's own. Where several ways lead up, one
 * good one is enough. It never throws.
 *
 * A signature is computed last, from the trusted certificate down: only with keys that someone trusted vouches for.
 */
export function checkChain(check: ChainCheck): ChainVerdict {
	const { chain, host, now, use } = check;
	if (chain.length === 0 || chain.length > MAX_CHAIN) return { problem: `the server sent ${chain.length} certificates` };
	let bytes = 0;
	for (const one of chain) bytes += one.byteLength;
	if (bytes > MAX_CHAIN_BYTES) return { problem: `the server sent certificates of ${bytes} bytes` };
	try {
		const [own, ...others] = chain.map(parseCertificate) as [Certificate, ...Certificate[]];
		const { key } = own;
		if (typeof key === "string") return { problem: `the key in the server's certificate is not supported: ${key}` };
		const problem =
			nameProblem(own, host) ?? ownProblem(own, use) ?? timeProblem(own, "the server's certificate", now) ?? new Climb(check, others).from(own);
		return problem ? { problem } : { key };
	} catch (thrown) {
		return { problem: `a certificate of the server is malformed: ${(thrown as Error).message}` };
	}
}

function nameProblem({ hosts, addresses }: Certificate, host: string): string | undefined {
	const names = [...hosts, ...addresses.map((address) => address.join("."))];
	// A host name that looks like an address is none, and a wildcard never stands for a part of one.
	if (isAddress(host) ? names.indexOf(host, hosts.length) >= 0 : hosts.some((name) => nameFits(name, host))) return undefined;
	const list = names.length > 0 ? names.slice(0, 3).join(", ") : "no host";
	return oneLine(`the server's certificate is for ${list}${names.length > 3 ? " and others" : ""}, not for ${host}`);
}

function isAddress(host: string): boolean {
	const last = host.charCodeAt(host.length - 1);
	return last >= 48 && last <= 57 && !Number.isNaN(Number(host.slice(host.lastIndexOf(".") + 1)));
}

/** `*.example.com` stands for one part: a.example.com, and neither example.com nor a.b.example.com. */
function nameFits(name: string, host: string): boolean {
	if (!name.startsWith("*.")) return name === host;
	const dot = host.indexOf(".");
	return dot > 0 && name.indexOf("*", 1) < 0 && name.indexOf(".", 2) > 0 && host.slice(dot) === name.slice(1);
}

function ownProblem(own: Certificate, use: ChainCheck["use"]): string | undefined {
	if (!own.isServerAuth) return "the server's certificate is not one for servers";
	if (!(use === "encryption" ? own.encrypts : own.signs)) return `the key in the server's certificate is not for ${use ?? "signing"}`;
	return own.hasUnknownCondition ? "the server's certificate has a condition that is not understood here" : undefined;
}

/** The way from a server's certificate up to a trusted one. */
class Climb {
	readonly #check: ChainCheck;
	readonly #others: readonly Certificate[];
	/** What was wrong with a way that looked good at first. */
	#problem: string | undefined;
	/** Who has signed the last certificate of the longest way. */
	#highest = "";
	#depth = 0;
	#steps = 0;
	#signatures = 0;

	constructor(check: ChainCheck, others: readonly Certificate[]) {
		this.#check = check;
		this.#others = others;
	}

	/** Returns what is wrong, or undefined when there is a good way. */
	from(own: Certificate): string | undefined {
		if (this.#check.trusted.some((bytes) => sameBytes(bytes, own.bytes)) || this.#up([own])) return undefined;
		return this.#problem ?? `no CA that is trusted here has signed the server's certificate: it comes from "${this.#highest}"`;
	}

	#up(way: readonly Certificate[]): boolean {
		const current = way[way.length - 1] as Certificate;
		const name = oneLine(commonName(current.issuer), 60);
		if (way.length > this.#depth) {
			this.#depth = way.length;
			this.#highest = name;
		}
		if (typeof current.algorithm === "string") {
			const whose = way.length === 1 ? "the server's certificate" : `the certificate of "${oneLine(commonName(current.subject), 60)}"`;
			this.#problem ??= `${whose} is signed with ${current.algorithm}, which is not supported`;
			return false;
		}
		for (const bytes of this.#check.trusted) {
			if (!sameBytes(subjectOf(bytes), current.issuer)) continue;
			const root = parseCertificate(bytes);
			if (this.#admits(way, root, name) && this.#signed([...way, root])) return true;
		}
		if (way.length >= MAX_CHAIN) return false;
		for (const next of this.#others) {
			if (++this.#steps > MAX_STEPS) return false;
			if (way.includes(next) || !sameBytes(next.subject, current.issuer)) continue;
			if (this.#admits(way, next, name) && this.#up([...way, next])) return true;
		}
		return false;
	}

	/** May this CA stand above these? */
	#admits(way: readonly Certificate[], ca: Certificate, name: string): boolean {
		const problem =
			caProblem(ca, way.length - 1, name) ??
			timeProblem(ca, `the certificate of the CA "${name}"`, this.#check.now) ??
			constraintProblem(ca.constraints, way[0] as Certificate, name);
		this.#problem ??= problem;
		return problem === undefined;
	}

	/** Has each signed the one before it? From above, so that no key is used before someone has vouched for it. */
	#signed(way: readonly Certificate[]): boolean {
		for (let i = way.length - 2; i >= 0; i--) {
			if (++this.#signatures > MAX_SIGNATURES) return false;
			const { algorithm, signed, signature } = way[i] as Certificate;
			const { key } = way[i + 1] as Certificate;
			if (typeof key === "string" || typeof algorithm === "string" || key.kind !== algorithm.kind) return false;
			try {
				if (!this.#check.verify(key, algorithm, signed, signature)) return false;
			} catch {
				return false;
			}
		}
		return true;
	}
}

function caProblem({ isCa, key, pathLength, hasUnknownCondition, isServerAuth }: Certificate, depth: number, name: string): string | undefined {
	if (!isCa) return `the server's certificate comes from "${name}", which is no CA`;
	if (typeof key === "string") return `the key of the CA "${name}" is not supported: ${key}`;
	if (pathLength < depth) return `the CA "${name}" may not have a CA below it`;
	return hasUnknownCondition || !isServerAuth ? `the certificate of the CA "${name}" has a condition that is not understood here` : undefined;
}

function constraintProblem(constraints: NameConstraints | undefined, own: Certificate, name: string): string | undefined {
	if (!constraints) return undefined;
	const { permitted, excluded } = constraints;
	const covered = (set: NameConstraints["permitted"], wild: boolean) => ({
		host: (host: string) => set.hosts.some((domain) => covers(domain, host) || (wild && host.startsWith("*.") && covers(host.slice(2), domain))),
		address: (address: Uint8Array) => set.addresses.some((range) => inRange(range, address)),
	});
	const inside = covered(permitted, false);
	// A wildcard may stand for a name that is excluded.
	const outside = covered(excluded, true);
	const good =
		own.hosts.every((host) => (permitted.hosts.length === 0 || inside.host(host)) && !outside.host(host)) &&
		own.addresses.every((address) => (permitted.addresses.length === 0 || inside.address(address)) && !outside.address(address));
	return good ? undefined : `the CA "${name}" may not sign for the names in the server's certificate`;
}

/** Is it the domain or one below it? With a dot before it only those below; nothing covers all. */
function covers(domain: string, host: string): boolean {
	if (domain === "" || host === domain) return true;
	return host.endsWith(domain.startsWith(".") ? domain : `.${domain}`);
}

function inRange(range: Uint8Array, address: Uint8Array): boolean {
	if (range.byteLength !== 2 * address.byteLength) return false;
	return address.every((byte, i) => ((byte ^ (range[i] ?? 0)) & (range[i + address.byteLength] ?? 0)) === 0);
}

function timeProblem({ notBefore, notAfter }: Certificate, what: string, now: number): string | undefined {
	if (now < notBefore)
		return `${what} is valid from ${day(notBefore)} on, and the clock says ${day(now)}${now < notBefore - YEAR_MS ? ": it is not set" : ""}`;
	return now > notAfter ? `${what} has expired on ${day(notAfter)}, and the clock says ${day(now)}` : undefined;
}

const YEAR_MS = 31_536_000_000;

function day(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}
