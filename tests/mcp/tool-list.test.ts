// The fixed tools of a board as they lie in flash.

import { describe, expect, test } from "@jest/globals";
import { STANDARD } from "mcp/dialect";
import { joinTexts, type TextMessage } from "mcp/json-rpc-writer";
import { integer, type Properties, utf8Length } from "mcp/schema";
import type { McpServerOptions } from "mcp/server";
import { defineTool, type Tool, wireText } from "mcp/tool";
import { defineTools, type ToolList } from "mcp/tool-list";
import { createPeer } from "./support.js";

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

describe("a page of fixed tools for standard peers", () => {
	const many = (count: number) => defineTools(Array.from({ length: count }, (_, i) => tool(`self.t${i}`, { x: level("灯".repeat(i % 200)) })));

	/** A server with these tools, and what it sends for a cursor. */
	function peerOf(list: ToolList<unknown>, options: Partial<McpServerOptions<unknown>> = {}) {
		const { server } = createPeer<unknown>({}, list, STANDARD, options);
		let sent: string | TextMessage = "";
		const send = (message: string | TextMessage) => {
			sent = message;
		};
		const conversation = server.open({ dialect: STANDARD, send, sendTexts: send });
		const page = (cursor: string) => {
			conversation.receive({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { cursor } });
			const text = typeof sent === "string" ? sent : joinTexts(sent);
			if (typeof sent !== "string") expect(sent.byteLength).toBe(utf8Length(text));
			return { text, texts: typeof sent === "string" ? undefined : sent.texts };
		};
		const names = () => JSON.parse(page("").text).result.tools.map(({ name }: Tool) => name);
		return { server, page, names };
	}

	test.each([0, 1, 30, 400])("is in flash as it would be put together: %i tools", (count) => {
		const list = many(count);
		const ready = peerOf(list);
		const composed = peerOf(list, { hide: () => false });
		for (const cursor of ["", "nope", ...list.tools.map(({ name }) => name)]) {
			const page = ready.page(cursor);
			expect(page.text).toBe(composed.page(cursor).text);
			// The first is sent from where it lies.
			expect(page.texts === list.firstPage.texts).toBe(cursor === "");
		}
		expect(list.firstPage.next !== "").toBe(count === 400);
		expect(Object.isFrozen(list.firstPage.texts)).toBe(true);
	});

	test("has neither what the device does without nor lacks what was added", () => {
		const list = many(3);
		expect(peerOf(list, { hide: ({ name }) => name === "self.t1" }).names()).toEqual(["self_t0", "self_t2"]);
		const { server, names, page } = peerOf(list);
		server.addTool(tool("self.late", {}));
		expect(names()).toEqual(["self_t0", "self_t1", "self_t2", "self_late"]);
		server.removeTool("self.late");
		expect(names()).toEqual(["self_t0", "self_t1", "self_t2"]);
		expect(page("").texts).toBe(list.firstPage.texts);
	});
});
