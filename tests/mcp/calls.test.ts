// Calls that take their time: cancelled by id, with progress, and over for good once they are over.

import { describe, expect, test } from "@jest/globals";
import { ToolError } from "../../src/mcp/content.js";
import { type Dialect, STANDARD } from "../../src/mcp/dialect.js";
import { integer, type Properties } from "../../src/mcp/schema.js";
import { type CallContext, defineTool } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";
import { ENDPOINT } from "../../src/session/endpoint.js";
import { CHINESE_ENVELOPE, ENVELOPE } from "../../src/session/envelope.js";
import { createPeer, settle } from "./support.js";

/** A tool whose calls end when the test says so. */
function createSlow(dialect?: Dialect) {
	const calls: { context: CallContext; resolve(value: string): void }[] = [];
	const slow = defineTool({
		name: "slow",
		description: "d",
		call: (_args, _board: unknown, context) => new Promise<string>((resolve) => calls.push({ context, resolve })),
	});
	const peer = createPeer({}, defineTools([slow]), dialect);
	const begin = (id: unknown, meta?: object) => {
		peer.ask("tools/call", { name: "slow", _meta: meta }, id);
		return calls.at(-1) as (typeof calls)[number];
	};
	const cancel = (requestId: unknown) => peer.conversation.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
	return { ...peer, begin, cancel };
}

describe("notifications/cancelled", () => {
	test("ends the call with that id and no other: its tool is told once, and no reply follows", async () => {
		const { begin, cancel, replies, timers, server } = createSlow();
		const told: string[] = [];
		const [one, text, two] = [begin(1), begin("1"), begin(2)];
		for (const [name, { context }] of Object.entries({ one, text, two })) context.onCancel = () => told.push(name);
		cancel(1);
		cancel(1);
		expect(told).toEqual(["one"]);
		expect([one, text, two].map(({ context }) => context.cancelled)).toEqual([true, false, false]);
		expect(server.running).toBe(2);
		expect(timers.size).toBe(2);
		for (const { resolve } of [one, text, two]) resolve("done");
		await settle();
		expect(replies().map(({ id }) => id)).toEqual(["1", 2]);
		expect(server.running).toBe(0);
	});

	test("of an unknown or unusable id changes nothing", async () => {
		const { begin, cancel, replies } = createSlow();
		const { resolve, context } = begin(5);
		for (const id of [6, null, undefined, {}, "x".repeat(200)]) cancel(id);
		expect(context.cancelled).toBe(false);
		resolve("done");
		await settle();
		expect(replies()).toHaveLength(1);
	});

	test("survives a tool that throws when it is told", () => {
		const { begin, cancel, logged, ask } = createSlow();
		begin(1).context.onCancel = () => {
			throw new Error("stuck");
		};
		cancel(1);
		expect(logged.join()).toContain("tool slow: onCancel");
		expect(ask("ping").result).toEqual({});
	});
});

test("one peer cannot cancel another's call, and the limit of running calls is the device's", () => {
	const { begin, server } = createSlow();
	const { context } = begin(1);
	const other = server.open({ dialect: ENVELOPE, send: () => undefined });
	other.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
	expect(context.cancelled).toBe(false);
	other.receive({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "slow" } });
	expect(server.running).toBe(2);
	other.close();
	expect(server.running).toBe(1);
});

test("progress goes out only with a token, only while it rises, and not after the end", async () => {
	const { begin, replies, sent } = createSlow();
	begin(1).context.progress(1, 2, "half");
	expect(sent).toEqual([]);
	const { context, resolve } = begin(2, { progressToken: "p" });
	for (const done of [1, 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2]) context.progress(done, 3, "step");
	resolve("done");
	await settle();
	context.progress(3);
	expect(replies().map(({ params, id }) => params ?? id)).toEqual([
		{ progressToken: "p", progress: 1, total: 3, message: "step" },
		{ progressToken: "p", progress: 2, total: 3, message: "step" },
		2,
	]);
});

