// Messages between marks, however the stream is cut.

import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { DelimitedStream } from "../../src/transports/delimited-stream.js";
import { MAX_INBOUND_BYTES } from "../../src/transports/transport.js";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Feeds a stream in pieces; messages come back as text, those that were dropped as their length. */
function read(stream: Uint8Array, pieces: (at: number) => number, head = "##START", tail = "##END"): (string | number)[] {
	const frames = new DelimitedStream(bytes(head), bytes(tail));
	const messages: (string | number)[] = [];
	for (let at = 0; at < stream.length; ) {
		const size = Math.max(1, pieces(at));
		frames.feed(stream.slice(at, at + size), (message) => {
			const { byteLength } = message;
			const whole = message.take();
			messages.push(whole ? new TextDecoder().decode(whole) : byteLength);
		});
		at += size;
	}
	return messages;
}

describe("messages between marks", () => {
	const stream = bytes('noise##STA##START\u0006mcp000010000{"a":"##STARTä灯"}##END##START##END#####STARTx###END##EN');
	const expected = ['\u0006mcp000010000{"a":"##STARTä灯"}', 0, "x#"];

	test("come whole when the stream is split at any byte, and byte by byte", () => {
		for (let cut = 1; cut < stream.length; cut++) expect(read(stream, (at) => (at === 0 ? cut : stream.length))).toEqual(expected);
		for (const size of [1, 2, 3, 5, 7, 1000]) expect(read(stream, () => size)).toEqual(expected);
	});

	test("come whole whatever they hold, however the stream is cut", () => {
		const part = fc.constantFrom("#", "##", "##E", "##EN", "##START", "##STAR", "END", "START", "灯", "a", "\u0000");
		const message = fc
			.array(part, { maxLength: 12 })
			.map((parts) => parts.join(""))
			.filter((text) => !`${text}##END`.slice(0, -1).includes("##END") && text !== "");
		fc.assert(
			fc.property(fc.array(message, { maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (messages, sizes) => {
				const stream = bytes(messages.map((text) => `##START${text}##END`).join(""));
				let turn = 0;
				expect(read(stream, () => sizes[turn++ % sizes.length] as number)).toEqual(messages);
			}),
		);
	});

	test("are dropped over the limit, and the next one comes", () => {
		const stream = bytes(`##START${"x".repeat(MAX_INBOUND_BYTES)}##END##START${"y".repeat(MAX_INBOUND_BYTES + 1)}##END##STARTz##END`);
		for (const size of [1000, 1536, 40_000]) expect(read(stream, () => size)).toEqual(["x".repeat(MAX_INBOUND_BYTES), MAX_INBOUND_BYTES + 1, "z"]);
	});

	test("that never end keep no memory but tell their length", () => {
		const frames = new DelimitedStream(bytes("##START"), bytes("##END"));
		frames.feed(bytes("##START"), () => {});
		for (let i = 0; i < 100; i++) frames.feed(bytes("#".repeat(1000)), () => expect("a message").toBe("none"));
		expect(frames.unfinishedBytes).toBeGreaterThan(99_000);
	});

	test("any bytes are taken without throwing", () => {
		fc.assert(fc.property(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 50 }), (stream, size) => void read(stream, () => size)));
	});
});
