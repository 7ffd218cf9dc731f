// Types of certificates.mjs.

import type { KeyObject } from "node:crypto";

export interface CertificateOptions {
	/** The subject's common name. */
	name: string;
	/** Host names and IPv4 addresses that it stands for. */
	names?: readonly string[];
	/** May it sign others? */
	authority?: boolean;
	/** How many authorities may stand below it. */
	pathLength?: number;
	/** "weak" is RSA with 1024 bits. */
	key?: "ec" | "p384" | "rsa" | "weak";
	/** Who signs it. */
	issuer?: Certificate;
	/** Yesterday where it is not given. */
	from?: Date;
	/** In 30 days where it is not given. */
	to?: Date;
	purpose?: "server" | "client";
	/** More extensions, with nothing in them. */
	extra?: readonly { id: string; critical: boolean }[];
}

export interface Certificate {
	readonly name: string;
	/** DER. */
	readonly bytes: Buffer;
	readonly pem: string;
	readonly publicKey: KeyObject;
	readonly privateKey: KeyObject;
	/** The private key in PEM. */
	readonly key: string;
}

export function makeCertificate(options: CertificateOptions): Certificate;
export function readCertificate(made: Pick<Certificate, "name" | "pem" | "key">): Certificate;
