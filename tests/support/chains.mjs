// Makes the table of certificates and chains that the firmware's checker is run against, with openssl (3.0 or later).

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DAY_MS = 86_400_000;
const HOST = "device.example.com";
const CA = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n";
const LEAF = "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\n";
const NAMED = `${LEAF}subjectAltName=DNS:${HOST}\n`;
/** @param {string} names */
const named = (names) => `${LEAF}subjectAltName=${names}\n`;
const UNTRUSTED = "no CA that is trusted here has signed the server's certificate";
const MALFORMED = "a certificate of the server is malformed";
const NOT_UNDERSTOOD = "a condition that is not understood here";

/**
 * @typedef {object} ChainCase
 * @property {string} title
 * @property {number[]} chain indexes of certificates, the server's own first
 * @property {number[]} trusted
 * @property {string} host
 * @property {number} now
 * @property {"signing" | "encryption"} [use]
 * @property {string} expected "good", or what the problem says
 *
 * @typedef {object} ChainTable
 * @property {string[]} certificates in hexadecimal digits
 * @property {ChainCase[]} cases
 * @property {{ certificate: number, bytes: string, signature: string }} image signed with the key of a certificate
 */

/** @returns {ChainTable} */
export function makeChains() {
	const folder = mkdtempSync(join(tmpdir(), "chains-"));
	try {
		return makeIn(folder);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** @param {string} folder @returns {ChainTable} */
function makeIn(folder) {
	const at = (/** @type {string} */ name) => join(folder, name);
	/** @param {...string} args */
	const openssl = (...args) => execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
	/** @param {string} name @param {...string} how */
	const key = (name, ...how) => {
		openssl("genpkey", ...how, "-out", `${name}.key`);
		openssl("pkey", "-in", `${name}.key`, "-pubout", "-out", `${name}.pub`);
	};
	for (const name of ["root", "twin", "middle", "low", "leaf", "stranger"]) key(name, "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256");
	key("p384", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384");
	key("p521", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521");
	for (const bits of [1024, 2048, 4096]) key(`rsa${bits}`, "-algorithm", "RSA", "-pkeyopt", `rsa_keygen_bits:${bits}`);
	key("rsa3", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-pkeyopt", "rsa_keygen_pubexp:3");
	key("pss", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048");
	key("ed25519", "-algorithm", "ED25519");
	/** A public key that nobody has the private one of. @param {string} name @param {string} modulus @param {string} exponent in hexadecimal digits */
	const rsaNumbers = (name, modulus, exponent) => {
		writeFileSync(
			at("numbers.cnf"),
			`asn1=SEQUENCE:spki\n[spki]\nalgorithm=SEQUENCE:id\nkey=BITWRAP,SEQUENCE:rsa\n[id]\nid=OID:rsaEncryption\nnull=NULL\n[rsa]\nn=INTEGER:0x${modulus}\ne=INTEGER:0x${exponent}\n`,
		);
		openssl("asn1parse", "-genconf", "numbers.cnf", "-noout", "-out", "numbers.der");
		openssl("pkey", "-pubin", "-inform", "DER", "-in", "numbers.der", "-pubout", "-out", `${name}.pub`);
	};
	rsaNumbers("rsa16384", `c5${"a7".repeat(2046)}b1`, `c5${"a7".repeat(2046)}b1`);
	rsaNumbers("rsa8192", `c5${"a7".repeat(1022)}b1`, "010001");
	rsaNumbers("longExponent", `c5${"a7".repeat(254)}b1`, `c5${"a7".repeat(254)}b1`);
	rsaNumbers("even", `c5${"a7".repeat(254)}b0`, "010001");

	/** @type {string[]} */
	const certificates = [];
	/** @param {Uint8Array} bytes */
	const add = (bytes) => certificates.push(Buffer.from(bytes).toString("hex")) - 1;
	let serial = 1000;
	/**
	 * @param {string} subject
	 * @param {{ key?: string, by?: [number, string] | undefined, ext?: string, hash?: string, days?: number, options?: string[] }} how `by` is
	 * the issuer's certificate and its private key; without it the certificate signs itself
	 */
	const make = (subject, { key: own = "leaf", by, ext = NAMED, hash = "sha256", days = 3650, options = [] }) => {
		writeFileSync(at("ext.cnf"), ext);
		const signer = by ? ["-CA", "issuer.der", "-CAkey", `${by[1]}.key`] : ["-signkey", `${own}.key`];
		if (by) writeFileSync(at("issuer.der"), Buffer.from(certificates[by[0]] ?? "", "hex"));
		const set = ["-set_serial", String(serial++), "-days", String(days), ...(own === "ed25519" && !by ? [] : [`-${hash}`])];
		const extensions = ext ? ["-extfile", "ext.cnf"] : [];
		openssl(
			"x509",
			"-new",
			"-subj",
			subject,
			"-force_pubkey",
			`${own}.pub`,
			...signer,
			...set,
			...extensions,
			...options,
			"-outform",
			"DER",
			"-out",
			"out.der",
		);
		return add(readFileSync(at("out.der")));
	};
	/**
	 * Changes bytes of what is signed, to others of the same number, and signs it again.
	 * @param {number} of @param {string} from in hexadecimal digits @param {string} to @param {string} signer
	 */
	const forge = (of, from, to, signer) => {
		const bytes = Buffer.from(certificates[of] ?? "", "hex");
		const end = 4 + 4 + bytes.readUInt16BE(6);
		const signed = Buffer.from(bytes.subarray(4, end).toString("hex").replace(from, to), "hex");
		if (signed.equals(bytes.subarray(4, end))) throw new Error(`there is no ${from} to change`);
		writeFileSync(at("signed.der"), signed);
		const signature = openssl("dgst", "-sha256", "-sign", `${signer}.key`, "signed.der");
		const algorithm = bytes.subarray(end, end + 2 + (bytes[end + 1] ?? 0));
		const bits = Buffer.concat([Buffer.from([3, signature.length + 1, 0]), signature]);
		const body = Buffer.concat([signed, algorithm, bits]);
		return add(Buffer.concat([Buffer.from([0x30, 0x82, body.length >> 8, body.length & 255]), body]));
	};
	/** @param {string} text */
	const hex = (text) => Buffer.from(text).toString("hex");

	const root = make("/CN=Root", { key: "root", ext: CA });
	const middle = make("/CN=Middle", { key: "middle", by: [root, "root"], ext: CA });
	const low = make("/CN=Low", { key: "low", by: [middle, "middle"], ext: CA });
	const direct = make("/CN=leaf", { by: [root, "root"] });
	const leaf = make("/CN=leaf", { by: [middle, "middle"] });
	const deep = make("/CN=leaf", { by: [low, "low"] });
	const now = Date.now() + DAY_MS / 2;

	/** @type {ChainCase[]} */
	const cases = [];
	/** @param {string} title @param {number[]} chain @param {string} expected @param {Partial<ChainCase>} [more] */
	const expectThat = (title, chain, expected, more = {}) => cases.push({ title, chain, trusted: [root], host: HOST, now, expected, ...more });
	/** @param {string} ext @param {Partial<Parameters<typeof make>[1]>} [more] */
	const own = (ext, more = {}) => make("/CN=leaf", { by: [root, "root"], ext, ...more });
	/** A CA below the root with this, and a server's certificate from it. @param {string} ext @param {string} [leafExt] */
	const under = (ext, leafExt = NAMED) => {
		const ca = make("/CN=Special", { key: "low", by: [root, "root"], ext });
		return [make("/CN=leaf", { by: [ca, "low"], ext: leafExt }), ca];
	};

	// Chains.
	expectThat("signed by a trusted CA", [direct], "good");
	expectThat("one CA in between", [leaf, middle], "good");
	expectThat("two CAs in between", [deep, low, middle], "good");
	expectThat("in another order", [deep, middle, low], "good");
	expectThat("with the root behind them", [leaf, middle, root], "good");
	expectThat("trusted itself", [direct], "good", { trusted: [direct] });
	expectThat("a trusted CA that is no root", [leaf], "good", { trusted: [middle] });
	expectThat("with one that has nothing to do with it", [leaf, make("/CN=Alien", { key: "stranger", ext: CA }), middle], "good");
	expectThat("the same CA twice", [leaf, middle, middle], "good");
	expectThat("without the CA in between", [leaf], UNTRUSTED);
	expectThat("with a CA missing in the middle", [deep, low], UNTRUSTED);
	expectThat("while nothing is trusted", [leaf, middle, root], UNTRUSTED, { trusted: [] });
	expectThat("signed by itself", [make("/CN=leaf", {})], UNTRUSTED);
	expectThat("signed by itself, with good ones behind it", [make("/CN=self", {}), leaf, middle], UNTRUSTED);
	const impostor = make("/CN=Root", { key: "stranger", ext: CA });
	expectThat("a CA with the name of a trusted one", [make("/CN=leaf", { by: [impostor, "stranger"] }), impostor], UNTRUSTED);
	expectThat("two trusted CAs of one name, the wrong one first", [direct], "good", { trusted: [impostor, root] });
	expectThat(
		"signed by a server's certificate",
		[make("/CN=leaf", { by: [direct, "leaf"], key: "stranger" }), direct],
		'comes from "leaf", which is no CA',
	);
	expectThat("a CA without the right to sign", under("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature\n"), "which is no CA");
	expectThat("a CA without basic constraints", under("keyUsage=critical,keyCertSign\n"), "which is no CA");
	expectThat("a CA of version 1", under(""), "which is no CA");
	const a = make("/CN=A", { key: "low", ext: CA });
	const b = make("/CN=B", { key: "stranger", by: [a, "low"], ext: CA });
	const aByB = make("/CN=A", { key: "low", by: [b, "stranger"], ext: CA });
	expectThat("two CAs that have signed each other", [make("/CN=leaf", { by: [b, "stranger"] }), b, aByB], UNTRUSTED);
	expectThat("seven certificates", [leaf, middle, middle, middle, middle, middle, middle], "the server sent 7 certificates");
	const huge = own(`${NAMED}1.2.3.4=DER:04820ff0${"00".repeat(4080)}\n`);
	expectThat("more than 12 KB", [huge, huge, huge], "the server sent certificates of ");
	const last = make("/CN=Last", {
		key: "low",
		by: [root, "root"],
		ext: `basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign\n`,
	});
	expectThat("from a CA with path length 0", [make("/CN=leaf", { by: [last, "low"] }), last], "good");
	const belowLast = make("/CN=Below", { key: "stranger", by: [last, "low"], ext: CA });
	expectThat(
		"a CA below one with path length 0",
		[make("/CN=leaf", { by: [belowLast, "stranger"] }), belowLast, last],
		'the CA "Last" may not have a CA below it',
	);

	// Several ways up.
	const oldMiddle = make("/CN=Middle", { key: "middle", by: [root, "root"], ext: CA, days: 1 });
	const later = now + 2 * DAY_MS;
	expectThat("an expired twin before the good one", [leaf, oldMiddle, middle], "good", { now: later });
	expectThat("only the expired twin", [leaf, oldMiddle], 'the certificate of the CA "Middle" has expired', { now: later });
	const elsewhere = make("/CN=Elsewhere", { key: "stranger", ext: CA });
	const crossed = make("/CN=Middle", { key: "middle", by: [elsewhere, "stranger"], ext: CA });
	expectThat("a twin signed by a CA that is not trusted", [leaf, crossed, middle], "good");
	expectThat("the same with that CA behind it", [leaf, crossed, elsewhere, middle], "good");
	const namesake = make("/CN=Middle", { key: "stranger", by: [root, "root"], ext: CA });
	expectThat("a namesake with another key", [leaf, namesake, middle], "good");
	expectThat("only a namesake with another key", [leaf, namesake], UNTRUSTED);
	const rootByOther = make("/CN=Root", { key: "root", by: [elsewhere, "stranger"], ext: CA });
	expectThat("a new root that an old one has signed", [direct, rootByOther], "good", { trusted: [elsewhere] });
	const oldRoot = make("/CN=Root", { key: "root", ext: CA, days: 1 });
	expectThat("an expired trusted twin", [direct], "good", { trusted: [oldRoot, root], now: later });
	expectThat("a twin that is no CA", [leaf, make("/CN=Middle", { key: "middle", by: [root, "root"] }), middle], "good");

	// Times.
	expectThat("not valid yet", [direct], "is valid from", { now: Date.now() - 2 * DAY_MS });
	expectThat("with a clock that is not set", [direct], "it is not set", { now: 5000 });
	expectThat("expired", [own(NAMED, { days: 1 })], "the server's certificate has expired", { now: later });
	expectThat("a trusted CA that has expired", [direct], 'the certificate of the CA "Root" has expired', { trusted: [oldRoot], now: later });
	expectThat("after 2050", [own(NAMED, { days: 20_000 })], "good");
	const short = make("/CN=leaf", { by: [root, "root"], days: 3650 });
	const until = new Date(Date.now() + 3650 * DAY_MS).toISOString().replace(/[-:T]/g, "").slice(2, 6);
	expectThat("month 13", [forge(short, hex(until), hex(`${until.slice(0, 2)}13`), "root")], MALFORMED);
	expectThat("month 0", [forge(short, hex(until), hex(`${until.slice(0, 2)}00`), "root")], MALFORMED);
	expectThat("a date with spaces", [forge(short, hex(until), hex(`${until.slice(0, 2)} 1`), "root")], MALFORMED);
	expectThat("a date without zone", [forge(short, hex("Z"), hex("0"), "root")], MALFORMED);

	// Names.
	expectThat("another name", [direct], "is for device.example.com, not for other.example.com", { host: "other.example.com" });
	expectThat("a name in capitals", [own(named("DNS:DEVICE.Example.COM"))], "good");
	expectThat("only a common name", [make(`/CN=${HOST}`, { by: [root, "root"], ext: LEAF })], "is for no host");
	expectThat("the second of two names", [own(named(`DNS:other.example.com,DNS:${HOST}`))], "good");
	expectThat("a wildcard for one label", [own(named("DNS:*.example.com"))], "good");
	expectThat("a wildcard is not for the domain itself", [own(named("DNS:*.example.com"))], "not for example.com", { host: "example.com" });
	expectThat("a wildcard is not for two labels", [own(named("DNS:*.example.com"))], "not for a.b.example.com", { host: "a.b.example.com" });
	expectThat("a wildcard for a part of a label", [own(named("DNS:dev*.example.com"))], "not for device");
	expectThat("a wildcard at the end of a label", [own(named("DNS:*ce.example.com"))], "not for device");
	expectThat("a wildcard in the second label", [own(named("DNS:device.*.com"))], "not for device");
	expectThat("two wildcards", [own(named("DNS:*.*.com"))], "not for device");
	expectThat("a wildcard for a top-level domain", [own(named("DNS:*.com"))], "not for example.com", { host: "example.com" });
	expectThat("a wildcard alone", [own(named("DNS:*"))], "not for localhost", { host: "localhost" });
	expectThat("an address", [own(named("IP:192.0.2.1"))], "good", { host: "192.0.2.1" });
	expectThat("another address", [own(named("IP:192.0.2.1"))], "not for 192.0.2.2", { host: "192.0.2.2" });
	expectThat("an address written as a host name", [own(named("DNS:192.0.2.1"))], "not for 192.0.2.1", { host: "192.0.2.1" });
	expectThat("a wildcard for an address", [own(named("DNS:*.0.2.1"))], "not for 192.0.2.1", { host: "192.0.2.1" });
	expectThat("a mail address with that host", [own(named(`email:x@${HOST}`))], "is for no host");
	expectThat("a name with a zero byte", [forge(own(named(`DNS:${HOST}x.example.org`)), hex(`${HOST}x`), `${hex(HOST)}00`, "root")], "not for device");

	// Name constraints.
	for (const critical of ["critical,", ""]) {
		const how = critical ? "critical" : "not critical";
		const limited = (/** @type {string} */ limits) => `${CA}nameConstraints=${critical}${limits}\n`;
		expectThat(`permitted domain, ${how}`, under(limited("permitted;DNS:example.com")), "good");
		expectThat(`another permitted domain, ${how}`, under(limited("permitted;DNS:example.org")), "may not sign for the names");
		expectThat(`excluded domain, ${how}`, under(limited("excluded;DNS:example.com")), "may not sign for the names");
		expectThat(`another excluded domain, ${how}`, under(limited("excluded;DNS:example.org")), "good");
		expectThat(
			`a constraint on subjects, ${how}`,
			under(`${CA}nameConstraints=${critical}permitted;dirName:limit\n[limit]\nO=Somebody\n`),
			NOT_UNDERSTOOD,
		);
	}
	expectThat("a domain that only ends like the permitted one", under(`${CA}nameConstraints=permitted;DNS:ple.com\n`), "may not sign");
	expectThat(
		"one name permitted, another not",
		under(`${CA}nameConstraints=permitted;DNS:example.com\n`, named(`DNS:${HOST},DNS:example.org`)),
		"may not sign",
	);
	expectThat(
		"a wildcard over an excluded name",
		under(`${CA}nameConstraints=excluded;DNS:secret.example.com\n`, named("DNS:*.example.com")),
		"may not sign",
	);
	expectThat("a permitted network", under(`${CA}nameConstraints=permitted;IP:192.0.2.0/255.255.255.0\n`, named("IP:192.0.2.1")), "good", {
		host: "192.0.2.1",
	});
	expectThat(
		"outside the permitted network",
		under(`${CA}nameConstraints=permitted;IP:192.0.2.0/255.255.255.0\n`, named("IP:198.51.100.1")),
		"may not sign",
		{ host: "198.51.100.1" },
	);
	const limitedRoot = make("/CN=Limited", { key: "stranger", ext: `${CA}nameConstraints=permitted;DNS:example.org\n` });
	expectThat("a trusted CA that is limited to another domain", [make("/CN=leaf", { by: [limitedRoot, "stranger"] })], "may not sign", {
		trusted: [limitedRoot],
	});

	// What a certificate is for.
	expectThat("for clients", [own(NAMED.replace("serverAuth", "clientAuth"))], "is not one for servers");
	expectThat("for any purpose", [own(NAMED.replace("serverAuth", "anyExtendedKeyUsage"))], "good");
	expectThat("without a purpose", [own(`subjectAltName=DNS:${HOST}\n`)], "good");
	expectThat("a key that may not sign", [own(NAMED.replace("digitalSignature", "keyEncipherment"))], "is not for signing");
	expectThat("a key that may only agree", [own(NAMED.replace("digitalSignature", "keyAgreement"))], "is not for signing");
	expectThat("a key that may not encrypt", [own(NAMED, { key: "rsa2048" })], "is not for encryption", { use: "encryption" });
	expectThat("a key that may encrypt", [own(NAMED.replace("digitalSignature", "keyEncipherment"), { key: "rsa2048" })], "good", {
		use: "encryption",
	});
	expectThat("a CA for clients only", under(`${CA}extendedKeyUsage=clientAuth\n`), NOT_UNDERSTOOD);
	expectThat("an unknown critical extension", [own(`${NAMED}1.2.3.4=critical,DER:0500\n`)], NOT_UNDERSTOOD);
	expectThat("an unknown extension", [own(`${NAMED}1.2.3.4=DER:0500\n`)], "good");
	expectThat("an unknown critical extension of a CA", under(`${CA}1.2.3.4=critical,DER:0500\n`), NOT_UNDERSTOOD);
	expectThat("critical policies", [own(`${NAMED}certificatePolicies=critical,2.23.140.1.2.1\n`)], "good");
	const doubled = own(`${NAMED}1.2.3.4=DER:0500\n1.2.3.5=DER:0500\n`);
	expectThat("an extension twice", [forge(doubled, "06032a0305", "06032a0304", "root")], MALFORMED);
	expectThat("extensions on version 1", [forge(direct, "a003020102", "a003020100", "root")], MALFORMED);
	expectThat("extensions on version 2", [forge(direct, "a003020102", "a003020101", "root")], MALFORMED);

	// Keys and signatures.
	for (const [name, hash] of /** @type {const} */ ([
		["rsa2048", "sha256"],
		["rsa4096", "sha384"],
		["p384", "sha384"],
		["rsa2048", "sha512"],
		["p384", "sha256"],
	])) {
		const ca = make("/CN=Large", { key: name, ext: CA, hash });
		expectThat(`a CA with ${name} and ${hash}`, [make("/CN=leaf", { by: [ca, name], hash })], "good", { trusted: [ca] });
	}
	expectThat("a server with RSA", [own(NAMED, { key: "rsa2048" })], "good");
	expectThat("a server with P-384", [own(NAMED, { key: "p384" })], "good");
	expectThat("RSA with 1024 bits", [own(NAMED, { key: "rsa1024" })], "not supported: RSA with 1024 bits");
	expectThat("the exponent 3", [own(NAMED, { key: "rsa3" })], "not supported: RSA with an exponent");
	expectThat("P-521", [own(NAMED, { key: "p521" })], "not supported: on another curve");
	expectThat("Ed25519", [own(NAMED, { key: "ed25519" })], "not supported: of an unknown kind");
	expectThat("an RSA-PSS key", [own(NAMED, { key: "pss" })], "not supported: RSA-PSS");
	const rsaRoot = make("/CN=Root", { key: "rsa2048", ext: CA });
	const pssSigned = make("/CN=leaf", { by: [rsaRoot, "rsa2048"], options: ["-sigopt", "rsa_padding_mode:pss"] });
	expectThat("signed with RSA-PSS", [pssSigned], "is signed with RSA-PSS, which is not supported", { trusted: [rsaRoot] });
	expectThat("signed with SHA-1", [make("/CN=leaf", { by: [rsaRoot, "rsa2048"], hash: "sha1" })], "is signed with SHA-1, which is not supported", {
		trusted: [rsaRoot],
	});
	for (const name of ["rsa16384", "rsa8192", "longExponent", "even"]) {
		const ca = make("/CN=Slow", { key: name, by: [root, "root"], ext: CA });
		const slow = make("/CN=leaf", { by: [make("/CN=Slow", { key: "rsa4096", ext: CA }), "rsa4096"] });
		expectThat(`a CA with the key ${name}`, [slow, ca], "is not supported: RSA with");
		expectThat(`a server with the key ${name}`, [own(NAMED, { key: name })], "is not supported: RSA with");
	}
	const spoiled = Buffer.from(certificates[direct] ?? "", "hex");
	spoiled[spoiled.length - 1] = (spoiled[spoiled.length - 1] ?? 0) ^ 1;
	expectThat("a signature with one bit changed", [add(spoiled)], UNTRUSTED);
	expectThat("half a certificate", [add(Buffer.from(certificates[direct] ?? "", "hex").subarray(0, 200))], MALFORMED);
	expectThat("something behind a certificate", [add(Buffer.concat([Buffer.from(certificates[direct] ?? "", "hex"), Buffer.from([0])]))], MALFORMED);
	const image = Buffer.alloc(2000, 7);
	writeFileSync(at("image.bin"), image);
	const signature = openssl("dgst", "-sha256", "-sign", "leaf.key", "image.bin").toString("hex");
	return { certificates, cases, image: { certificate: direct, bytes: image.toString("hex"), signature } };
}
