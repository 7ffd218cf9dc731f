// Standard MCP in both eras (modelcontextprotocol.io; docs/protocol.md has the table).

import { describe, expect, test } from "@jest/globals";
import { ToolError } from "../../src/mcp/content.js";
import type { Conversation } from "../../src/mcp/conversation.js";
import { STANDARD } from "../../src/mcp/dialect.js";
import { integer, string } from "../../src/mcp/schema.js";
import { type CallContext, defineTool } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";
import { ENVELOPE } from "../../src/session/envelope.js";
import { createPeer, settle } from "../mcp/support.js";
import { problemOf, REVISIONS, type Revision } from "./message-schemas.js";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const MODERN = { _meta: { [VERSION]: "2026-07-28", [CAPABILITIES]: {} } };

let contexts: CallContext[] = [];
const tools = defineTools(
	[
		defineTool({
			name: "add",
			title: "Add",
			description: "Adds",
			properties: { a: integer(), b: integer({ default: 1 }) },
			annotations: { readOnlyHint: true, idempotentHint: true },
			call: ({ a, b }) => a + b,
		}),
		defineTool({
			name: "where",
			description: "Where it is",
			output: { x: integer(), name: string({ optional: true }) },
			call: () => ({ x: 5 }),
		}),
		defineTool({ name: "lies", description: "Breaks its promise", output: { x: integer() }, call: () => ({ x: "5" }) }),
		defineTool({ name: "lies_more", description: "Breaks its promise", output: { x: integer() }, call: () => 5 }),
		defineTool({
			name: "fails",
			description: "Fails",
			call: () => {
				throw new ToolError("The arm is blocked");
			},
		}),
		defineTool({
			name: "slow",
			description: "Takes its time",
			call(_args, _board: unknown, context) {
				contexts.push(context);
				return new Promise<string>(() => undefined);
			},
		}),
	],
	[defineTool({ name: "hidden", description: "For the user", call: () => "done" })],
);

function peerOf(revision: Revision) {
	contexts = [];
	const peer = createPeer({}, tools, STANDARD);
	const modern = revision === "2026-07-28";
	if (!modern) {
		peer.ask("initialize", { protocolVersion: revision, capabilities: {}, clientInfo: { name: "c", version: "1" } });
		peer.conversation.receive({ jsonrpc: "2.0", method: "notifications/initialized" });
	}
	const ask = (method: string, params: object = {}, id: unknown = 1) => {
		const reply = peer.ask(method, modern ? { ...MODERN, ...params } : params, id);
		if (reply) expect(problemOf(reply, revision, reply.id === undefined ? undefined : method)).toBeUndefined();
		return reply;
	};
	return { ...peer, ask, call: (name: string, args?: unknown) => ask("tools/call", { name, arguments: args }) };
}

