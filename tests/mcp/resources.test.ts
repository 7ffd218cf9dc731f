// Resources in both eras: what there is, what it says, and who is told when it changes.

import { expect, test } from "@jest/globals";
import {
	EmptyResultSchema,
	ListResourcesResultSchema,
	ListResourceTemplatesResultSchema,
	ReadResourceResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { STANDARD } from "../../src/mcp/dialect.js";
import { EVENT_DELAY_MS, MAX_WATCHED, ResourceServer, WATCH_INTERVAL_MS } from "../../src/mcp/resources.js";
import { ENVELOPE } from "../../src/session/envelope.js";
import { createPeer, ManualTimers, settle } from "./support.js";

const MODERN = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} } };
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

function setUp(dialect = STANDARD) {
	const state: { [uri: string]: string } = { "board://status": "{}", "board://lamp": '{"on":false}' };
	let broken = false;
	const timers = new ManualTimers();
	const source = {
		entries: [...Object.keys(state), ...Array.from({ length: 20 }, (_, i) => `board://${i}`)].map((uri) => ({
			uri,
			name: uri.slice(8),
			description: "d",
		})),
		read(uri: string) {
			if (broken) throw new Error("no answer on the bus");
			return state[uri] ?? (uri.startsWith("board://x") ? undefined : "0");
		},
		templates: [{ uriTemplate: "board://page/{n}", name: "page", description: "d" }],
	};
	const blobs: ((texts: readonly string[] | Error) => void)[] = [];
	const withBlob = {
		...source,
		entries: [...source.entries, { uri: "board://camera", name: "camera", description: "d", mimeType: "image/jpeg" }],
		readBlob: () =>
			new Promise<readonly string[]>((resolve, reject) => {
				blobs.push((given) => (given instanceof Error ? reject(given) : resolve(given)));
			}),
	};
	const resources = new ResourceServer(withBlob, timers);
	const peer = createPeer({}, undefined, dialect, { resources, timers });
	const updates = () =>
		peer
			.replies()
			.flatMap(({ method, params }) =>
				method === "notifications/resources/updated" ? [params._meta ? [params.uri, params._meta[SUBSCRIPTION]] : params.uri] : [],
			);
	return { ...peer, timers, resources, state, updates, blobs, breakBus: (now: boolean) => (broken = now) };
}

function legacy(dialect = STANDARD, protocolVersion = "2025-11-25") {
	const all = setUp(dialect);
	const { result } = all.ask("initialize", { protocolVersion, capabilities: {} });
	all.conversation.receive({ jsonrpc: "2.0", method: "notifications/initialized" });
	return { ...all, capabilities: result.capabilities };
}

test("are announced, listed and read", () => {
	const { ask, capabilities } = legacy();
	expect(capabilities).toEqual({ tools: { listChanged: true }, resources: { subscribe: true } });
	const list = ListResourcesResultSchema.parse(ask("resources/list").result);
	expect(list.resources[1]).toEqual({ uri: "board://lamp", name: "lamp", description: "d", mimeType: "application/json" });
	const read = ReadResourceResultSchema.parse(ask("resources/read", { uri: "board://lamp" }).result);
	expect(read.contents).toEqual([{ uri: "board://lamp", mimeType: "application/json", text: '{"on":false}' }]);
	expect(ask("resources/read", { uri: "board://x" }).error).toEqual({ code: -32602, message: "Unknown resource: board://x" });
	expect(ask("resources/read", {}).error).toEqual({ code: -32602, message: "uri must be a string, got nothing" });
	expect(ask("resources/list", { cursor: "x" }).error.code).toBe(-32602);
});

