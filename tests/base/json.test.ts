// The depth of JSON text, which is looked at before it is parsed.

import { expect, test } from "@jest/globals";
import { isDeeper } from "base/json";

const nested = (depth: number, inside = "") => "[".repeat(depth) + inside + "]".repeat(depth);

test("text is as deep as its brackets stand inside each other", () => {
	expect(isDeeper(nested(32), 32)).toBe(false);
	expect(isDeeper(nested(33), 32)).toBe(true);
	expect(isDeeper(`{"a":${nested(31)}}`, 32)).toBe(false);
	expect(isDeeper(`{"a":${nested(32)}}`, 32)).toBe(true);
	expect(isDeeper(`[${"{},[],".repeat(100)}0]`, 2)).toBe(false);
	expect(isDeeper("", 0)).toBe(false);
});

test("brackets in strings do not count", () => {
	expect(isDeeper(nested(2, JSON.stringify(`\\"${nested(50)}"\\`)), 2)).toBe(false);
	expect(isDeeper(nested(2, `"ä\\\\",${nested(1)}`), 2)).toBe(true);
});

test("text that never closes its brackets is too deep all the same", () => {
	expect(isDeeper("[".repeat(10_000), 32)).toBe(true);
});
