// The worker's framing, wherever the stream is cut.

import { describe, expect, test } from "@jest/globals";
import { encodeNetstring, NetstringReader } from "../../simulator/netstring.js";

describe("netstrings", () => {
	const stream = Buffer.concat([
		encodeNetstring("?", Buffer.from("äöü")),
		encodeNetstring("", Buffer.alloc(0)),
		encodeNetstring(".", Buffer.alloc(300, ",")),
	]);

	test.each([1, 2, 3, 7, 1000])("are read from pieces of %d bytes", (size) => {
		const reader = new NetstringReader();
		const read: string[] = [];
		for (let at = 0; at < stream.length; at += size) read.push(...reader.push(stream.subarray(at, at + size)).map(String));
		expect(read).toEqual(["?äöü", "", `.${",".repeat(300)}`]);
	});

	test.each(["x:", "12345678901:", "1:ab", ":"])("refuse %j", (text) => {
		expect(() => new NetstringReader().push(Buffer.from(text))).toThrow("netstring");
	});
});
