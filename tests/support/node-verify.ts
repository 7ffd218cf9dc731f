// Node's arithmetic in the place of the SDK's, which is proved in Moddable's simulator.

import { verify } from "node:crypto";
import type { ImageCheck } from "../../src/system/signed-image.js";
import type { PublicKey } from "../../src/tls/certificate.js";
import type { VerifySignature } from "../../src/tls/certificate-chain.js";

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** Has the owner of `key` signed `message`? */
export const nodeVerify: VerifySignature = (key, { hash }, message, signature) => {
	const jwk =
		key.kind === "rsa"
			? { kty: "RSA", n: base64url(key.modulus), e: base64url(key.exponent) }
			: { kty: "EC", crv: key.curve === "secp256r1" ? "P-256" : "P-384", x: base64url(key.x), y: base64url(key.y) };
	return verify(hash.toLowerCase(), message, { key: jwk, format: "jwk" } as never, signature);
};

/** The check of a firmware image, with Node's arithmetic. */
export function verifyImage(key: PublicKey, signature: Uint8Array): ImageCheck {
	const parts: Uint8Array[] = [];
	return {
		write: (bytes) => void parts.push(bytes.slice()),
		holds: () => nodeVerify(key, { kind: "ecdsa", hash: "SHA256" }, Buffer.concat(parts), signature),
	};
}
