// How an endpoint's session waits and connects again, with the time under the test's hand.

import { describe, expect, test } from "@jest/globals";
import { McpServer } from "../../src/mcp/server.js";
import { EndpointSession } from "../../src/session/endpoint.js";
import { createHandConnect, type HandTransport } from "./support.js";

/** Timers that run when the test says so. */
function createTimers() {
	const waiting: { delay: number; act: () => void }[] = [];
	return {
		waiting,
		timers: {
			set(act: () => void, delay: number) {
				const timer = { delay, act };
				waiting.push(timer);
				return timer;
			},
			clear(timer: unknown) {
				const at = waiting.indexOf(timer as (typeof waiting)[number]);
				if (at >= 0) waiting.splice(at, 1);
			},
		},
	};
}

function createSession(random = () => 0, prefix?: string) {
	const { timers, waiting } = createTimers();
	const log: string[] = [];
	const ready: boolean[] = [];
	const server = new McpServer({ name: "test", version: "1", board: {}, timers, log: (line) => log.push(line) });
	const { connect, connections } = createHandConnect();
	const session = new EndpointSession({ server, connect, random, prefix, callbacks: { onReady: (up) => void ready.push(up) } });
	const last = () => connections.at(-1) as HandTransport;
	const fire = () => waiting.shift()?.act();
	session.start();
	return { server, session, connections, last, waiting, fire, log, ready };
}

