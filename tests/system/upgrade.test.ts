// Which firmware images are taken: only signed ones where the build has a key, only over https:// where it has none.

import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "@jest/globals";
import { signImage, upgradeKey } from "../../scripts/signing.js";
import { isOlder } from "../../src/base/version.js";
import type { System } from "../../src/hardware/system.js";
import type { HttpCallbacks, HttpOptions } from "../../src/http/client.js";
import { readHex, readUpgradeKey } from "../../src/system/signed-image.js";
import { FirmwareUpgrade, type FirmwareUpgradeOptions } from "../../src/system/upgrade.js";
import { verifyImage } from "../support/node-verify.js";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const stranger = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey;

const imageOf = (version: string) => {
	const image = Buffer.alloc(5000, 7);
	image[0] = 0xe9;
	image.writeUInt16LE(9, 12);
	image.writeUInt32LE(0xabcd5432, 32);
	image.write(`${version}\0`, 48);
	return image;
};
const image = imageOf("2.3.4");

/** A device and a web server, played by the test. `files` are answered by their paths. */
async function upgrade(url: string, files: { [path: string]: Uint8Array | string }, more: Partial<FirmwareUpgradeOptions> = {}, force = false) {
	const log: string[] = [];
	const asked: string[] = [];
	const slot = { written: 0, complete: 0, closed: 0 };
	const ended = new Promise<string>((resolve) => {
		const upgrading = new FirmwareUpgrade({
			system: {
				version: "2.0.0",
				chip: "esp32s3",
				firmware: {
					size: 1_000_000,
					open: () => ({
						write(bytes: Uint8Array) {
							slot.written += bytes.byteLength;
						},
						complete: () => void slot.complete++,
						close: () => void slot.closed++,
					}),
				},
			} as unknown as System,
			timers: { set: (callback) => setTimeout(callback, 0), clear: () => {} },
			log: (line) => void log.push(line),
			notify: (params) => void (params.error && resolve(String(params.error))),
			onUpgrading: () => {},
			onDone: () => resolve("done"),
			request({ url: { host, path, secure }, sameHost }: HttpOptions, { onHead, onBody, onDone }: HttpCallbacks) {
				asked.push(`${secure ? "https" : "http"}://${host}${path}${sameHost ? "" : " (any host)"}`);
				const file = files[path];
				queueMicrotask(() => {
					const bytes = typeof file === "string" ? Buffer.from(file) : file;
					let problem = onHead({ status: bytes ? 200 : 404, contentType: "", length: bytes?.byteLength, location: "" } as never);
					for (let at = 0; bytes && at < bytes.byteLength && !problem; at += 1000) problem = onBody(bytes.subarray(at, at + 1000));
					onDone(problem);
				});
				return { close: () => {} };
			},
			check: (key, signature) => verifyImage(key, signature),
			...more,
		});
		upgrading.begin(url, force).catch(({ message }) => resolve(message));
	});
	return { outcome: await ended, log, asked, slot };
}

const key = upgradeKey(privateKey);
const URL = "http://example.com/fw.bin?board=1";
const signed = (bytes: Uint8Array, by = privateKey) => ({ "/fw.bin?board=1": bytes, "/fw.bin.sig?board=1": `${signImage(by, bytes)}\n` });

test("with a key an image is taken whose signature fits, over http:// too, and both come from the host that was asked", async () => {
	const { outcome, asked, slot } = await upgrade(URL, signed(image), { key });
	expect(outcome).toBe("done");
	expect(slot).toEqual({ written: 5000, complete: 1, closed: 1 });
	expect(asked).toEqual(["http://example.com/fw.bin.sig?board=1", "http://example.com/fw.bin?board=1"]);
});

test.each<[string, { [path: string]: Uint8Array | string }, string]>([
	["signed by a stranger", signed(image, stranger), "the image's signature does not fit this firmware's key"],
	[
		"with one byte changed",
		{ ...signed(image), "/fw.bin?board=1": Buffer.from(image).fill(8, 4999) },
		"the image's signature does not fit this firmware's key",
	],
	[
		"with another image's signature",
		{ ...signed(imageOf("2.3.5")), "/fw.bin?board=1": image },
		"the image's signature does not fit this firmware's key",
	],
	[
		"with a signature that is none",
		{ "/fw.bin?board=1": image, "/fw.bin.sig?board=1": "00" },
		"the image's signature does not fit this firmware's key",
	],
	["without signature", { "/fw.bin?board=1": image }, "The server answered 404 when asked for the image's signature"],
	["with a signature in letters", { "/fw.bin?board=1": image, "/fw.bin.sig?board=1": "no" }, "The image's signature is not in hexadecimal digits"],
	["with a long signature", { "/fw.bin?board=1": image, "/fw.bin.sig?board=1": "00".repeat(81) }, "The image's signature is too long"],
])("with a key an image %s is never started", async (_title, files, problem) => {
	const { outcome, slot } = await upgrade(URL, files, { key });
	expect(outcome).toBe(problem);
	expect(slot.complete).toBe(0);
});

test("with a key that is none no image is taken, and the log says so at the start", async () => {
	const { outcome, log, asked } = await upgrade(URL, signed(image), { key: "04abc" });
	expect(outcome).toBe("This firmware's upgrade_key is not valid, so that no image can be checked");
	expect(log[0]).toBe("upgrade: upgrade_key is no public key of npm run keys; no firmware image is taken");
	expect(asked).toEqual([]);
});

test("without a key an image is taken over https:// only, and the log says at each start that images are not signed", async () => {
	const plain = await upgrade("http://example.com/fw.bin", { "/fw.bin": image });
	expect(plain.outcome).toBe("An image that is not signed is taken over https:// only");
	expect(plain.log[0]).toBe("upgrade: firmware images are not signed; build with upgrade_key to take your own only");
	expect(plain.asked).toEqual([]);
	const secure = await upgrade("https://example.com/fw.bin", { "/fw.bin": image });
	expect(secure.outcome).toBe("done");
	expect(secure.asked).toEqual(["https://example.com/fw.bin"]);
});

test("an older version is taken only with force", async () => {
	const old = imageOf("1.9.9");
	const refused = await upgrade(URL, signed(old), { key });
	expect(refused.outcome).toBe("The image has version 1.9.9, older than 2.0.0: it is taken only with force");
	expect(refused.slot).toEqual({ written: 0, complete: 0, closed: 0 });
	expect((await upgrade(URL, signed(old), { key }, true)).outcome).toBe("done");
});

test.each([
	["1.9.9", "2.0.0", true],
	["v1.10.0", "1.9.0", false],
	["1.9.0", "v1.10.0", true],
	["2.0.0", "2.0.0", false],
	["2.0", "2.0.1", true],
	["2.0.0-rc1", "2.0.0", false],
	["v6.0-12-gabc", "6.1.0", true],
	["1", "2.0.0", true],
	["build-7", "2.0.0", false],
	["", "2.0.0", false],
])("%p is older than %p: %p", (a, b, older) => expect(isOlder(a, b)).toBe(older));

test("keys and signatures are hexadecimal digits", () => {
	expect(readUpgradeKey(key)).toMatchObject({ kind: "ecdsa", curve: "secp256r1" });
	for (const bad of ["", "04", `05${key.slice(2)}`, `${key}00`, key.replace(/.$/, "g")]) expect(readUpgradeKey(bad)).toBeUndefined();
	expect(readHex(" 00fF\n")).toEqual(Uint8Array.of(0, 255));
});
