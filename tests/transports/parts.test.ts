// The small parts of the WebSocket transport: frame headers, received bytes, words, header checks.

import { describe, expect, test } from "@jest/globals";
import { concatBytes } from "base/bytes";
import { oneLine } from "base/text";
import fc from "fast-check";
import Timer from "timer";
import { parseWebSocketUrl } from "../../src/net/address.js";
import { OutboundMessage } from "../../src/net/outbound-message.js";
import { ReceiveBuffer } from "../../src/net/receive-buffer.js";
import { closeText } from "../../src/transports/close-code.js";
import { statusText } from "../../src/transports/upgrade-status.js";
import { createWebSocketTransport } from "../../src/transports/websocket.js";
import { FrameHeaderChecker } from "../../src/transports/websocket-frames.js";
import { anyText } from "../support/any-text.js";
import { textMessage } from "../support/text-message.js";

/** A frame as a server writes it. */
function frame(first: number, length: number): Uint8Array {
	const header =
		length < 126
			? [length]
			: length < 65536
				? [126, length >> 8, length & 255]
				: [127, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255];
	const bytes = new Uint8Array(1 + header.length + length);
	bytes.set([first, ...header]);
	// A payload that would be a bad header.
	bytes.fill(0xff, 1 + header.length);
	return bytes;
}

/** Hands bytes over in pieces of these sizes. */
function inspectInPieces(bytes: Uint8Array, sizes: readonly number[]): string | undefined {
	const checker = new FrameHeaderChecker();
	for (let at = 0, i = 0; at < bytes.length; i++) {
		const size = sizes[i % sizes.length] ?? 1;
		const problem = checker.inspect(bytes.subarray(at, at + size));
		if (problem) return problem;
		at += size;
	}
	return undefined;
}

describe("a message on its way out", () => {
	test.each([
		["texts", true],
		["one text", false],
	])("gives the bytes of its %s, however many are taken at a time", (_title, inTexts) => {
		fc.assert(
			fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 30 }), { maxLength: 20 }), fc.array(fc.nat(50)), (texts, counts) => {
				const expected = Buffer.from(texts.join(""));
				const message = new OutboundMessage(inTexts ? textMessage(texts) : texts.join(""));
				expect(message.byteLength).toBe(expected.byteLength);
				const parts: Uint8Array[] = [];
				for (const count of [...counts, expected.byteLength]) {
					// Asked for again where there was no room.
					message.next(count + 1);
					parts.push(message.next(count).slice());
					message.advance(parts.at(-1)?.byteLength ?? 0);
				}
				expect(Buffer.concat(parts)).toEqual(expected);
				expect(message.left).toBe(0);
			}),
		);
	});
});

const sizes = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 20 });

describe("the frame header checker", () => {
	test("lets every good stream pass, however it is cut", () => {
		const length = fc.oneof(fc.integer({ min: 0, max: 130 }), fc.constantFrom(65535, 65536, 70000));
		const control = fc.tuple(fc.constantFrom(0x88, 0x89, 0x8a), fc.integer({ min: 0, max: 125 }));
		const message = fc
			.array(fc.tuple(length, fc.option(control)), { minLength: 1, maxLength: 4 })
			.map((pieces) =>
				pieces.flatMap(([bytes, between], i) => [
					frame((i === 0 ? 1 : 0) | (i === pieces.length - 1 ? 0x80 : 0), bytes),
					...(between ? [frame(between[0], between[1])] : []),
				]),
			);
		fc.assert(
			fc.property(fc.array(message, { maxLength: 4 }), sizes, (messages, sizes) => {
				expect(inspectInPieces(concatBytes(...messages.flat()), sizes)).toBeUndefined();
			}),
			{ numRuns: 50 },
		);
	});

	test.each([
		[[0xc1, 0], "reserved bits"],
		[[0x81, 0x80], "masked"],
		[[0x83, 0], "unknown kind 3"],
		[[0x8b, 0], "unknown kind 11"],
		[[0x80, 0], "continuation of no message"],
		[[0x01, 0, 0x81, 0], "inside another"],
		[[0x09, 0], "in pieces"],
		[[0x89, 126, 1, 0], "over 125"],
		[[0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], "2 GB"],
		[[0x81, 127, 0, 0, 0, 0, 0x80, 0, 0, 0], "2 GB"],
	])("refuses %j, however it is cut", (bytes, words) => {
		for (const size of [1, 2, 100]) expect(inspectInPieces(Uint8Array.from(bytes), [size])).toContain(words);
	});

	test("takes any bytes without throwing", () => {
		fc.assert(fc.property(fc.uint8Array({ maxLength: 5000 }), sizes, (bytes, sizes) => void inspectInPieces(bytes, sizes)));
	});
});

