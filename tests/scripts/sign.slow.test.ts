// `npm run keys` and `npm run sign`: what they write is what openssl's rules and the firmware accept.

import { createPublicKey, verify } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { readUpgradeKey } from "../../src/system/signed-image.js";
import { runScriptFile } from "../support/script.js";

const folder = mkdtempSync(join(tmpdir(), "moddable-mcp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const key = join(folder, "key.pem");
const image = join(folder, "firmware.bin");

test("a pair of keys is made once, and an image signed with it", () => {
	const made = runScriptFile("scripts/keys.ts", ["--key", key]);
	expect(made.code).toBe(0);
	expect(statSync(key).mode & 0o777).toBe(0o600);
	const setting = /upgrade_key=(\w+)/.exec(made.stdout)?.[1] ?? "";
	expect(readUpgradeKey(setting)).toBeDefined();
	const pem = readFileSync(key, "utf8");
	expect(runScriptFile("scripts/keys.ts", ["--key", key])).toMatchObject({ code: 1, stderr: expect.stringMatching(/exists already/) });
	expect(readFileSync(key, "utf8")).toBe(pem);

	writeFileSync(image, Buffer.concat([Buffer.from([0xe9]), Buffer.alloc(5000, 7)]));
	const signed = runScriptFile("scripts/sign.ts", [image, "--key", key]);
	expect([signed.code, signed.stdout]).toEqual([0, `${image}.sig: for devices built with upgrade_key=${setting}\n`]);
	const signature = Buffer.from(readFileSync(`${image}.sig`, "utf8").trim(), "hex");
	expect(verify("sha256", readFileSync(image), createPublicKey(pem), signature)).toBe(true);
});

test.each([
	[[], /Give one file/, 2],
	[["nowhere.bin", "--key", key], /nowhere\.bin cannot be read/, 1],
	[[key, "--key", key], /is no firmware image: it does not begin with 0xE9/, 1],
	[[image, "--key", "nowhere.pem"], /nowhere\.pem/, 1],
])("sign %j is refused in words", (args, reason, code) => {
	const refused = runScriptFile("scripts/sign.ts", args as string[]);
	expect(refused.code).toBe(code);
	expect(refused.stderr).toMatch(reason as RegExp);
	expect(existsSync(`${key}.sig`)).toBe(false);
});