describe.each(REVISIONS)("revision %s", (revision) => {
	test("lists tools with titles, hints and output schemas, every reply valid in this revision", () => {
		const { result } = peerOf(revision).ask("tools/list");
		expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(["add", "where", "lies", "lies_more", "fails", "slow"]);
		expect(result.tools[0]).toMatchObject({ title: "Add", annotations: { readOnlyHint: true, idempotentHint: true } });
		expect(result.tools[1].outputSchema).toEqual({
			type: "object",
			properties: { x: { type: "integer" }, name: { type: "string" } },
			required: ["x"],
		});
	});

	test("calls a tool", () => {
		expect(peerOf(revision).call("add", { a: 2 }).result).toMatchObject({ content: [{ type: "text", text: "3" }], isError: false });
	});

	test("repeats structuredContent as text", () => {
		expect(peerOf(revision).call("where").result).toMatchObject({
			content: [{ type: "text", text: '{"x":5}' }],
			structuredContent: { x: 5 },
			isError: false,
		});
	});

	test("never sends structuredContent that breaks the outputSchema", () => {
		expect(peerOf(revision).call("lies").result).toMatchObject({
			isError: true,
			content: [{ text: expect.stringContaining('x must be an integer, got the string "5"') }],
		});
		expect(peerOf(revision).call("lies_more").result).toMatchObject({
			isError: true,
			content: [{ text: expect.stringContaining("an object was expected, got 5") }],
		});
	});

	test("answers −32602 for an unknown tool", () => {
		expect(peerOf(revision).call("nope").error).toEqual({ code: -32602, message: "Unknown tool: nope" });
	});

	test("answers a failing call with isError: true", () => {
		expect(peerOf(revision).call("fails").result).toMatchObject({ content: [{ type: "text", text: "The arm is blocked" }], isError: true });
	});

	test("answers bad arguments as its revision wants them", () => {
		const reply = peerOf(revision).call("add", { a: "x" });
		const message = 'Argument a must be an integer, got the string "x"';
		if (revision < "2025-11-25") expect(reply.error).toEqual({ code: -32602, message });
		else expect(reply.result).toMatchObject({ content: [{ type: "text", text: message }], isError: true });
	});

	test("answers −32602 for a cursor that it never gave", () => {
		expect(peerOf(revision).ask("tools/list", { cursor: "x" }).error.code).toBe(-32602);
	});

	test("refuses a user-only tool as if it were not there, whatever the peer lists", () => {
		const peer = peerOf(revision);
		const unknown = peer.call("hiddem");
		const refused = peer.call("hidden");
		expect(JSON.stringify(refused)).toBe(JSON.stringify(unknown).replace("hiddem", "hidden"));
		const { tools } = peer.ask("tools/list", { withUserTools: true }).result;
		expect(tools.map(({ name }: { name: string }) => name)).not.toContain("hidden");
		expect(JSON.stringify(peer.call("hidden"))).toBe(JSON.stringify(unknown).replace("hiddem", "hidden"));
	});

	test("a cancelled call gets no reply, and its tool is told", async () => {
		const peer = peerOf(revision);
		peer.ask("tools/call", { name: "slow" }, "s");
		let told = 0;
		(contexts[0] as CallContext).onCancel = () => told++;
		const before = peer.sent.length;
		peer.conversation.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "other" } });
		expect(told).toBe(0);
		for (let i = 0; i < 2; i++)
			peer.conversation.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "s", reason: "why not" } });
		expect(told).toBe(1);
		expect(contexts[0]?.cancelled).toBe(true);
		peer.timers.advance(60_000);
		await settle();
		expect(peer.sent).toHaveLength(before);
		expect(peer.server.running).toBe(0);
	});

	test("reports progress only where it was asked for, strictly rising, and not after the end", () => {
		const peer = peerOf(revision);
		peer.ask("tools/call", { name: "slow" }, 1);
		const before = peer.sent.length;
		contexts[0]?.progress(1, 10);
		expect(peer.sent).toHaveLength(before);
		const meta = { ...(revision === "2026-07-28" ? MODERN._meta : {}), progressToken: "p" };
		peer.ask("tools/call", { name: "slow", _meta: meta }, 2);
		const context = contexts[1] as CallContext;
		for (const done of [1, 1, 0.5, 2, Number.NaN, Number.POSITIVE_INFINITY]) context.progress(done, 10, done === 2 ? "half" : undefined);
		const progress = peer.replies().slice(before);
		expect(progress).toEqual([
			{ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "p", progress: 1, total: 10 } },
			{ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "p", progress: 2, total: 10, message: "half" } },
		]);
		for (const message of progress) expect(problemOf(message, revision)).toBeUndefined();
		peer.timers.advance(30_000);
		const after = peer.sent.length;
		context.progress(3, 10);
		expect(peer.sent).toHaveLength(after);
	});
});

