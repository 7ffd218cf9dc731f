// Who is told what, when and in which order.

import { describe, expect, test } from "@jest/globals";
import { type Dialect, STANDARD } from "../../src/mcp/dialect.js";
import { MAX_WAITING_NOTIFICATIONS, McpServer } from "../../src/mcp/server.js";
import { ENVELOPE } from "../../src/session/envelope.js";
import { createPeer, ManualTimers } from "./support.js";

const CAPABILITIES = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };

function createServer() {
	return new McpServer({ name: "test", version: "1", board: {}, timers: new ManualTimers() });
}

function open(server: McpServer<object>, dialect: Dialect = ENVELOPE) {
	const sent: string[] = [];
	const conversation = server.open({ dialect, send: (text) => sent.push(text) });
	return { conversation, methods: () => sent.map((text) => JSON.parse(text).method) };
}

describe("notifications that nobody listens to", () => {
	test("wait for the first peer that listens and reach it in their order, once", () => {
		const server = createServer();
		const { conversation, methods } = open(server);
		for (const name of ["a", "b", "c"]) server.notify(name);
		expect(methods()).toEqual([]);
		conversation.listen();
		expect(methods()).toEqual(["a", "b", "c"]);
		conversation.listen();
		const other = open(server);
		other.conversation.listen();
		expect(methods()).toEqual(["a", "b", "c"]);
		expect(other.methods()).toEqual([]);
		server.notify("d");
		expect([...methods(), ...other.methods()]).toEqual(["a", "b", "c", "d", "d"]);
	});

	test("give way to newer ones, oldest first, and are counted", () => {
		const server = createServer();
		for (let i = 0; i < MAX_WAITING_NOTIFICATIONS + 3; i++) server.notify(`n${i}`);
		expect(server.droppedNotifications).toBe(3);
		const { conversation, methods } = open(server);
		conversation.listen();
		expect(methods()).toEqual(Array.from({ length: MAX_WAITING_NOTIFICATIONS }, (_, i) => `n${i + 3}`));
	});

	test("are forgotten where they are of no use later", () => {
		const server = createServer();
		server.notify("button", {}, false);
		const { conversation, methods } = open(server);
		conversation.listen();
		expect(methods()).toEqual([]);
	});

	test("do not go to a conversation that is closed, nor to a direct caller", () => {
		const server = createServer();
		const { conversation, methods } = open(server);
		conversation.listen();
		conversation.close();
		server.openDirect();
		server.notify("later");
		conversation.listen();
		expect(methods()).toEqual([]);
		const next = open(server);
		next.conversation.listen();
		expect(next.methods()).toEqual(["later"]);
	});
});

test.each([
	["notifications/initialized", (receive: (message: object) => void) => receive({ method: "notifications/initialized" })],
	["tools/list", (receive: (message: object) => void) => receive({ id: 1, method: "tools/list" })],
	["tools/call", (receive: (message: object) => void) => receive({ id: 1, method: "tools/call", params: { name: "x" } })],
])("a standard client listens from %s on, a peer in the envelope only when its session says so", (_, act) => {
	for (const [dialect, listens] of [
		[STANDARD, true],
		[ENVELOPE, false],
	] as const) {
		const server = createServer();
		const { conversation, methods } = open(server, dialect);
		conversation.receive({ jsonrpc: "2.0", id: 0, method: "ping" });
		server.addTool("early", "d", {}, () => true);
		expect(methods()).not.toContain("notifications/tools/list_changed");
		act((message) => conversation.receive({ jsonrpc: "2.0", ...message }));
		server.addTool("late", "d", {}, () => true);
		expect(methods().includes("notifications/tools/list_changed")).toBe(listens);
	}
});

test("changes of the list reach the subscriptions of the modern revision, which gets no other notification", () => {
	const peer = createPeer({}, undefined, STANDARD);
	const subscribe = (id: number, toolsListChanged: boolean) =>
		peer.ask("subscriptions/listen", { notifications: { toolsListChanged }, _meta: CAPABILITIES }, id);
	subscribe(1, true);
	subscribe(2, false);
	subscribe(3, true);
	peer.conversation.receive({ jsonrpc: "2.0", method: "notifications/initialized" });
	peer.conversation.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } });
	const before = peer.sent.length;
	peer.server.addTool("t", "d", {}, () => true);
	peer.server.notify("other");
	expect(peer.replies().slice(before)).toEqual([
		{ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: { _meta: { "io.modelcontextprotocol/subscriptionId": 1 } } },
	]);
});
