// `npm run sign -- FILE`: signs a firmware image.

import { readFileSync, writeFileSync } from "node:fs";
import { Problem, parseCommandLine, runProgram, UsageError } from "../cli/program.js";
import { DEFAULT_KEY_FILE, readPrivateKey, signImage, upgradeKey } from "./signing.js";

const USAGE = `Usage: npm run sign -- FILE [--key FILE]

Signs a firmware image with the private key of npm run keys, ${DEFAULT_KEY_FILE} where it is not given, and writes the signature
to FILE.sig. Both belong in the same place on a web server.`;

await runProgram(USAGE, async (args) => {
	const { values, words } = parseCommandLine(args, { key: { type: "string" } });
	const [file, more] = words;
	if (!file || more) throw new UsageError("Give one file");
	const key = readPrivateKey(values.key ?? DEFAULT_KEY_FILE);
	let image: Buffer;
	try {
		image = readFileSync(file);
	} catch (error) {
		throw new Problem(`${file} cannot be read: ${(error as Error).message}`);
	}
	if (image[0] !== 0xe9) throw new Problem(`${file} is no firmware image: it does not begin with 0xE9. npm run build says which file is.`);
	writeFileSync(`${file}.sig`, `${signImage(key, image)}\n`);
	console.log(`${file}.sig: for devices built with upgrade_key=${upgradeKey(key)}`);
	return 0;
});
