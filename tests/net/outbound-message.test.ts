// One outbound message, in whatever pieces it is taken.

import { expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { OutboundMessage } from "../../src/net/outbound-message.js";
import { textMessage } from "../support/text-message.js";

const texts = fc.array(
	fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("", "a".repeat(3000), "灯".repeat(1500), "x".concat("😀".repeat(1200)))),
	{ maxLength: 6 },
);

test("its bytes are those of its texts", () => {
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

test("no more of its texts is encoded than goes at once", () => {
	const encode = jest.spyOn(ArrayBuffer, "fromString");
	const message = new OutboundMessage(textMessage([...Array.from({ length: 100 }, () => "a".repeat(300)), "b".repeat(5000)]));
	while (message.left > 0) message.advance(message.next(message.pieceBytes).byteLength);
	expect(Math.max(...encode.mock.calls.map(([text]) => text.length))).toBe(1024);
	expect(encode).toHaveBeenCalledTimes(Math.ceil(35_000 / 1024));
	encode.mockRestore();
});
