// In the place of the SDK's "ssl/ciphersuites": what its TLS offers and understands, ECDHE with AES-128 in GCM first.

/// <reference path="../../typings/ssl.d.ts" />
import config from "mc/config";
import { AES, CBC, DHE_RSA, ECDHE_RSA, GCM, RSA, SHA1, SHA256 } from "ssl/constants";

interface CipherSuite {
	/** Its two bytes on the wire. */
	readonly value: readonly number[];
	readonly isExportable: false;
	readonly keyExchangeAlgorithm: unknown;
	readonly cipherAlgorithm: unknown;
	/** All sizes in bytes. */
	readonly cipherKeySize: number;
	readonly cipherBlockSize: number;
	readonly hashAlgorithm: unknown;
	readonly hashSize: number;
	readonly encryptionMode: unknown;
	/** For GCM: the nonce's explicit part and its implicit one. */
	readonly ivSize?: number;
	readonly saltSize?: number;
}

const aes = { isExportable: false, cipherAlgorithm: AES, cipherBlockSize: 16 } as const;
const sha256 = { ...aes, hashAlgorithm: SHA256, hashSize: 32 } as const;
const gcm128 = { ...sha256, cipherKeySize: 16, encryptionMode: GCM, ivSize: 8, saltSize: 4 } as const;
const cbc128 = { ...sha256, cipherKeySize: 16, encryptionMode: CBC } as const;
const cbc256 = { ...cbc128, cipherKeySize: 32 } as const;
const sha1 = { ...aes, hashAlgorithm: SHA1, hashSize: 20, encryptionMode: CBC } as const;

const suites: CipherSuite[] = [
	{ ...gcm128, value: [0xc0, 0x2b], keyExchangeAlgorithm: ECDHE_RSA },
	{ ...gcm128, value: [0xc0, 0x2f], keyExchangeAlgorithm: ECDHE_RSA },
];
// For servers that the build names; the others may not choose one (see tls/handshake-verifier).
if (config.legacy_tls) {
	suites.push(
		{ ...gcm128, value: [0x00, 0x9e], keyExchangeAlgorithm: DHE_RSA },
		{ ...cbc128, value: [0xc0, 0x27], keyExchangeAlgorithm: ECDHE_RSA },
		{ ...cbc128, value: [0x00, 0x67], keyExchangeAlgorithm: DHE_RSA },
		{ ...cbc256, value: [0x00, 0x6b], keyExchangeAlgorithm: DHE_RSA },
		{ ...cbc128, value: [0x00, 0x3c], keyExchangeAlgorithm: RSA },
		{ ...cbc256, value: [0x00, 0x3d], keyExchangeAlgorithm: RSA },
		{ ...sha1, value: [0x00, 0x2f], keyExchangeAlgorithm: RSA, cipherKeySize: 16 },
		{ ...sha1, value: [0x00, 0x35], keyExchangeAlgorithm: RSA, cipherKeySize: 32 },
	);
}

export default Object.freeze(suites, true);
