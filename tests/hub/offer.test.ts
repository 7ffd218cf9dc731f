// What is refused before a device is asked: arguments that its tool does not declare.

import { expect, jest, test } from "@jest/globals";
import type { Tool } from "@modelcontextprotocol/client";
import type { Device } from "../../hub/devices.js";
import { callOffered } from "../../hub/offer.js";

const result = { content: [], isError: false };

async function call(inputSchema: object, args: Record<string, unknown>): Promise<string> {
	const callTool = jest.fn(async () => result);
	const device = { name: "board", callTool } as unknown as Device;
	const answer = await callOffered({ name: "t", device, tool: { name: "t", inputSchema } as unknown as Tool }, args);
	expect(callTool).toHaveBeenCalledTimes(answer === result ? 1 : 0);
	return answer === result ? "called" : `${answer.isError} ${(answer.content[0] as { text: string }).text}`;
}

const inner = { type: "object", properties: { x: { type: "integer" } }, additionalProperties: false };
const closed = {
	type: "object",
	properties: { volume: { type: "integer" }, at: inner, list: { type: "array", items: inner } },
	additionalProperties: false,
};

test.each<[Record<string, unknown>, string]>([
	[{ volume: 1, at: { x: 1 }, list: [{ x: 2 }, 3] }, "called"],
	[{ loud: true }, "true Argument loud is not declared; the tool takes volume, at, list"],
	[{ at: { x: 1, y: {} } }, "true Argument at.y is not declared; at takes x"],
	[{ list: [{ x: 1 }, { z: 1 }] }, "true Argument list[1].z is not declared; list[1] takes x"],
	[{ constructor: 1 }, "true Argument constructor is not declared; the tool takes volume, at, list"],
])("%j", async (args, expected) => {
	expect(await call(closed, args)).toBe(expected);
});

test("a tool that says nothing of further arguments gets them", async () => {
	expect(await call({ type: "object", properties: { volume: {} } }, { loud: true })).toBe("called");
	expect(await call({ type: "object" }, { loud: { a: 1 } })).toBe("called");
});
