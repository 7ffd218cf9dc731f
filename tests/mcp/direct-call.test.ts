// Calls that do not come by JSON-RPC: `McpServer.openDirect`.

import { describe, expect, test } from "@jest/globals";
import { image, ToolError, text } from "../../src/mcp/content.js";
import { STANDARD } from "../../src/mcp/dialect.js";
import type { CallOutcome } from "../../src/mcp/direct-caller.js";
import type { Rights } from "../../src/mcp/rights.js";
import { MAX_PEER_CALLS } from "../../src/mcp/running-calls.js";
import { integer } from "../../src/mcp/schema.js";
import { McpServer } from "../../src/mcp/server.js";
import { ManualTimers, settle } from "./support.js";

function createCaller(rights: Rights = {}) {
	const timers = new ManualTimers();
	const server = new McpServer({ name: "test", version: "1", board: {}, timers });
	let changes = 0;
	const sent: string[] = [];
	// The same server speaks JSON-RPC with another peer, who must see nothing of all this.
	server.open({ dialect: STANDARD, send: (text) => sent.push(text) });
	const caller = server.openDirect({ rights, onListChanged: () => changes++ });
	const call = (name: unknown, args?: unknown) => {
		const outcomes: CallOutcome[] = [];
		caller.call(name, args, (outcome) => outcomes.push(outcome));
		return outcomes;
	};
	return { server, timers, caller, call, sent, changes: () => changes };
}

describe("a direct call", () => {
	test("reaches the user-only tools where this peer has the right to, but for those that it is refused", () => {
		const { server, call } = createCaller({ userTools: true, refusal: (name) => (name === "guarded" ? "Not you" : undefined) });
		for (const name of ["hidden", "guarded"]) server.addUserOnlyTool(name, "d", {}, () => 7);
		expect([call("hidden"), call("guarded")]).toEqual([[{ data: "7" }], [{ error: "Not you" }]]);
	});

	test("answers at once with what the tool returned, as JSON text", () => {
		const { server, call, sent } = createCaller();
		const values: [unknown, string][] = [
			[undefined, "true"],
			[null, "true"],
			[false, "false"],
			[1.5, "1.5"],
			['say "灯"', '"say \\"灯\\""'],
			[{ action: "reboot" }, '{"action":"reboot"}'],
			[[1, 2], "[1,2]"],
			[Object.freeze({ a: Object.freeze([1]) }), '{"a":[1]}'],
			[text("one"), '[{"type":"text","text":"one"}]'],
		];
		for (const [value, data] of values) {
			server.addTool("t", "d", {}, () => value as string);
			expect(call("t")).toEqual([{ data }]);
			server.removeTool("t");
		}
		server.addTool("picture", "d", {}, () => image("AAAA", "image/png"));
		expect(call("picture")).toEqual([{ data: '[{"type":"text","text":"image"},{"type":"image","data":"AAAA","mimeType":"image/png"}]' }]);
		expect(sent).toEqual([]);
	});

	test("says in one sentence what is wrong", () => {
		const { server, call, sent } = createCaller();
		server.addTool("set", "d", { value: integer({ minimum: 0, maximum: 9 }) }, ({ value }) => value);
		server.addTool("refuses", "d", {}, () => {
			throw new ToolError("The arm is blocked");
		});
		server.addTool("odd", "d", {}, () => (() => 1) as never);
		server.addTool("large", "d", {}, () => "x".repeat(9000));
		server.addUserOnlyTool("hidden", "d", {}, () => true);
		expect(call("set", { value: 3 })).toEqual([{ data: "3" }]);
		expect(call("set", { value: 10 })).toEqual([{ error: "Argument value must be an integer from 0 to 9, got 10" }]);
		expect(call("set")).toEqual([{ error: "Argument value is missing: expected an integer from 0 to 9" }]);
		expect(call("set", [])).toEqual([{ error: "arguments must be an object, got an array of 0" }]);
		expect(call("nope")).toEqual([{ error: "Unknown tool: nope" }]);
		expect(call(7)).toEqual([{ error: "name must be a string, got 7" }]);
		expect(call("hidden")).toEqual([{ error: "Unknown tool: hidden" }]);
		expect(call("refuses")).toEqual([{ error: "The arm is blocked" }]);
		expect(call("odd")).toEqual([{ error: "odd failed: a tool cannot return a function" }]);
		expect(call("large")).toEqual([{ error: "The result of large is too large: about 9002 bytes, at most 8192 can be sent" }]);
		expect(sent).toEqual([]);
	});

	test("waits for a promise, but not for ever, and not after close", async () => {
		const { server, call, timers, caller } = createCaller();
		let finish: (value: string) => void = () => {};
		server.addTool("later", "d", {}, () => new Promise<string>((resolve) => (finish = resolve)));
		const done = call("later");
		expect(done).toEqual([]);
		finish("now");
		await settle();
		expect(done).toEqual([{ data: '"now"' }]);
		const late = call("later");
		timers.advance(25_000);
		expect(late).toEqual([{ error: "later gave no result within 25 seconds" }]);
		for (let i = 0; i < MAX_PEER_CALLS; i++) call("later");
		expect(call("later")).toEqual([{ error: `Busy: ${MAX_PEER_CALLS} calls of this connection are running, try again` }]);
		const dropped = call("later");
		caller.close();
		finish("too late");
		await settle();
		expect(dropped).toHaveLength(1);
		expect(call("later")).toEqual([]);
		expect(server.running).toBe(0);
	});

	test("its peer is told when the list changes", () => {
		const { server, changes, caller } = createCaller();
		server.addTool("t", "d", {}, () => true);
		server.removeTool("t");
		expect(changes()).toBe(2);
		caller.close();
		server.addTool("t", "d", {}, () => true);
		expect(changes()).toBe(2);
	});
});
