// Keys and signatures of firmware images, in the form that src/system/signed-image.ts reads.

import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { Problem } from "../cli/program.js";

export const DEFAULT_KEY_FILE = "upgrade-key.pem";

/** @throws Problem unless the file holds a private key on P-256 */
export function readPrivateKey(file: string): KeyObject {
	try {
		const key = createPrivateKey(readFileSync(file));
		if (key.asymmetricKeyDetails?.namedCurve === "prime256v1") return key;
	} catch (error) {
		throw new Problem(`${file} cannot be read as a private key: ${(error as Error).message}. npm run keys makes one.`);
	}
	throw new Problem(`The key in ${file} is not on P-256. npm run keys makes one.`);
}

/** The public half, as builds take it: 04, x and y in hexadecimal digits. */
export function upgradeKey(key: KeyObject): string {
	const { x = "", y = "" } = createPublicKey(key).export({ format: "jwk" });
	return `04${Buffer.from(x, "base64url").toString("hex")}${Buffer.from(y, "base64url").toString("hex")}`;
}

/** ECDSA over the image's SHA-256, in DER and hexadecimal digits. */
export function signImage(key: KeyObject, image: Uint8Array): string {
	return sign("sha256", image, key).toString("hex");
}