describe("the legacy era", () => {
	test("offers listChanged, and says so when a tool comes or goes after the client is initialized", () => {
		const peer = createPeer({}, tools, STANDARD);
		expect(peer.ask("initialize", { protocolVersion: "2025-11-25" }).result.capabilities).toEqual({ tools: { listChanged: true } });
		peer.server.addTool("late", "Comes late", {}, () => true);
		expect(peer.sent).toHaveLength(1);
		peer.conversation.receive({ jsonrpc: "2.0", method: "notifications/initialized" });
		peer.server.removeTool("late");
		expect(peer.replies().at(-1)).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
	});

	test("holds for a client that never says notifications/initialized, once it works", () => {
		const peer = createPeer({}, tools, STANDARD);
		peer.ask("initialize", { protocolVersion: "2025-11-25" });
		peer.ask("tools/list");
		peer.server.addTool("late", "d", {}, () => true);
		expect(peer.replies().at(-1)).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
	});

	test("knows no server/discover", () => {
		expect(peerOf("2025-11-25").ask("server/discover").error.code).toBe(-32602);
	});
});

describe("the modern era", () => {
	test("server/discover tells revisions and capabilities without initialize", () => {
		expect(peerOf("2026-07-28").ask("server/discover").result).toEqual({
			supportedVersions: ["2026-07-28"],
			capabilities: { tools: { listChanged: true } },
			ttlMs: expect.any(Number),
			cacheScope: "private",
			resultType: "complete",
			_meta: { "io.modelcontextprotocol/serverInfo": { name: "test", version: "1.0" } },
		});
	});

	test("answers −32022 for a revision that it does not speak", () => {
		const peer = peerOf("2026-07-28");
		for (const requested of ["2027-01-01", "2025-11-25"]) {
			expect(peer.ask("tools/list", { _meta: { [VERSION]: requested, [CAPABILITIES]: {} } }).error).toEqual({
				code: -32022,
				message: `Unsupported protocol version: ${requested}`,
				data: { supported: ["2026-07-28"], requested },
			});
		}
	});

	test("answers −32602 where _meta or a part of it is missing", () => {
		const peer = peerOf("2026-07-28");
		expect(peer.ask("tools/list", { _meta: { [VERSION]: "2026-07-28" } }).error).toEqual({
			code: -32602,
			message: `_meta must have ${CAPABILITIES}`,
		});
	});

	test("has neither ping nor initialize", () => {
		for (const method of ["ping", "initialize"]) expect(peerOf("2026-07-28").ask(method).error.code).toBe(-32601);
	});

	test("shares a connection with the legacy one: each request is of the era that it names", () => {
		const peer = createPeer({}, tools, STANDARD);
		const modern = () => peer.ask("tools/call", { ...MODERN, name: "add", arguments: { a: "x" } }).result;
		const legacy = () => peer.ask("tools/call", { name: "add", arguments: { a: "x" } });
		expect(modern().resultType).toBe("complete");
		expect(peer.ask("initialize", { protocolVersion: "2025-06-18" }).result.protocolVersion).toBe("2025-06-18");
		expect([modern().isError, legacy().error.code]).toEqual([true, -32602]);
		expect(peer.ask("tools/list").result.resultType).toBeUndefined();
	});

	test("sends list_changed only to a subscription, after its acknowledgement and until it is cancelled", () => {
		const peer = peerOf("2026-07-28");
		peer.ask("tools/list");
		peer.server.addTool("one", "d", {}, () => true);
		peer.server.notify("notifications/button");
		expect(peer.sent).toHaveLength(1);
		peer.conversation.receive({
			jsonrpc: "2.0",
			id: "sub",
			method: "subscriptions/listen",
			params: { ...MODERN, notifications: { toolsListChanged: true, promptsListChanged: true } },
		});
		expect(peer.replies().at(-1)).toEqual({
			jsonrpc: "2.0",
			method: "notifications/subscriptions/acknowledged",
			params: { _meta: { [SUBSCRIPTION]: "sub" }, notifications: { toolsListChanged: true } },
		});
		peer.server.removeTool("one");
		expect(peer.replies().at(-1)).toEqual({
			jsonrpc: "2.0",
			method: "notifications/tools/list_changed",
			params: { _meta: { [SUBSCRIPTION]: "sub" } },
		});
		const before = peer.sent.length;
		peer.conversation.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "sub" } });
		peer.server.addTool("two", "d", {}, () => true);
		expect(peer.sent).toHaveLength(before);
	});

	test("keeps at most four subscriptions open", () => {
		const peer = peerOf("2026-07-28");
		const subscribe = (id: number) => peer.ask("subscriptions/listen", { notifications: { toolsListChanged: true } }, id);
		for (let i = 0; i < 4; i++) expect(subscribe(i)).toMatchObject({ method: "notifications/subscriptions/acknowledged" });
		expect(subscribe(5).error.code).toBe(-32603);
		expect(peer.ask("subscriptions/listen", { notifications: 5 }, 6).error.code).toBe(-32602);
	});
});

