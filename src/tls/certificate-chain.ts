// Decides whether a server is who it says it is, by its certificates, the trusted CAs, its name and the clock.

import { oneLine } from "../base/text.js";
import { type Certificate, commonName, type PublicKey, parseCertificate, type SignatureAlgorithm, subjectOf } from "./certificate.js";
import { sameBytes } from "./der.js";

/** Has the owner of `key` signed `message`? A signature that is malformed counts as none. */
export type VerifySignature = (key: PublicKey, algorithm: SignatureAlgorithm, message: Uint8Array, signature: Uint8Array) => boolean;

/** More certificates than this are not looked at. */
export const MAX_CHAIN = 8;

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
}

/** What a check has found: the server's key, or what is wrong in words. */
export type ChainVerdict = { readonly key: PublicKey } | { readonly problem: string };

/**
 * Checks what a server presents (RFC 5280, section 6, and RFC 6125).
 *
 * From the server's certificate on, each must be signed by the next, which must be a CA's and valid at this time, up to one
 * that a trusted certificate has signed. A trusted certificate may also be the server's own. It never throws.
 */
export function checkChain(check: ChainCheck): ChainVerdict {
	const { chain, host, now } = check;
	if (chain.length === 0 || chain.length > MAX_CHAIN) return { problem: `the server sent ${chain.length} certificates` };
	try {
		const [own, ...others] = chain.map(parseCertificate) as [Certificate, ...Certificate[]];
		if (!own.key) return { problem: "the key in the server's certificate is too weak, or of a kind that is not supported" };
		const problem = nameProblem(own, host) ?? ownProblem(own) ?? findTrust(own, others, check) ?? timeProblem(own, "the server's certificate", now);
		return problem ? { problem } : { key: own.key };
	} catch (thrown) {
		return { problem: `a certificate of the server is malformed: ${(thrown as Error).message}` };
	}
}

function nameProblem({ names }: Certificate, host: string): string | undefined {
	if (names.some((name) => nameFits(name, host))) return undefined;
	const list = names.length > 0 ? names.slice(0, 3).join(", ") : "no host";
	return oneLine(`the server's certificate is for ${list}${names.length > 3 ? " and others" : ""}, not for ${host}`);
}

/** `*.example.com` stands for one part: a.example.com, and neither example.com nor a.b.example.com. */
function nameFits(name: string, host: string): boolean {
	if (!name.startsWith("*.")) return name === host;
	const dot = host.indexOf(".");
	return dot > 0 && name.indexOf("*", 1) < 0 && name.indexOf(".", 2) > 0 && host.slice(dot) === name.slice(1);
}

function ownProblem(own: Certificate): string | undefined {
	if (!own.isServerAuth) return "the server's certificate is not one for servers";
	return own.hasUnknownCritical ? "the server's certificate has a condition that is not understood here" : undefined;
}

/** Goes up from the server's certificate. Returns what is wrong, or undefined at a trusted one. */
function findTrust(own: Certificate, others: Certificate[], { trusted, now, verify }: ChainCheck): string | undefined {
	let current = own;
	for (let depth = 0; ; depth++) {
		const here = current;
		if (trusted.some((bytes) => sameBytes(bytes, here.bytes))) return undefined;
		const issuer = oneLine(commonName(current.issuer), 60);
		let problem = `no CA that is trusted here has signed the server's certificate: it comes from "${issuer}"`;
		for (const bytes of trusted) {
			if (!sameBytes(subjectOf(bytes), current.issuer)) continue;
			const root = parseCertificate(bytes);
			if (!signedBy(current, root, verify)) continue;
			const found = caProblem(root, depth, issuer) ?? timeProblem(root, `the certificate of the CA "${issuer}"`, now);
			if (!found) return undefined;
			problem = found;
		}
		const next = others.findIndex((other) => sameBytes(other.subject, here.issuer) && signedBy(here, other, verify));
		if (next < 0) return problem;
		current = others[next] as Certificate;
		// Each counts once, so that two that signed each other come to an end.
		others.splice(next, 1);
		const found = caProblem(current, depth, issuer) ?? timeProblem(current, `the certificate of "${issuer}"`, now);
		if (found) return found;
	}
}

function signedBy({ algorithm, signed, signature }: Certificate, { key }: Certificate, verify: VerifySignature): boolean {
	if (!algorithm || key?.kind !== algorithm.kind) return false;
	try {
		return verify(key, algorithm, signed, signature);
	} catch {
		return false;
	}
}

function caProblem(certificate: Certificate, depth: number, name: string): string | undefined {
	if (!certificate.isCa) return `the server's certificate comes from "${name}", which is no CA`;
	if (certificate.pathLength < depth) return `the CA "${name}" may not have a CA below it`;
	return certificate.hasUnknownCritical || !certificate.isServerAuth
		? `the certificate of "${name}" has a condition that is not understood here`
		: undefined;
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