test("a call that closes its own conversation is not answered", () => {
	const list = defineTools([
		defineTool({ name: "returns", description: "d", call: (_args, board: { close(): void }) => board.close() as undefined }),
		defineTool({
			name: "fails",
			description: "d",
			call(_args, board: { close(): void }) {
				board.close();
				throw new Error("too late");
			},
		}),
	]);
	for (const name of ["returns", "fails"]) {
		const board = { close: () => peer.conversation.close() };
		const peer = createPeer(board, list);
		expect(peer.call(name)).toBeUndefined();
	}
});

test("a result goes out with structuredContent where the tool has an output schema, and not at all where it breaks that", () => {
	const returns = (value: object, output: Properties = { x: integer() }) =>
		createPeer({}, defineTools([defineTool({ name: "t", description: "d", output, call: () => value })]), STANDARD).call("t");
	expect(returns({ x: 5 }).result).toEqual({ content: [{ type: "text", text: '{"x":5}' }], structuredContent: { x: 5 }, isError: false });
	for (const value of [{ x: "5" }, {}, [5]]) expect(returns(value).result.content[0].text).toContain("its result does not fit its outputSchema");
	// Defaults are for arguments: a result is sent as it is, also one that cannot be changed.
	expect(returns(Object.freeze({}), { x: integer({ default: 1 }) }).result.structuredContent).toEqual({});
});

test("a long message of a tool is cut", () => {
	const fails = (error: Error) => {
		const call = () => {
			throw error;
		};
		return createPeer({}, defineTools([defineTool({ name: "t", description: "d", call })])).call("t").error.message.length;
	};
	expect(fails(new ToolError("x".repeat(9000)))).toBe(201);
	expect(fails(new Error("x".repeat(9000)))).toBe("t failed: ".length + 161);
});

test.each<[string, Dialect, string, number | undefined, number | undefined]>([
	["the envelope", ENVELOPE, "2025-11-25", -32602, -32000],
	["the specification before 2025-11-25", STANDARD, "2025-06-18", -32602, undefined],
	["the specification from 2025-11-25 on", STANDARD, "2025-11-25", undefined, undefined],
	["an endpoint at 2024-11-05", ENDPOINT, "2024-11-05", -32602, -32000],
	["an endpoint from 2025-11-25 on", ENDPOINT, "2025-11-25", undefined, undefined],
])("in %s a failure is an error with a code, or a result with isError", (_, dialect, protocolVersion, badArguments, failed) => {
	const tool = defineTool({
		name: "t",
		description: "d",
		properties: { x: integer() },
		call() {
			throw new ToolError("The arm is blocked");
		},
	});
	const peer = createPeer({}, defineTools([tool], [defineTool({ name: "hidden", description: "d", call: () => true })]), dialect);
	peer.ask("initialize", { protocolVersion });
	for (const [args, code, message] of [
		[{ x: "one" }, badArguments, 'Argument x must be an integer, got the string "one"'],
		[{ x: 1 }, failed, "The arm is blocked"],
	] as const) {
		const { error, result } = peer.call("t", args);
		if (code === undefined) expect({ error, result }).toEqual({ result: { content: [{ type: "text", text: message }], isError: true } });
		else expect({ error, result }).toEqual({ error: { code, message } });
	}
	expect(peer.call("nope").error.code).toBe(dialect.unknownToolCode);
	expect(peer.call("hidden").error?.code).toBe(dialect === ENVELOPE ? undefined : -32602);
});

test("for a user who speaks Chinese a failure is a Chinese sentence, with the original as data", () => {
	const fails = (error: Error) => () => {
		throw error;
	};
	const peer = createPeer(
		{},
		defineTools([
			defineTool({ name: "blocked", description: "d", properties: { x: integer() }, call: fails(new ToolError("The arm is blocked")) }),
			defineTool({ name: "broken", description: "d", call: fails(new TypeError("oh")) }),
		]),
		CHINESE_ENVELOPE,
	);
	const errors = [peer.call("blocked", { x: 1 }), peer.call("blocked", {}), peer.call("broken"), peer.call("nope")].map(({ error }) => error);
	expect(errors).toEqual([
		{ code: -32000, message: "操作没有成功", data: "The arm is blocked" },
		{ code: -32602, message: "参数不正确", data: "Argument x is missing: expected an integer" },
		{ code: -32603, message: "设备出错了", data: "broken failed: oh" },
		{ code: -32601, message: "设备没有这个功能", data: "Unknown tool: nope" },
	]);
});
