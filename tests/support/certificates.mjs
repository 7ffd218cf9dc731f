// Makes certificates for tests at the moment they are needed, with nothing but Node's own cryptography.

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const DAY_MS = 86_400_000;

/** @param {number} tag @param {...Uint8Array} parts */
const der = (tag, ...parts) => {
	const body = Buffer.concat(parts);
	const { length } = body;
	const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...head]), body]);
};
/** @param {...Uint8Array} parts */
const sequence = (...parts) => der(0x30, ...parts);
/** @param {Uint8Array} bytes a number without sign */
const integer = (bytes) => der(0x02, (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
/** @param {Uint8Array} bytes */
const bits = (bytes) => der(0x03, Buffer.from([0]), bytes);
/** @param {string} text */
const oid = (text) => {
	const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
	const bytes = [first * 40 + second];
	for (const arc of rest) {
		const groups = [arc & 127];
		for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 127) | 128);
		bytes.push(...groups);
	}
	return der(0x06, Buffer.from(bytes));
};
/** @param {string} name */
const distinguished = (name) => sequence(der(0x31, sequence(oid("2.5.4.3"), der(0x0c, Buffer.from(name)))));
/** @param {Date} date */
const time = (date) => {
	const text = `${date.toISOString().replace(/[-:T]|\.\d+/g, "")}`;
	return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
};
/** @param {string} id @param {boolean} critical @param {Uint8Array} value */
const extension = (id, critical, value) => sequence(oid(id), ...(critical ? [der(0x01, Buffer.from([255]))] : []), der(0x04, value));
/** @param {string} name a host name, or an IPv4 address */
const alternative = (name) => (/^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name, "latin1")));
/** @param {Uint8Array} bytes */
const pem = (bytes) =>
	`-----BEGIN CERTIFICATE-----\n${Buffer.from(bytes)
		.toString("base64")
		.match(/.{1,64}/g)
		?.join("\n")}\n-----END CERTIFICATE-----\n`;

/** @param {import("./certificates.d.mts").CertificateOptions["key"]} kind */
const makeKeys = (kind) =>
	kind === "rsa" || kind === "weak"
		? generateKeyPairSync("rsa", { modulusLength: kind === "rsa" ? 2048 : 1024 })
		: generateKeyPairSync("ec", { namedCurve: kind === "p384" ? "secp384r1" : "prime256v1" });

/**
 * Makes a certificate; without `issuer` it signs itself.
 * @param {import("./certificates.d.mts").CertificateOptions} options
 * @returns {import("./certificates.d.mts").Certificate}
 */
export function makeCertificate({ name, names = [], authority = false, pathLength, key = "ec", issuer, from, to, purpose = "server", extra = [] }) {
	const { publicKey, privateKey } = makeKeys(key);
	const signer = issuer?.privateKey ?? privateKey;
	const large = signer.asymmetricKeyDetails?.namedCurve === "secp384r1";
	const algorithm =
		signer.asymmetricKeyType === "rsa"
			? sequence(oid("1.2.840.113549.1.1.11"), der(0x05))
			: sequence(oid(large ? "1.2.840.10045.4.3.3" : "1.2.840.10045.4.3.2"));
	const keyInfo = publicKey.export({ type: "spki", format: "der" });
	/** @param {import("node:crypto").KeyObject} of */
	const keyId = (of) =>
		createHash("sha1")
			.update(of.export({ type: "spki", format: "der" }))
			.digest();
	const limit = pathLength === undefined ? [] : [integer(Buffer.from([pathLength]))];
	const extensions = [
		extension("2.5.29.19", true, authority ? sequence(der(0x01, Buffer.from([255])), ...limit) : sequence()),
		extension("2.5.29.15", true, der(0x03, Buffer.from(authority ? [1, 0x06] : [5, 0xa0]))),
		extension("2.5.29.14", false, der(0x04, keyId(publicKey))),
		extension("2.5.29.35", false, sequence(der(0x80, keyId(issuer?.publicKey ?? publicKey)))),
	];
	if (!authority) extensions.push(extension("2.5.29.37", false, sequence(oid(purpose === "server" ? "1.3.6.1.5.5.7.3.1" : "1.3.6.1.5.5.7.3.2"))));
	if (names.length > 0) extensions.push(extension("2.5.29.17", false, sequence(...names.map(alternative))));
	for (const { id, critical } of extra) extensions.push(extension(id, critical, der(0x05)));
	const signed = sequence(
		der(0xa0, integer(Buffer.from([2]))),
		integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
		algorithm,
		distinguished(issuer?.name ?? name),
		sequence(time(from ?? new Date(Date.now() - DAY_MS)), time(to ?? new Date(Date.now() + 30 * DAY_MS))),
		distinguished(name),
		keyInfo,
		der(0xa3, sequence(...extensions)),
	);
	const bytes = sequence(signed, algorithm, bits(sign(large ? "sha384" : "sha256", signed, signer)));
	return { name, bytes, pem: pem(bytes), publicKey, privateKey, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

/**
 * A certificate that another process has made.
 * @param {Pick<import("./certificates.d.mts").Certificate, "name" | "pem" | "key">} made
 * @returns {import("./certificates.d.mts").Certificate}
 */
export function readCertificate({ name, pem, key }) {
	const bytes = Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
	return { name, bytes, pem, publicKey: createPublicKey(key), privateKey: createPrivateKey(key), key };
}
