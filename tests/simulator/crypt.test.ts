// The digests that stand for Moddable's.

import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { Digest } from "../../simulator/runtime/crypt.js";

test.each(["SHA1", "SHA256"])("%s agrees with Node's, in however many pieces it is written", (type) => {
	fc.assert(
		fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (pieces) => {
			const digest = new Digest(type);
			for (const piece of pieces) digest.write(piece.slice().buffer);
			expect(Buffer.from(digest.close()).toString("hex")).toBe(createHash(type).update(Buffer.concat(pieces)).digest("hex"));
		}),
	);
});

test("refuses every other digest", () => {
	expect(() => new Digest("SHA384")).toThrow("SHA384");
});
