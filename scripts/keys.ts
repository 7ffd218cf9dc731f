// `npm run keys`: makes the pair of keys with which firmware images are signed and checked.

import { generateKeyPairSync } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { Problem, parseOptions, runProgram } from "../cli/program.js";
import { DEFAULT_KEY_FILE, upgradeKey } from "./signing.js";

const USAGE = `Usage: npm run keys -- [--key FILE]

Writes a new private key (P-256, PEM) to FILE, ${DEFAULT_KEY_FILE} where it is not given, and prints the setting for builds that
take only images signed with it. Who has the file can put any firmware on those devices; without it none can be upgraded.`;

await runProgram(USAGE, async (args) => {
	const { key: file = DEFAULT_KEY_FILE } = parseOptions(args, { key: { type: "string" } });
	if (existsSync(file)) throw new Problem(`${file} exists already. Devices may depend on it, so it is not overwritten.`);
	const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
	writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
	console.log(`The private key is in ${file}: keep it, and keep it secret.\nBuild with upgrade_key=${upgradeKey(privateKey)}`);
	return 0;
});
