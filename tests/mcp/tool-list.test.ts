// The fixed tools of a board as they lie in flash.

import { expect, test } from "@jest/globals";
import { integer, type Properties } from "mcp/schema";
import { defineTool, wireText } from "mcp/tool";
import { defineTools } from "mcp/tool-list";

const tool = (name: string, properties: Properties, more: object = {}) =>
	defineTool<Properties, unknown>({ name, description: name, properties, ...more, call: () => true });
const level = (description: string) => integer({ minimum: 0, maximum: 9, description });

test("what tools check alike they share, whatever they say", () => {
	const board = { needs: ["light"], output: { on: integer() } };
	const { tools, userTools } = defineTools(
		[tool("a", { x: level("How bright"), y: level("How loud") }, board), tool("b", { y: level("How far") })],
		[tool("c", { x: level("How warm"), y: level("How wet") }, board)],
	);
	const [a, b, c] = [...tools, ...userTools] as [(typeof tools)[0], (typeof tools)[0], (typeof tools)[0]];
	expect(a.members.rules[0]).toBe(a.members.rules[1]);
	expect(b.members.rules[0]).toBe(a.members.rules[0]);
	expect(c.members).toBe(a.members);
	expect(c.output).toBe(a.output);
	expect(c.needs).toBe(a.needs);
	expect(
		["How bright", "How loud", "How far", "How warm", "How wet"].filter((words, i) => wireText([a, a, b, c, c][i] as never, false).includes(words)),
	).toHaveLength(5);
});

test.each<[string, Properties, Properties]>([
	["limits", { x: integer({ minimum: 1 }) }, { x: integer({ maximum: 1 }) }],
	["presence", { x: integer() }, { x: integer({ optional: true }) }],
	["defaults", { x: integer({ default: 1 }) }, { x: integer({ default: 2 }) }],
	["names", { x: integer() }, { y: integer() }],
	["order", { x: integer(), y: integer({ minimum: 1 }) }, { y: integer({ minimum: 1 }), x: integer() }],
])("what differs in %s stays apart", (_what, some, others) => {
	const { tools } = defineTools([tool("a", some), tool("b", others)]);
	const alone = [tool("a", some), tool("b", others)].map(({ members }) => members);
	expect(tools.map(({ members }) => members)).toEqual(alone);
	expect(tools[0]?.members).not.toBe(tools[1]?.members);
});

test("a tool in a list is immutable, also in a second one", () => {
	const one = tool("a", { x: level("How bright") });
	const { members } = defineTools([one]).tools[0] as typeof one;
	defineTools([tool("b", { x: level("How loud") }), one]);
	expect(one.members).toBe(members);
	expect(Object.isFrozen(one)).toBe(true);
});