test("addresses may follow a pattern", () => {
	const { ask } = legacy();
	const { resourceTemplates } = ListResourceTemplatesResultSchema.parse(ask("resources/templates/list").result);
	expect(resourceTemplates).toEqual([{ uriTemplate: "board://page/{n}", name: "page", description: "d", mimeType: "application/json" }]);
	const { contents } = ReadResourceResultSchema.parse(ask("resources/read", { uri: "board://page/7" }).result);
	expect(contents).toEqual([{ uri: "board://page/7", mimeType: "application/json", text: "0" }]);
	expect(ask("resources/subscribe", { uri: "board://page/7" }).result).toEqual({});
	expect(ask("resources/subscribe", { uri: "board://x/7" }).error.code).toBe(-32602);
});

test.each([
	["an MCP client", STANDARD, 65_536],
	["the envelope", ENVELOPE, 8192],
])("what is too large for %s is refused, and nothing else breaks", (_who, dialect, most) => {
	const { ask, state } = legacy(dialect, "2024-11-05");
	const read = (bytes: number) => {
		state["board://lamp"] = "1".repeat(bytes);
		return ask("resources/read", { uri: "board://lamp" });
	};
	expect(read(most - 1000).result.contents[0].text).toHaveLength(most - 1000);
	expect(read(most).error).toEqual({ code: -32603, message: expect.stringMatching(/^Too large: \d+ bytes, at most/) });
});

test("a change is told to whoever has subscribed, until it no longer has", () => {
	const { ask, state, timers, updates, resources } = legacy();
	EmptyResultSchema.parse(ask("resources/subscribe", { uri: "board://lamp" }).result);
	ask("resources/subscribe", { uri: "board://lamp" });
	state["board://lamp"] = '{"on":true}';
	state["board://status"] = '{"lamp":1}';
	timers.advance(WATCH_INTERVAL_MS);
	expect(updates()).toEqual(["board://lamp"]);
	timers.advance(5 * WATCH_INTERVAL_MS);
	expect(updates()).toHaveLength(1);
	// What the device knows of is told at once, and a burst of it once.
	state["board://lamp"] = '{"on":false}';
	for (let i = 0; i < 100; i++) resources.touch();
	timers.advance(EVENT_DELAY_MS);
	expect(updates()).toHaveLength(2);
	expect(ask("resources/unsubscribe", { uri: "board://lamp" }).result).toEqual({});
	state["board://lamp"] = "{}";
	timers.advance(5 * WATCH_INTERVAL_MS);
	expect(updates()).toHaveLength(2);
	expect(timers.size).toBe(0);
});

test("in the modern revision they are watched by subscriptions/listen, each with its own", () => {
	const { ask, conversation, state, timers, updates, sent } = setUp();
	expect(ask("server/discover", MODERN).result.capabilities.resources).toEqual({ subscribe: true });
	expect(ask("resources/list", MODERN).result).toMatchObject({ ttlMs: 60_000, resultType: "complete" });
	expect(ask("resources/read", { ...MODERN, uri: "board://lamp" }).result).toMatchObject({ ttlMs: 0, cacheScope: "private" });
	expect(ask("resources/subscribe", { ...MODERN, uri: "board://lamp" }).error.code).toBe(-32601);
	const listen = (id: string, notifications: object) => ask("subscriptions/listen", { ...MODERN, notifications }, id);
	expect(listen("a", { resourceSubscriptions: ["board://lamp", "board://x", 5] }).params).toEqual({
		_meta: { [SUBSCRIPTION]: "a" },
		notifications: { resourceSubscriptions: ["board://lamp"] },
	});
	listen("b", { resourceSubscriptions: ["board://lamp"], toolsListChanged: true });
	state["board://lamp"] = '{"on":true}';
	timers.advance(WATCH_INTERVAL_MS);
	expect(updates()).toEqual([
		["board://lamp", "a"],
		["board://lamp", "b"],
	]);
	conversation.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "a" } });
	state["board://lamp"] = "{}";
	timers.advance(WATCH_INTERVAL_MS);
	expect(updates()).toHaveLength(3);
	// A subscription to resources only hears nothing of the list.
	listen("c", { resourceSubscriptions: ["board://lamp"] });
	const before = sent.length;
	conversation.listChanged();
	expect(sent.slice(before).map((text) => JSON.parse(text).params._meta[SUBSCRIPTION])).toEqual(["b"]);
	conversation.close();
	expect(timers.size).toBe(0);
});

