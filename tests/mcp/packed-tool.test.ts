// A tool that was made at run time: what it checks and what it shows are those of any tool, though it keeps its text alone.

import { expect, test } from "@jest/globals";
import { packTool } from "mcp/packed-tool";
import { array, boolean, checkMembers, integer, number, object, type Properties, string } from "mcp/schema";
import { defineTool, Tool, wireText } from "mcp/tool";

const PROPERTIES: Properties = {
	whole: integer({ minimum: -1, maximum: 5 }),
	real: number({ default: 0.5 }),
	on: boolean({ optional: true }),
	choice: string({ enum: ["a", "b"], titles: ["A", "B"] }),
	one: string({ const: "x" }),
	text: string({ minLength: 1, maxLength: 3, pattern: "^[a-z]+$" }),
	day: string({ format: "date", optional: true }),
	list: array({ items: object({ properties: { a: integer({ enum: [1, 2] }), b: boolean({ default: true }) } }), minItems: 1, maxItems: 2 }),
};
const tool = defineTool({ name: "self.x.y", description: 'of "inputSchema":{ and more', properties: PROPERTIES, call: () => true });
const packed = packTool(tool, (args) => Object.keys(args).length);

test("its properties are those that it was made with", () => {
	expect(packed.members).toEqual(tool.members);
	for (const value of [{}, { whole: 6 }, { whole: 1, choice: "c" }, { whole: 1, choice: "a", one: "x", text: "ab", list: [{ a: 3 }] }])
		expect(checkMembers(packed.members, { ...value }, "")).toBe(checkMembers(tool.members, { ...value }, ""));
});

test("defaults are filled in, and what is optional may be left out", () => {
	const args = { whole: 1, choice: "a", one: "x", text: "ab", list: [{ a: 1 }] };
	expect(checkMembers(packed.members, args, "")).toBeUndefined();
	expect(args).toEqual({ whole: 1, choice: "a", one: "x", text: "ab", list: [{ a: 1, b: true }], real: 0.5 });
});

test("a peer sees the same, and it is a tool without the objects of a schema", () => {
	expect(wireText(packed, false)).toBe(wireText(tool, false));
	expect([packed instanceof Tool, packed.foldedName, Object.hasOwn(packed, "members")]).toEqual([true, "self_x_y", false]);
	expect(packed.call({ a: 1, b: 2 } as never, undefined as never, {} as never)).toBe(2);
});
