// Arguments that no tool declares, and numbers as text.

import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readNumbers, undeclared } from "../../src/mcp/arguments.js";
import { STANDARD } from "../../src/mcp/dialect.js";
import { array, integer, Members, number, object, string } from "../../src/mcp/schema.js";
import { defineTool } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";
import { createPeer } from "./support.js";

const members = new Members({ volume: integer(), text: string({ optional: true }) });
const NAMES = ["jsonrpc", "id", "method", "params", "name", "arguments", "volume", "text"];

/** As XS does where it is given names: members that nothing knows are gone. */
function parse(text: string): { params: { arguments: { [name: string]: unknown } } } {
	return JSON.parse(text, function (this: object, name, value) {
		return Array.isArray(this) || name === "" || NAMES.includes(name) ? value : undefined;
	});
}

function found(text: string): string | undefined {
	return undeclared(members, parse(text).params.arguments, text);
}

const call = (args: string, before = "") => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${before}"name":"t","arguments":${args}}}`;

test.each([
	['{"volume":10,"loud":true}', "loud"],
	['{"loud":{"volume":1},"volume":10}', "loud"],
	['{"volume":10,"text":"\\"loud\\":1","a\\u0062c":[{"x":1}]}', "abc"],
	[' {\n\t"volume" : 10 ,\n\t"\\\\" : [ ] } ', "\\"],
	['{"volume":10,"name":1}', "name"],
])("an argument that is not declared is found though the parser left it out: %s", (args, name) => {
	expect(found(call(args))).toBe(name);
	// The word is no member's name where it is a value.
	expect(found(call(args, '"name":"arguments","_meta":{"x":"\\"arguments\\":{}"},'))).toBe(name);
});

test.each(['{"volume":10}', '{"volume": 10, "text": "a, b: \\"loud\\": 1"}', '{"text":"\\u4f60","volume":1.0}', "{}", '{\n"volume":{"deep":1}}'])(
	"declared arguments are let through however they are written: %s",
	(args) => {
		expect(found(call(args))).toBeUndefined();
	},
);

test("any arguments, written in any way", () => {
	fc.assert(
		fc.property(
			fc.dictionary(fc.oneof(fc.constantFrom("volume", "text"), fc.string()), fc.jsonValue({ maxDepth: 2 })),
			fc.constantFrom("", " ", "\t"),
			(args, space) => {
				const text = `{"method":"tools/call","params":{"arguments":${JSON.stringify(args, null, space)}}}`;
				const expected = Object.keys(JSON.parse(JSON.stringify(args))).find((name) => !["volume", "text"].includes(name));
				const name = found(text);
				expect([text, name === undefined]).toEqual([text, expected === undefined]);
				if (name !== undefined) expect(Object.hasOwn(args, name)).toBe(true);
			},
		),
		{ numRuns: 300 },
	);
});

test("a number as text is read where it can be nothing else", () => {
	const all = new Members({
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
