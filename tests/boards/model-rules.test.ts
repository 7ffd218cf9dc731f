// The rules of the model APIs find what these were seen to refuse.

import { expect, test } from "@jest/globals";
import type { Tool } from "@modelcontextprotocol/client";
import { modelProblems } from "./model-rules.js";

type Schema = NonNullable<Tool["inputSchema"]["properties"]>[string];

const tool = (properties: { [name: string]: Schema }, more: Partial<Tool> = {}): Tool => ({
	name: "self_lamp_set",
	description: "Sets the lamp",
	inputSchema: { type: "object", properties, required: [], additionalProperties: false },
	...more,
});

test("a tool of the common forms is accepted by all", () => {
	const inner = { type: "object", properties: { x: { type: "number" } }, required: ["x"] };
	const properties = {
		level: { type: "integer", minimum: 1, maximum: 4, default: 1 },
		color: { type: "string", enum: ["red", "blue"] },
		path: { type: "array", items: inner },
	};
	expect(modelProblems(tool(properties))).toEqual([]);
});

test.each<[string, Tool]>([
	["the name self.lamp.set", tool({}, { name: "self.lamp.set" })],
	["a description of 1025 characters", tool({}, { description: "x".repeat(1025) })],
	["arguments.level: enum in integer", tool({ level: { type: "integer", enum: [1, 2] } })],
	["arguments.a: an empty text in enum", tool({ a: { type: "string", enum: ["", "b"] } })],
	["arguments.a: const in string", tool({ a: { type: "string", const: "b" } })],
	["arguments.a: an array without items", tool({ a: { type: "array" } })],
	["arguments.a.b: exclusiveMinimum in number", tool({ a: { type: "object", properties: { b: { type: "number", exclusiveMinimum: 0 } } } })],
	["arguments: the name filter[id]", tool({ "filter[id]": { type: "string" } })],
	['arguments.a: the type ["string","null"]', tool({ a: { type: ["string", "null"] } })],
	["arguments.a: the format uri", tool({ a: { type: "string", format: "uri" } })],
])("%s is a problem", (problem, refused) => {
	expect(modelProblems(refused)).toEqual([problem]);
});