describe("a reply knows its request", () => {
	const receive = ({ conversation }: { conversation: Pick<Conversation, "receive"> }, id: unknown, params: object, method = "tools/call") => {
		const texts: string[] = [];
		const verdict = conversation.receive({ jsonrpc: "2.0", id, method, params }, { send: (text) => texts.push(text) });
		return { verdict, replies: () => texts.map((text) => JSON.parse(text)) };
	};

	test("progress and late results go where their request came from, though two have one id and one token", async () => {
		const settled: ((value: string) => void)[] = [];
		const waits = defineTool({
			name: "waits",
			description: "d",
			call(_args, _board: unknown, context) {
				contexts.push(context);
				return new Promise<string>((resolve) => settled.push(resolve));
			},
		});
		contexts = [];
		const peer = createPeer({}, defineTools([waits]), STANDARD);
		const params = { name: "waits", _meta: { progressToken: 1 } };
		const [one, two] = [receive(peer, 7, params), receive(peer, 7, params)];
		expect([one.verdict, two.verdict]).toEqual(["accepted", "accepted"]);
		contexts[1]?.progress(2);
		settled[1]?.("two");
		contexts[0]?.progress(1);
		settled[0]?.("one");
		await settle();
		expect(one.replies()).toMatchObject([{ params: { progress: 1 } }, { id: 7, result: { content: [{ text: "one" }] } }]);
		expect(two.replies()).toMatchObject([{ params: { progress: 2 } }, { id: 7, result: { content: [{ text: "two" }] } }]);
		expect(peer.sent).toEqual([]);
	});

	test("changes of the list go to their subscription, which the device ends when the conversation does", () => {
		const peer = createPeer({}, tools, STANDARD);
		const sub = receive(peer, "s", { ...MODERN, notifications: { toolsListChanged: true } }, "subscriptions/listen");
		expect(sub.verdict).toBe("accepted");
		peer.server.addTool("one", "d", {}, () => true);
		peer.conversation.close();
		peer.conversation.close();
		expect(sub.replies()).toMatchObject([
			{ method: "notifications/subscriptions/acknowledged" },
			{ method: "notifications/tools/list_changed" },
			{ id: "s", result: { resultType: "complete", _meta: { [SUBSCRIPTION]: "s" } } },
		]);
		for (const message of sub.replies())
			expect(problemOf(message, "2026-07-28", message.id === undefined ? undefined : "subscriptions/listen")).toBeUndefined();
		expect(peer.sent).toEqual([]);
	});

	test("a subscription to nothing that this device tells ends at once", () => {
		const sub = receive(createPeer({}, tools, STANDARD), 1, { ...MODERN, notifications: { promptsListChanged: true } }, "subscriptions/listen");
		expect([sub.verdict, sub.replies().map(({ id }) => id)]).toEqual(["answered", [undefined, 1]]);
	});

	test.each<[string, unknown, "answered" | "accepted" | number]>([
		["a call", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "where" } }, "answered"],
		["a call that fails", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "fails" } }, "answered"],
		["a call that takes time", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "slow" } }, "accepted"],
		["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, "accepted"],
		["a response", { jsonrpc: "2.0", id: 1, result: {} }, "accepted"],
		["an unknown tool", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "nope" } }, -32602],
		["an unknown method", { jsonrpc: "2.0", id: 1, method: "nope" }, -32601],
		["a revision of the future", { jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: { [VERSION]: "2027-01-01" } } }, -32022],
		["an id with a fraction", { jsonrpc: "2.0", id: 1.5, method: "ping" }, -32600],
		["an id that loses digits", { jsonrpc: "2.0", id: 2 ** 53, method: "ping" }, -32600],
		["no id", { jsonrpc: "2.0", id: null, method: "ping" }, -32600],
		["neither id nor method", {}, -32600],
		["a batch", [{ jsonrpc: "2.0", id: 1, method: "ping" }], -32600],
		["a number", 5, -32600],
	])("the verdict on %s", (_title, message, verdict) => {
		const texts: string[] = [];
		const peer = createPeer({}, tools, STANDARD);
		expect(peer.conversation.receive(message, { send: (text) => texts.push(text) })).toBe(verdict);
		if (typeof verdict === "number") expect(JSON.parse(texts[0] as string).error.code).toBe(verdict);
		expect(texts).toHaveLength(verdict === "accepted" ? 0 : 1);
		// Backends that use the envelope echo text.
		const envelope = createPeer({}, tools, ENVELOPE);
		envelope.conversation.receive(message);
		expect(envelope.sent).toHaveLength(verdict === "accepted" || verdict === -32600 ? 0 : 1);
	});
});

