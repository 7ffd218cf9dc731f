// HMAC with SHA-256 against Node's.

import { createHmac } from "node:crypto";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { hmacSha256 } from "system/hmac";

test("agrees with Node's for every key and message", () => {
	fc.assert(
		fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.uint8Array({ maxLength: 300 }), (key, message) => {
			expect(hmacSha256(key, message)).toBe(createHmac("sha256", key).update(message).digest("hex"));
		}),
	);
});