test("bytes come later, in pieces, with a type of their own, and cannot be watched", async () => {
	const { ask, blobs, sent } = legacy();
	const list = ListResourcesResultSchema.parse(ask("resources/list").result);
	expect(list.resources.at(-1)).toEqual({ uri: "board://camera", name: "camera", description: "d", mimeType: "image/jpeg" });
	expect(ask("resources/read", { uri: "board://camera" })).toBeUndefined();
	blobs[0]?.(["AAAA", "BBBB"]);
	await settle();
	expect(ReadResourceResultSchema.parse(JSON.parse(sent.at(-1) as string).result).contents).toEqual([
		{ uri: "board://camera", mimeType: "image/jpeg", blob: "AAAABBBB" },
	]);
	ask("resources/read", { uri: "board://camera" });
	blobs[1]?.(new Error("a photo is being taken already"));
	await settle();
	expect(JSON.parse(sent.at(-1) as string).error).toEqual({ code: -32603, message: "a photo is being taken already" });
	ask("resources/read", { uri: "board://camera" });
	blobs[2]?.(["A".repeat(65_536)]);
	await settle();
	expect(JSON.parse(sent.at(-1) as string).error).toMatchObject({ code: -32603, message: expect.stringMatching(/^Too large: 65539 bytes/) });
	expect(ask("resources/subscribe", { uri: "board://camera" }).error).toEqual({ code: -32602, message: "board://camera cannot be watched" });
});

test("nothing comes of a read that was cancelled, nor after the end", async () => {
	const { ask, blobs, conversation, sent } = legacy();
	ask("resources/read", { uri: "board://camera" }, "a");
	ask("resources/read", { uri: "board://camera" }, "b");
	conversation.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "a" } });
	const before = sent.length;
	blobs[0]?.(["AAAA"]);
	await settle();
	expect(sent).toHaveLength(before);
	conversation.close();
	blobs[1]?.(["AAAA"]);
	await settle();
	expect(sent).toHaveLength(before);
});

test("one peer watches so many, and a part that does not answer costs nobody anything", () => {
	const { ask, timers, state, updates, breakBus } = legacy();
	for (let i = 0; i < MAX_WATCHED; i++) expect(ask("resources/subscribe", { uri: `board://${i}` }).error).toBeUndefined();
	expect(ask("resources/subscribe", { uri: "board://lamp" }).error).toEqual({ code: -32602, message: "at most 16 resources can be watched" });
	breakBus(true);
	timers.advance(3 * WATCH_INTERVAL_MS);
	expect(ask("resources/read", { uri: "board://lamp" }).error.code).toBe(-32603);
	breakBus(false);
	state["board://3"] = "1";
	timers.advance(WATCH_INTERVAL_MS);
	expect(updates()).toEqual(["board://3"]);
});

test("in the envelope they are there for revisions that have them, and without them their methods are unknown", () => {
	expect(legacy(ENVELOPE).capabilities.resources).toEqual({ subscribe: true });
	expect(legacy(ENVELOPE, "2024-11-05").capabilities).toEqual({ tools: {} });
	const without = createPeer({}, undefined, STANDARD);
	expect(without.ask("initialize", { protocolVersion: "2025-11-25" }).result.capabilities).toEqual({ tools: { listChanged: true } });
	expect(without.ask("resources/list").error.code).toBe(-32601);
});

test("an event of the device's own is told in the envelope only", () => {
	for (const [dialect, told] of [
		[ENVELOPE, 1],
		[STANDARD, 0],
	] as const) {
		const { conversation, server, sent } = legacy(dialect);
		conversation.listen();
		const before = sent.length;
		server.notify("notifications/state_changed", { newState: "idle", oldState: "starting" }, false);
		expect(sent.slice(before)).toHaveLength(told);
	}
});