describe("limits of one peer", () => {
	const slow = defineTools([tools.find("slow") as NonNullable<ReturnType<typeof tools.find>>]);
	const peers = (callsPerSecond = 0) => {
		contexts = [];
		const one = createPeer({}, slow, STANDARD, { callsPerSecond });
		const sent: string[] = [];
		const other = one.server.open({ dialect: STANDARD, send: (text) => sent.push(text) });
		const call = (id: number) => other.receive({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "slow" } });
		return { ...one, other: call };
	};

	test("its hanging calls leave room for the calls of others", () => {
		const peer = peers();
		for (let id = 0; id < 10; id++) peer.ask("tools/call", { name: "slow" }, id);
		expect(peer.replies()[0].result).toMatchObject({
			isError: true,
			content: [{ text: "Busy: 4 calls of this connection are running, try again" }],
		});
		for (let id = 0; id < 4; id++) expect(peer.other(id)).toBe("accepted");
		expect(contexts).toHaveLength(8);
		const third: string[] = [];
		const late = peer.server.open({ dialect: STANDARD, send: (text) => third.push(text) });
		late.receive({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "slow" } });
		expect(third[0]).toContain("Busy: 8 calls are running, try again");
	});

	test("its calls within a second are counted, and the next second begins anew", () => {
		const peer = peers(3);
		const call = (id: number) => peer.ask("tools/call", { name: "slow" }, id);
		for (let id = 0; id < 3; id++) call(id);
		peer.conversation.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } });
		expect(call(4).result.content[0].text).toBe("Busy: more than 3 calls within a second, try again");
		expect(peer.other(1)).toBe("accepted");
		peer.timers.advance(1000);
		expect(call(5)).toBeUndefined();
		peer.conversation.close();
		peer.timers.advance(60_000);
		expect(peer.timers.size).toBe(0);
	});
});

describe("events while nobody listens", () => {
	test("wait for the next peer, the newest 16, and the lost ones are counted", () => {
		const peer = createPeer({}, tools, ENVELOPE);
		for (let i = 0; i < 20; i++) peer.server.notify("notifications/button", { i });
		peer.server.notify("notifications/state_changed", {}, false);
		expect(peer.server.droppedNotifications).toBe(4);
		peer.conversation.listen();
		expect(peer.replies().map(({ params }) => params.i)).toEqual(Array.from({ length: 16 }, (_, i) => i + 4));
	});
});

test("the envelope's dialect answers what the seeds say", () => {
	const peer = createPeer({}, tools, ENVELOPE);
	expect(peer.call("nope").error).toEqual({ code: -32601, message: "Unknown tool: nope" });
	expect(peer.call("fails").error).toEqual({ code: -32000, message: "The arm is blocked" });
	expect(peer.call("add", {}).error).toEqual({ code: -32602, message: "Argument a is missing: expected an integer" });
	expect(peer.call("hidden").result.content[0].text).toBe("done");
});
