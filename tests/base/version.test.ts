// One version for the package and the firmware.

import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { VERSION } from "base/version";

test("the firmware's version is the package's", () => {
	const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
	expect(VERSION).toBe(version);
});