describe("a session with an endpoint", () => {
	test("waits 1 s, then twice as long each time, up to 600 s", () => {
		const { last, waiting, fire } = createSession();
		const delays: number[] = [];
		for (let i = 0; i < 12; i++) {
			last().callbacks.onClose("refused");
			delays.push(waiting[0]?.delay as number);
			fire();
		}
		expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000, 300_000]);
		const jittered = createSession(() => 0.999999);
		for (let i = 0; i < 12; i++) {
			jittered.last().callbacks.onClose("refused");
			expect(jittered.waiting[0]?.delay).toBeLessThanOrEqual(600_000);
			if (i === 11) expect(jittered.waiting[0]?.delay).toBe(600_000);
			jittered.fire();
		}
	});

	test("begins again with 1 s only after a message, since a wrong token is let in first", () => {
		const { last, waiting, fire } = createSession();
		for (let i = 0; i < 3; i++) {
			last().callbacks.onOpen();
			last().callbacks.onClose("closed by the peer: 1008 policy violation");
			expect(waiting[0]?.delay).toBe(1000 * 2 ** i);
			fire();
		}
		last().callbacks.onOpen();
		last().receive({ jsonrpc: "2.0", id: "a", method: "ping" });
		last().callbacks.onClose("the connection was lost");
		expect(waiting[0]?.delay).toBe(1000);
	});

	test("is ready with the first request that it has a result for, not with any other message", () => {
		const { last, ready, waiting } = createSession();
		last().callbacks.onOpen();
		for (const message of ["5", "{}", '"x"', { id: 1 }, { jsonrpc: "2.0", id: 1, method: "nope" }, { jsonrpc: "2.0", method: "ping" }])
			last().receive(message);
		expect(ready).toEqual([]);
		last().receive({ jsonrpc: "2.0", id: 2, method: "ping" });
		expect(ready).toEqual([true]);
		last().callbacks.onClose("gone");
		expect(waiting[0]?.delay).toBe(1000);
	});

	test("opens one connection at a time, and none after close", () => {
		const { session, connections, last, waiting, fire } = createSession();
		expect(connections).toHaveLength(1);
		last().callbacks.onOpen();
		last().callbacks.onClose("gone");
		expect(connections).toHaveLength(1);
		fire();
		expect(connections).toHaveLength(2);
		last().callbacks.onClose("gone");
		session.close();
		session.close();
		expect(waiting).toEqual([]);
		expect(connections).toHaveLength(2);
	});

	test("answers only what is asked or cannot be read, and never in an envelope", () => {
		const { last, ready } = createSession();
		last().callbacks.onOpen();
		expect(last().sent).toEqual([]);
		expect(ready).toEqual([]);
		for (const stray of [
			{ jsonrpc: "2.0", id: 1, result: {} },
			{ jsonrpc: "2.0", method: "notifications/initialized" },
		])
			last().receive(stray);
		expect(last().sent).toEqual([]);
		for (const [stray, code] of [
			["not JSON", -32700],
			[new Uint8Array([255]), -32700],
			["[]", -32600],
			["null", -32600],
			[{ type: "hello" }, -32600],
		]) {
			last().receive(stray as string);
			expect(last().last()).toMatchObject({ id: null, error: { code } });
		}
		last().receive({ jsonrpc: "2.0", id: "u_n_1", method: "initialize", params: { protocolVersion: "0.1.0" } });
		expect(last().last()).toMatchObject({ jsonrpc: "2.0", id: "u_n_1", result: { protocolVersion: "2024-11-05" } });
		expect(ready).toEqual([true]);
		last().callbacks.onClose("gone");
		expect(ready).toEqual([true, false]);
	});

	test("replaces a connection on which nothing comes, later and later, and says so once", () => {
		const { last, waiting, fire, log, connections } = createSession();
		const windows: number[] = [];
		for (let i = 0; i < 5; i++) {
			last().callbacks.onOpen();
			windows.push(waiting[0]?.delay as number);
			fire();
			expect([last().closed, waiting[0]?.delay]).toEqual([true, 1000]);
			fire();
		}
		expect(windows).toEqual([90_000, 180_000, 360_000, 600_000, 600_000]);
		expect(connections).toHaveLength(6);
		expect(log).toEqual([
			"endpoint: no message within 90 s; from now on a new connection is tried now and then, without a word; connecting again in 1.0 s",
		]);
		last().callbacks.onOpen();
		last().receive({ jsonrpc: "2.0", id: 1, method: "ping" });
		expect(waiting).toEqual([]);
		expect(last().closed).toBe(false);
	});

	test("does not wait for a message after the end", () => {
		const { last, waiting, session } = createSession();
		last().callbacks.onOpen();
		session.close();
		expect(waiting).toEqual([]);
	});

	test("is told no events of the device, but what it asked for and that the list has changed", async () => {
		const { last, server } = createSession();
		server.addTool("act", "d", {}, (_args, context) => {
			context.progress(1, 2);
			return { action: "exit" };
		});
		last().callbacks.onOpen();
		last().receive({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2024-11-05" } });
		last().receive({ jsonrpc: "2.0", method: "notifications/initialized" });
		server.notify("notifications/state_changed", { newState: "idle" }, false);
		last().receive({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "act" } });
		last().receive({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "act", _meta: { progressToken: "p" } } });
		server.removeTool("act");
		const [, silent, progress, asked, changed, ...more] = last().messages();
		expect(silent.result.content).toEqual([{ type: "text", text: '{"result":{"action":"exit"}}' }]);
		expect([progress.method, asked.id, changed.method, more]).toEqual(["notifications/progress", 3, "notifications/tools/list_changed", []]);
	});

	test("lists and takes the tools under its prefix, where several devices share the endpoint", () => {
		const { last, server } = createSession(() => 0, "kitchen");
		server.addTool("self.light.turn_on", "d", {}, () => "lit");
		server.addTool("other", "d", {}, () => "other");
		last().callbacks.onOpen();
		last().receive({ jsonrpc: "2.0", id: 1, method: "tools/list" });
		expect(
			last()
				.last()
				.result.tools.map(({ name }: { name: string }) => name),
		).toEqual(["kitchen_light_turn_on", "other"]);
		for (const name of ["kitchen_light_turn_on", "self_light_turn_on", "self.light.turn_on"]) {
			last().receive({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name } });
			expect(last().last().result.content[0].text).toBe("lit");
		}
		last().receive({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "kitchen_other" } });
		expect(last().last().error.message).toBe("Unknown tool: kitchen_other");
	});
});
