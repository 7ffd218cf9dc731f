// Types of chains.mjs.

export interface ChainCase {
	readonly title: string;
	/** Indexes of certificates, the server's own first. */
	readonly chain: readonly number[];
	readonly trusted: readonly number[];
	readonly host: string;
	readonly now: number;
	readonly use?: "signing" | "encryption";
	/** "good", or what the problem says. */
	readonly expected: string;
}

export interface ChainTable {
	/** In hexadecimal digits. */
	readonly certificates: readonly string[];
	readonly cases: readonly ChainCase[];
	/** Signed with the key of a certificate; both in hexadecimal digits. */
	readonly image: { readonly certificate: number; readonly bytes: string; readonly signature: string };
}

export function makeChains(): ChainTable;
