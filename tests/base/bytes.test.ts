// Bytes joined, and turned into text and back; short texts for the log.

import { expect, test } from "@jest/globals";
import { base64Texts, concatBytes, latin1, latin1Bytes, utf8Bytes } from "../../src/base/bytes.js";
import { errorText, oneLine } from "../../src/base/text.js";

const ALL = Uint8Array.from({ length: 256 }, (_, i) => i);

test("joins any number of pieces, empty ones too, into bytes of their own", () => {
	const piece = Uint8Array.of(1, 2);
	const joined = concatBytes(piece, new Uint8Array(0), Uint8Array.of(3));
	piece[0] = 9;
	expect([...joined]).toEqual([1, 2, 3]);
	expect(concatBytes().byteLength).toBe(0);
});

test("every byte survives the way to text and back", () => {
	expect(latin1(ALL)).toHaveLength(256);
	expect(latin1Bytes(latin1(ALL))).toEqual(ALL);
});

test("base64 comes in pieces that are one text together", () => {
	for (const length of [0, 1, 2, 3, 767, 768, 769, 2000]) {
		const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
		const texts = base64Texts(bytes);
		expect(texts.join("")).toBe(Buffer.from(bytes).toString("base64"));
		expect(texts).toHaveLength(Math.ceil(length / 768));
	}
});

test("UTF-8 of characters of one to four bytes", () => {
	expect(Buffer.from(utf8Bytes("aé灯💡")).toString()).toBe("aé灯💡");
	expect(utf8Bytes("aé灯💡").byteLength).toBe(10);
});

test("a line for the log has no control characters and no half characters, and is cut with an ellipsis", () => {
	expect(oneLine("a\r\nb\u0000c\u2028d\u0085e")).toBe("a  b c d e");
	expect(oneLine("x".repeat(300))).toBe(`${"x".repeat(199)}…`);
	expect(oneLine("abcdef", 6)).toBe("abcdef");
	expect(oneLine("abcdefg", 6)).toBe("abcde…");
});

test("whatever is thrown has a text", () => {
	expect(errorText(new RangeError("too far"))).toBe("RangeError: too far");
	expect([errorText("plain"), errorText(undefined), errorText(7)]).toEqual(["plain", "undefined", "7"]);
});
