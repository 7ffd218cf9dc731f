// What JSON text would build, looked at before it is parsed, and values found in text that is not parsed.

import { expect, test } from "@jest/globals";
import { countColons, findScalar, jsonLimits, jsonProblem } from "base/json";

const LIMITS = jsonLimits(4096);
const nested = (depth: number, inside = "") => "[".repeat(depth) + inside + "]".repeat(depth);
const DEEP = "nested deeper than 32";
const problem = (text: string) => jsonProblem(new Uint8Array(Buffer.from(text)), LIMITS);

test("text is as deep as its brackets stand inside each other", () => {
	expect(problem(nested(32))).toBeUndefined();
	expect(problem(nested(33))).toBe(DEEP);
	expect(problem(`{"a":${nested(31)}}`)).toBeUndefined();
	expect(problem(`{"a":${nested(32)}}`)).toBe(DEEP);
	expect(problem(`[${"{},[],".repeat(50)}0]`)).toBeUndefined();
	expect(problem("")).toBeUndefined();
});

test("what stands in strings does not count", () => {
	expect(problem(nested(2, JSON.stringify(`\\"${nested(50)}"\\`)))).toBeUndefined();
	expect(problem(nested(32, `"ä\\\\",${nested(1)}`))).toBe(DEEP);
	expect(problem(JSON.stringify({ text: ",:[{".repeat(400) }))).toBeUndefined();
});

test("text that never closes its brackets is too deep all the same", () => {
	expect(problem("[".repeat(4096))).toBe(DEEP);
});

test("values are counted, wherever they stand", () => {
	const ones = (count: number) => `[${Array(count).fill("1").join(",")}]`;
	expect(problem(ones(255))).toBeUndefined();
	expect(problem(ones(256))).toBe("with more than 256 values");
	expect(problem(`[${Array(200).fill("[]").join(",")}]`)).toBe("with more than 256 values");
	expect(problem(`{"jsonrpc":"2.0","params":{"unknown":${ones(300)}}}`)).toBe("with more than 256 values");
});

test("members are counted", () => {
	const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"member${i}":1`).join(",")}}`;
	expect(problem(members(128))).toBeUndefined();
	expect(problem(members(129))).toBe("with more than 128 members");
});

test("a string has a limit in bytes, also one that does not end", () => {
	expect(problem(JSON.stringify("x".repeat(2048)))).toBeUndefined();
	expect(problem(JSON.stringify("x".repeat(2049)))).toBe("with a string over 2048 bytes");
	expect(problem(JSON.stringify("灯".repeat(683)))).toBe("with a string over 2048 bytes");
	expect(problem(`["${"x".repeat(3000)}`)).toBe("with a string over 2048 bytes");
});

const find = (text: string, ...path: string[]) => findScalar(new Uint8Array(Buffer.from(text)), path);

test("a string or number is found without parsing, at its own place only", () => {
	expect(find('{"jsonrpc":"2.0", "id" : 7, "method":"x"}', "id")).toBe(7);
	expect(find('{"params":{"arguments":{"id":5,"list":[{"id":6}]}},"id":"ü\\n7"}', "id")).toBe("ü\n7");
	expect(find('{"type":"mcp","id":1,"payload":{"x":{"id":2},"id":-3.5}}', "payload", "id")).toBe(-3.5);
	expect(find('{"other":{"id":1},"payload":{"id":2}}', "payload", "id")).toBe(2);
	expect(find('{"payload":[{"id":1}]}', "payload", "id")).toBeUndefined();
	expect(find('{"text":"\\"id\\":1,","x":["id",2]}', "id")).toBeUndefined();
	for (const value of ["null", "true", "{}", "[1]", "nonsense"]) expect(find(`{"id":${value}}`, "id")).toBeUndefined();
});

test("of a text that is cut off only whole values are found", () => {
	const text = '{"id":123,"method":"tools/call","params":{"x":[1,1,1';
	expect(find(text, "id")).toBe(123);
	for (let length = 0; length < 10; length++) expect(find(text.slice(0, length), "id")).toBeUndefined();
	expect(find(text.slice(0, 25), "method")).toBeUndefined();
});

test("colons are counted up to a limit", () => {
	expect(['{"aaaaaaaaaaaaaa":1}', "aaaaaaaaaaaaaa:b::", ":".repeat(16)].map((text) => countColons(text, 3))).toEqual([
		1,
		3,
		Number.POSITIVE_INFINITY,
	]);
});

test("colons are not counted in what is too short to be JSON that is nested so deeply", () => {
	const nested = (levels: number) => `${'{"":'.repeat(levels)}{}${"}".repeat(levels)}`;
	for (const limit of [1, 3, 32]) {
		expect(countColons("x".repeat(limit * 5), limit)).toBeUndefined();
		// Of one level more than the limit.
		expect(countColons(nested(limit), limit)).toBe(limit);
		expect(countColons(nested(limit + 1), limit)).toBe(Number.POSITIVE_INFINITY);
	}
});
