// One outbound message, in whatever pieces it is taken.

import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { OutboundMessage } from "../../src/net/outbound-message.js";
import { textMessage } from "../support/text-message.js";

const texts = fc.array(
	fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("", "a".repeat(3000), "灯".repeat(1500), "x".concat("😀".repeat(1200)))),
	{ maxLength: 6 },
);

test("its bytes are those of its texts, and no more of a long text is encoded than is taken", () => {
	fc.assert(
		fc.property(texts, fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1 }), fc.boolean(), (parts, counts, inTexts) => {
			const whole = Buffer.from(parts.join(""));
			const message = new OutboundMessage(inTexts ? textMessage(parts) : parts.join(""));
			expect(message.byteLength).toBe(whole.byteLength);
			const taken: Uint8Array[] = [];
			for (let i = 0; message.left > 0; i++) {
				const piece = message.next(counts[i % counts.length] as number);
				expect(piece.byteLength).toBeGreaterThan(0);
				taken.push(piece.slice());
				message.advance(piece.byteLength);
			}
			expect(Buffer.concat(taken).equals(whole)).toBe(true);
		}),
	);
});
