// Arguments that no tool declares, and numbers as text.

import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { argumentsProblem, readNumbers } from "../../src/mcp/arguments.js";
import { STANDARD } from "../../src/mcp/dialect.js";
import { array, integer, membersOf, number, object, type Properties, propertiesJson, string } from "../../src/mcp/schema.js";
import { defineTool } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";
import { createPeer } from "./support.js";

const PROPERTIES: Properties = {
	volume: integer(),
	text: string({ optional: true }),
	at: object({ optional: true, properties: { x: integer(), list: array({ optional: true, items: object({ properties: { y: integer() } }) }) } }),
};
const members = membersOf(PROPERTIES);
const NAMES = ["jsonrpc", "id", "method", "params", "name", "arguments", "volume", "text", "at", "x", "list", "y"];

/** As XS does where it is given names: members that nothing knows are gone. */
function parse(text: string): { params: { arguments: { [name: string]: unknown } } } {
	return JSON.parse(text, function (this: object, name, value) {
		return Array.isArray(this) || name === "" || NAMES.includes(name) ? value : undefined;
	});
}

function problem(text: string): string | undefined {
	return argumentsProblem(members, parse(text).params.arguments, true, { text });
}

function found(text: string): string | undefined {
	return /^Argument (.*) is not declared; (.*)$/s.exec(problem(text) ?? "")?.[1];
}