describe("the receive buffer", () => {
	test("gives back what was put in, byte by byte and in buffers", () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(fc.uint8Array(), fc.constantFrom(0, 1, 2), fc.integer({ min: 1, max: 20 }))), (steps) => {
				const buffer = new ReceiveBuffer();
				const put: number[] = [];
				const got: number[] = [];
				for (const [bytes, kind, count] of steps) {
					put.push(...bytes);
					buffer.push(Uint8Array.from(bytes));
					if (kind === 0) got.push(...[buffer.read()].filter((byte) => byte !== undefined).map(Number));
					else if (kind === 1) got.push(...new Uint8Array((buffer.read(count) as ArrayBuffer | undefined) ?? []));
					else {
						const target = new Uint8Array(count);
						got.push(...target.subarray(0, Number(buffer.read(target) ?? 0)));
					}
				}
				while (buffer.length > 0) got.push(Number(buffer.read()));
				expect(got).toEqual(put);
			}),
		);
	});
});

describe("a read of more than there is", () => {
	test("gives what is there", () => {
		const buffer = new ReceiveBuffer();
		// A part of a larger buffer, as long as what is asked for.
		buffer.push(new Uint8Array(8).subarray(4));
		expect([(buffer.read(8) as ArrayBuffer).byteLength, buffer.length]).toEqual([4, 0]);
	});

	test("gives undefined when nothing is there", () => {
		for (const want of [undefined, 1, new Uint8Array(1)]) {
			const buffer = new ReceiveBuffer();
			buffer.push(new Uint8Array(0));
			expect(buffer.read(want)).toBeUndefined();
		}
	});
});

describe("words", () => {
	test("of statuses", () => {
		expect(statusText(401, "Unauthorized", undefined)).toBe("401 Unauthorized: not authorised");
		expect(statusText(418, "", undefined)).toBe("418: the server did not upgrade");
		expect(statusText(302, "Found", "/x")).toBe("302 Found: moved to /x");
	});

	test("of close frames, whatever they hold", () => {
		expect(closeText(Uint8Array.of(3, 0xf0, 0x62, 0x61, 0x64))).toBe('1008 policy violation, "bad"');
		expect(closeText(new Uint8Array(0))).toBe("without a code");
		expect(closeText(Uint8Array.of(3))).toBe("without a code");
		expect(closeText(Uint8Array.of(0, 1))).toBe("1 unknown code");
		fc.assert(
			fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (text) => {
				const words = closeText(Uint8Array.from([3, 0xe8, ...new TextEncoder().encode(text)]));
				expect(words).toBe(`1000 normal closure${oneLine(text) ? `, "${oneLine(text)}"` : ""}`);
			}),
		);
		fc.assert(fc.property(fc.uint8Array({ maxLength: 125 }), (bytes) => void closeText(bytes)));
	});

	test("stay on one line, without control characters, within the limit", () => {
		fc.assert(
			fc.property(anyText({ maxLength: 400 }), (text) => {
				const line = oneLine(text);
				expect(line.length).toBeLessThanOrEqual(200);
				// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
				expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
			}),
		);
	});
});

describe("settings that can never work", () => {
	const make = (header: readonly [string, string]) => () =>
		createWebSocketTransport({ timers: Timer, url: parseWebSocketUrl("ws://h/"), headers: [header] });
	test.each([
		[["X-A", "a\r\nX-B: b"], "line break"],
		[["X-A", "a\n"], "line break"],
		[["X-A", "灯"], "non-ASCII"],
		[["X A", "a"], "not a header name"],
		[["X\r\nY", "a"], "not a header name"],
		[["", "a"], "not a header name"],
		[["connection", "close"], "set by the transport"],
		[["Sec-WebSocket-Key", "x"], "set by the transport"],
		[["X-A", 1 as unknown as string], "must be a string"],
	] as const)("refuses the header %j", (header, words) => {
		expect(make(header)).toThrow(TypeError);
		expect(make(header)).toThrow(words);
	});

	test("refuses wss:// without TLS and a subprotocol of two words", () => {
		expect(() => createWebSocketTransport({ timers: Timer, url: parseWebSocketUrl("wss://h/") })).toThrow("needs TLS");
		expect(() => createWebSocketTransport({ timers: Timer, url: parseWebSocketUrl("ws://h/"), protocol: "a, b" })).toThrow("subprotocol");
	});
});
