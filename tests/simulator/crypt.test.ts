// The digest that stands for Moddable's.

import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { Digest } from "../../simulator/runtime/crypt.js";

test("SHA-1 agrees with Node's, in however many pieces it is written", () => {
	fc.assert(
		fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (pieces) => {
			const digest = new Digest("SHA1");
			for (const piece of pieces) digest.write(piece.slice().buffer);
			expect(Buffer.from(digest.close()).toString("hex")).toBe(createHash("sha1").update(Buffer.concat(pieces)).digest("hex"));
		}),
	);
});

test("refuses every other digest", () => {
	expect(() => new Digest("SHA256")).toThrow("SHA256");
});