const call = (args: string, before = "") => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${before}"name":"t","arguments":${args}}}`;

test.each([
	['{"volume":10,"loud":true}', "loud"],
	['{"loud":{"volume":1},"volume":10}', "loud"],
	['{"volume":10,"text":"\\"loud\\":1","a\\u0062c":[{"x":1}]}', "abc"],
	[' {\n\t"volume" : 10 ,\n\t"\\\\" : [ ] } ', "\\"],
	['{"volume":10,"name":1}', "name"],
	['{"volume":10,"at":{"x":1,"loud":[{}]}}', "at.loud"],
	['{"volume":10,"at":{"x":1,"y":2}}', "at.y"],
	['{ "at" : { "list" : [ {"y":1} , { "y":2 , "\\u0061b": {"c":[]} } ] , "x":1 } }', "at.list[1].ab"],
	['{"at":{"list":[{"y":1},[],{"x":1}],"x":1}}', "at.list[2].x"],
])("an argument that is not declared is found though the parser left it out: %s", (args, name) => {
	expect(found(call(args))).toBe(name);
	// The word is no member's name where it is a value.
	expect(found(call(args, '"name":"arguments","_meta":{"x":"\\"arguments\\":{}"},'))).toBe(name);
});

test("of a value that is wrong and a name that is not declared, one is told; a name instead of a missing one", () => {
	expect(problem(call('{"volume":"loud","loud":1}'))).toBe('Argument volume must be an integer, got the string "loud"');
	expect(problem(call('{"loud":1}'))).toBe("Argument loud is not declared; the tool takes volume, text, at");
	expect(problem(call('{"text":"x"}'))).toBe("Argument volume is missing: expected an integer");
});

test("a default that is a list is the call's own", () => {
	const lists = membersOf({
		a: array({ items: integer(), default: [1, 2] }),
		o: object({ optional: true, properties: { b: array({ items: integer(), default: [3] }) } }),
	});
	const args: { [name: string]: unknown } = { o: {} };
	expect(argumentsProblem(lists, args, true, { text: call('{"o":{}}') })).toBeUndefined();
	expect(args).toEqual({ a: [1, 2], o: { b: [3] } });
	(args.a as number[]).push(3);
	const next: { [name: string]: unknown } = {};
	expect(argumentsProblem(lists, next, false)).toBeUndefined();
	expect(next).toEqual({ a: [1, 2] });
});

test("the sentence says what may stand there", () => {
	expect(problem(call('{"loud":1}'))).toBe("Argument loud is not declared; the tool takes volume, text, at");
	expect(problem(call('{"at":{"loud":1}}'))).toBe("Argument at.loud is not declared; at takes x, list");
	expect(problem(call(`{"${"x".repeat(500)}":1}`))).toMatch(/^Argument x{1,150}…? is not declared/);
});

test.each([
	'{"volume":10}',
	'{"at":{"x":1.0,"list":[{"y":1},{}, 7, null, [{"y":"}"}]]},"volume":2}',
	'{"at":[{"loud":1}],"text":{"loud":1.0}}',
	'{"volume": 10, "text": "a, b: \\"loud\\": 1"}',
	'{"text":"\\u4f60","volume":1.0}',
	"{}",
	'{\n"volume":{"deep":1}}',
])("declared arguments are let through however they are written: %s", (args) => {
	expect(found(call(args))).toBeUndefined();
});

/** Has any object more members than its schema has? */
function hasMore(value: unknown, schema: { properties?: Record<string, object>; items?: object }): boolean {
	if (Array.isArray(value)) return schema.items !== undefined && value.some((item) => hasMore(item, schema.items as object));
	if (typeof value !== "object" || value === null || !schema.properties) return false;
	const { properties } = schema;
	return Object.entries(value).some(([name, member]) => !Object.hasOwn(properties, name) || hasMore(member, properties[name] as object));
}

test("any arguments, written in any way", () => {
	const schema = JSON.parse(`{${propertiesJson(PROPERTIES)}}`);
	const names = fc.oneof(fc.constantFrom("volume", "text", "at", "x", "list", "y"), fc.string());
	const nested = fc.letrec((tie) => ({
		value: fc.oneof({ maxDepth: 5 }, fc.constantFrom(1, 1.5, "}", null, []), fc.array(tie("value"), { maxLength: 3 }), tie("object")),
		object: fc.dictionary(names, tie("value"), { maxKeys: 3 }),
	}));
	let more = 0;
	fc.assert(
		fc.property(nested.object, fc.constantFrom("", " ", "\t"), (given, space) => {
			const text = call(JSON.stringify(given, null, space));
			const expected = hasMore(JSON.parse(JSON.stringify(given)), schema);
			if (expected) more++;
			// Whatever else is wrong may be told first.
			expect([text, expected ? problem(text) !== undefined : found(text) !== undefined]).toEqual([text, expected]);
		}),
		{ numRuns: 300 },
	);
	expect(more).toBeGreaterThan(50);
});

test("a number as text is read where it can be nothing else", () => {
	const all = membersOf({
		n: integer(),
		x: number(),
		s: string(),
		list: array({ items: integer() }),
		o: object({ properties: { n: integer({ optional: true }) } }),
	});
	const args = { n: "255", x: "-1.5", s: "7", list: ["1", 2], o: { n: "3" } };
	readNumbers(all, args);
	expect(args).toEqual({ n: 255, x: -1.5, s: "7", list: [1, 2], o: { n: 3 } });
	for (const unclear of ["", " 1", "0x10", "1e3", "1.0", "007", "Infinity", "NaN", "1,5", true, null]) {
		const given = { n: unclear };
		readNumbers(all, given);
		expect(given).toEqual({ n: unclear });
	}
});

const tools = defineTools([defineTool({ name: "self.set", description: "d", properties: { volume: integer() }, call: ({ volume }) => volume })]);

test("a standard peer is told which argument is not declared; numbers have to be numbers", () => {
	const peer = createPeer({}, tools, STANDARD);
	peer.ask("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
	const { result } = peer.call("self.set", { volume: 10, loud: true });
	expect(result).toEqual({ content: [{ type: "text", text: "Argument loud is not declared; the tool takes volume" }], isError: true });
	expect(peer.call("self.set", { volume: "10" }).result.isError).toBe(true);
});

test("in the envelope a refusal would be spoken: what is not declared is ignored, and a number may be text", () => {
	const peer = createPeer({}, tools);
	expect(peer.call("self.set", { volume: "10", loud: true }).result.content[0].text).toBe("10");
	expect(peer.call("self.set", { volume: "ten" }).error.code).toBe(-32602);
});
