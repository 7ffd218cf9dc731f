import { describe, expect, jest, test } from "@jest/globals";
import { integer } from "../../src/mcp/schema.js";
import { McpServer } from "../../src/mcp/server.js";
import { defineTool } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";
import { XiaozhiSession, type XiaozhiSessionOptions, xiaozhiHeaders } from "../../src/session/xiaozhi.js";
import { ManualTimers, settle } from "../mcp/support.js";
import { createHandConnect, type HandTransport } from "./support.js";

const add = defineTool({ name: "add", description: "Adds", properties: { a: integer(), b: integer() }, call: ({ a, b }) => a + b });

function createSession(random = () => 0, options: Partial<XiaozhiSessionOptions<object>> = {}) {
	const timers = new ManualTimers();
	const logged: string[] = [];
	const onReboot = jest.fn();
	const server = new McpServer({ name: "test", version: "1", board: {}, tools: defineTools([add]), timers, log: (line) => logged.push(line) });
	const { connect, connections } = createHandConnect();
	const session = new XiaozhiSession({ server, connect, random, onReboot, ...options });
	session.start();
	const open = () => {
		const transport = connections.at(-1) as HandTransport;
		transport.callbacks.onOpen();
		return transport;
	};
	const hello = (sessionId: unknown = "s1") => {
		const transport = open();
		transport.receive({ type: "hello", transport: "websocket", session_id: sessionId });
		return transport;
	};
	return { timers, logged, server, session, connections, open, hello, onReboot };
}

const request = (method: string, params?: unknown, id: unknown = 1, more: object = {}) => ({
	...more,
	type: "mcp",
	payload: { jsonrpc: "2.0", id, method, params },
});

describe("hello", () => {
	test("is the first message, with features.mcp", () => {
		const { open } = createSession();
		expect(open().messages()).toEqual([
			{
				type: "hello",
				version: 1,
				features: { mcp: true },
				transport: "websocket",
				audio_params: { format: "opus", sample_rate: 16000, channels: 1, frame_duration: 60 },
			},
		]);
	});

	test("has to be answered within 10 s, else the session connects again", () => {
		const { open, timers, connections, logged } = createSession();
		const first = open();
		timers.advance(9_999);
		expect(first.closed).toBe(false);
		timers.advance(1);
		expect(first.closed).toBe(true);
		expect(logged).toContain("session: no hello within 10 s; connecting again in 1.0 s");
		timers.advance(1_000);
		expect(connections).toHaveLength(2);
	});

	test("that was answered leaves no timer behind", () => {
		const { hello, timers, session } = createSession();
		hello();
		expect(session.ready).toBe(true);
		expect(timers.size).toBe(0);
	});

	test("may come again", () => {
		const { hello } = createSession();
		const transport = hello("a");
		transport.receive({ type: "hello", session_id: "b" });
		transport.receive(request("ping"));
		expect(transport.last().session_id).toBe("b");
	});
});

describe("the envelope", () => {
	test("wraps each reply with the session id", () => {
		const { hello } = createSession();
		const transport = hello("s1");
		transport.receive(request("tools/call", { name: "add", arguments: { a: 1, b: 2 } }, 7));
		expect(transport.last()).toEqual({
			session_id: "s1",
			type: "mcp",
			payload: { jsonrpc: "2.0", id: 7, result: { content: [{ type: "text", text: "3" }], isError: false } },
		});
	});

	test("answers initialize that comes before the server's hello", () => {
		const { open } = createSession();
		const transport = open();
		transport.receive(request("initialize", {}, 1));
		expect(transport.last()).toMatchObject({ type: "mcp", payload: { id: 1, result: { protocolVersion: "2024-11-05" } } });
		expect(transport.last()).not.toHaveProperty("session_id");
	});

	test("follows a session id that is missing, changes, is a number or is called sessionId", () => {
		const { hello } = createSession();
		const transport = hello(null);
		const reply = (more: object) => {
			transport.receive(request("ping", undefined, 1, more));
			return transport.last();
		};
		expect(reply({})).toEqual({ type: "mcp", payload: { jsonrpc: "2.0", id: 1, result: {} } });
		expect(reply({ session_id: "a" }).session_id).toBe("a");
		expect(reply({}).session_id).toBe("a");
		expect(reply({ sessionId: "b" }).session_id).toBe("b");
		expect(reply({ session_id: 5 }).session_id).toBe(5);
		expect(reply({ session_id: null }).session_id).toBe(5);
		expect(reply({ session_id: "x".repeat(5000) }).session_id).toBe(5);
	});

	test("does not carry the session id of one connection into the next", () => {
		const { hello, open, timers } = createSession();
		hello("old").callbacks.onClose("gone");
		timers.advance(1_000);
		const transport = open();
		transport.receive(request("ping"));
		expect(transport.last()).not.toHaveProperty("session_id");
	});

	test("ignores everything that is not for it, and the next call works", () => {
		const { hello } = createSession();
		const transport = hello();
		const before = transport.sent.length;
		for (const stray of [
			{ type: "stt", text: "hi" },
			{ type: "tts", state: "start" },
			{ type: "llm", emotion: "happy" },
			{ type: "alert", status: "x" },
			{ type: "unknown" },
			{ type: "mcp" },
			{ type: "mcp", payload: null },
			{ type: "mcp", payload: [] },
			{ type: "mcp", payload: "{}" },
			{ type: 5 },
			{},
			[],
			null,
			5,
			"text",
		])
			transport.receive(JSON.stringify(stray));
		for (const garbage of [
			"",
			"hello?",
			"{",
			'{"type":"mcp"',
			Buffer.from([0xe4, 0xbd]),
			Buffer.from([0x7b, 0xff, 0x7d]),
			"x".repeat(20_000),
			"[".repeat(10_000),
		])
			transport.receive(garbage);
		expect(transport.sent).toHaveLength(before);
		transport.receive(request("ping"));
		expect(transport.last().payload.result).toEqual({});
	});

	test("refuses what is nested deeper than 32, brackets in texts not counted", () => {
		const { hello, logged } = createSession();
		const transport = hello();
		const nested = (depth: number) =>
			`{"type":"mcp","payload":{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${"[".repeat(depth - 3)}${"]".repeat(depth - 3)}}}}`;
		transport.receive(nested(32));
		expect(transport.last().payload.result).toEqual({});
		transport.receive(nested(33));
		expect(transport.last().payload).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32600, message: "Refused: a message nested deeper than 32" } });
		const before = transport.sent.length;
		expect(logged.at(-1)).toBe("session: ignored a message nested deeper than 32");
		transport.receive(request("ping", { x: '[[[[{{{{\\"'.repeat(50) }));
		expect(transport.sent).toHaveLength(before + 1);
		const objects = (depth: number) => `{"type":"mcp","payload":${'{"x":'.repeat(depth - 1)}1${"}".repeat(depth)}`;
		transport.receive(objects(32));
		expect(logged.at(-1)).not.toContain("nested");
		transport.receive(objects(33));
		expect(logged.at(-1)).toBe("session: ignored a message nested deeper than 32");
	});

	test("answers pipelined and repeated requests in their order, each id in its type", () => {
		const { hello } = createSession();
		const transport = hello();
		const before = transport.sent.length;
		for (const id of [1, 2, 1, "1", "a", 0]) transport.receive(request(id === 2 ? "tools/list" : "initialize", {}, id));
		expect(
			transport
				.messages()
				.slice(before)
				.map(({ payload }) => payload.id),
		).toEqual([1, 2, 1, "1", "a", 0]);
	});

	test("asks for a restart when the server says system reboot", () => {
		const { hello, onReboot } = createSession();
		const transport = hello();
		transport.receive({ type: "system", command: "dance" });
		expect(onReboot).not.toHaveBeenCalled();
		transport.receive({ type: "system", command: "reboot" });
		expect(onReboot).toHaveBeenCalledTimes(1);
	});

	test("carries notifications only after the server's hello", () => {
		const { open, server } = createSession();
		const transport = open();
		server.notify("notifications/x");
		expect(transport.sent).toHaveLength(1);
		transport.receive({ type: "hello", session_id: "s" });
		server.notify("notifications/x");
		expect(transport.last()).toEqual({ session_id: "s", type: "mcp", payload: { jsonrpc: "2.0", method: "notifications/x" } });
	});
});

describe("reconnecting", () => {
	function delays(random: () => number, attempts: number): number[] {
		const { timers, connections } = createSession(random);
		return Array.from({ length: attempts }, () => {
			(connections.at(-1) as HandTransport).callbacks.onClose("refused");
			const delay = timers.next as number;
			timers.advance(delay);
			return delay;
		});
	}

	test("waits twice as long each time, from 1 s to 60 s, with jitter", () => {
		expect(delays(() => 0, 8)).toEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
		expect(delays(() => 1, 8)).toEqual([2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000]);
	});

	test("begins anew after a good hello", () => {
		const { timers, connections, hello } = createSession();
		for (let i = 0; i < 4; i++) {
			(connections.at(-1) as HandTransport).callbacks.onClose("refused");
			timers.advance(timers.next as number);
		}
		hello().callbacks.onClose("gone");
		expect(timers.next).toBe(1000);
	});

	test("drops the calls of the old connection", async () => {
		let finish: (value: string) => void = () => undefined;
		const { server, hello, timers, connections } = createSession();
		server.addTool("slow", "d", {}, () => new Promise<string>((resolve) => (finish = resolve)));
		const old = hello();
		old.receive(request("tools/call", { name: "slow" }));
		old.callbacks.onClose("gone");
		timers.advance(1000);
		const fresh = hello();
		finish("late");
		await settle();
		expect(connections).toHaveLength(2);
		expect(fresh.messages().every(({ type }) => type === "hello")).toBe(true);
		expect(server.running).toBe(0);
	});

	test("ignores what an old connection still says", () => {
		const { hello, open, timers } = createSession();
		const old = hello();
		old.callbacks.onClose("gone");
		timers.advance(1000);
		const fresh = open();
		old.receive({ type: "hello", session_id: "old" });
		old.callbacks.onClose("again");
		fresh.receive(request("ping"));
		expect(fresh.last()).not.toHaveProperty("session_id");
	});

	test("ends with close, which may be called twice", () => {
		const { session, hello, timers } = createSession();
		const transport = hello();
		session.close();
		session.close();
		expect(transport.closed).toBe(true);
		expect(session.ready).toBe(false);
		expect(timers.size).toBe(0);
	});

	test("does not begin after close", () => {
		const { session, connections, timers } = createSession();
		(connections[0] as HandTransport).callbacks.onClose("refused");
		session.close();
		timers.advance(120_000);
		expect(connections).toHaveLength(1);
	});
});

describe("the watchdog", () => {
	function watched() {
		const session = createSession();
		const transport = session.connections[0] as HandTransport & { ping?: () => void };
		transport.ping = jest.fn();
		session.hello();
		return { ...session, transport };
	}

	test("pings a silent peer, and ends the connection between 60 and 90 s after the last sign of life", () => {
		const { timers, transport, logged } = watched();
		timers.advance(29_999);
		expect(transport.ping).not.toHaveBeenCalled();
		timers.advance(1);
		transport.receive({ type: "tts" });
		timers.advance(30_000);
		expect(transport.ping).not.toHaveBeenCalled();
		timers.advance(30_000);
		expect(transport.ping).toHaveBeenCalledTimes(1);
		expect(transport.closed).toBe(false);
		timers.advance(30_000);
		expect(transport.closed).toBe(true);
		expect(logged.at(-1)).toBe("session: no message for 60 s, nor an answer to a ping; connecting again in 1.0 s");
	});

	test("is content with the answer to a ping, for ever", () => {
		const { timers, transport } = watched();
		(transport.ping as jest.Mock).mockImplementation(() => transport.callbacks.onAlive?.());
		timers.advance(3_600_000);
		expect(transport.closed).toBe(false);
		expect(transport.ping).toHaveBeenCalled();
	});

	test("leaves no timer behind after the end", () => {
		const { timers, transport, session } = watched();
		transport.callbacks.onClose("gone");
		expect(timers.size).toBe(1);
		session.close();
		expect(timers.size).toBe(0);
	});

	test("tells why each connection was lost, but not that it was closed", () => {
		const lost: string[] = [];
		const server = new McpServer({ name: "test", version: "1", board: {}, timers: new ManualTimers() });
		const { connect, connections } = createHandConnect();
		const session = new XiaozhiSession({ server, connect, callbacks: { onLost: (reason) => void lost.push(`session: ${reason}`) } });
		session.start();
		connections[0]?.callbacks.onClose("refused");
		session.close();
		expect(lost).toEqual(["session: refused"]);
	});
});

test("a server that answers with a text that is no JSON is reported as what it is", () => {
	const { open, logged } = createSession();
	const transport = open();
	transport.receive("认证失败");
	expect(logged.join("\n")).toContain('the server says "认证失败"; is the token right?');
	expect(transport.sent).toHaveLength(1);
});

test("xiaozhiHeaders gives the four headers, the token as a bearer", () => {
	const identity = { deviceId: "aa:bb:cc:dd:ee:ff", clientId: "uuid" };
	expect(xiaozhiHeaders({ ...identity, token: "t" })).toEqual([
		["Authorization", "Bearer t"],
		["Protocol-Version", "1"],
		["Device-Id", "aa:bb:cc:dd:ee:ff"],
		["Client-Id", "uuid"],
	]);
	expect(xiaozhiHeaders({ ...identity, token: "Bearer t" })[0]).toEqual(["Authorization", "Bearer t"]);
	expect(xiaozhiHeaders(identity)).toHaveLength(3);
});

describe("a token that has become old", () => {
	test("is told after three connections without a hello, and after each further one", () => {
		const onRefused = jest.fn();
		const { connections, timers, hello } = createSession(() => 0, { onRefused });
		const fail = () => {
			(connections.at(-1) as HandTransport).callbacks.onClose("the server failed");
			timers.advance(timers.next as number);
		};
		for (const count of [0, 0, 1, 2]) {
			fail();
			expect(onRefused).toHaveBeenCalledTimes(count);
		}
		hello();
		fail();
		for (const count of [2, 2, 3]) {
			fail();
			expect(onRefused).toHaveBeenCalledTimes(count);
		}
	});

	test.each(["401 Unauthorized: not authorised", "closed by the peer: 4401 the server's own code", "closed by the peer: 1008 policy violation"])(
		"is told at once for: %s",
		(reason) => {
			const onRefused = jest.fn();
			const { open } = createSession(() => 0, { onRefused });
			open().callbacks.onClose(reason);
			expect(onRefused).toHaveBeenCalledTimes(1);
		},
	);

	test("is told at once when the server says so in a text, as the Python server does", () => {
		const onRefused = jest.fn();
		const { open } = createSession(() => 0, { onRefused });
		const transport = open();
		transport.receive("认证失败");
		transport.callbacks.onClose("closed by the peer: 1000 normal closure");
		expect(onRefused).toHaveBeenCalledTimes(1);
	});
});

describe("a gateway whose chat server is down", () => {
	test("keeps the connection, on which it calls tools, and is said hello to later and later", () => {
		const { open, timers, connections, logged } = createSession(() => 0, { transport: "udp" });
		const transport = open();
		const waits: number[] = [];
		for (let i = 0; i < 5; i++) {
			transport.receive({ type: "goodbye", session_id: "g" });
			transport.receive({ type: "goodbye", session_id: "g" });
			transport.receive({ type: "error", message: "down" });
			transport.receive(request("tools/call", { name: "add", arguments: { a: 1, b: 2 } }, i));
			expect(transport.last().payload).toMatchObject({ id: i, result: { isError: false } });
			waits.push(timers.next as number);
			timers.advance(timers.next as number);
			expect(transport.last()).toMatchObject({ type: "hello", transport: "udp" });
		}
		expect(waits).toEqual([5000, 10_000, 20_000, 30_000, 30_000]);
		expect(logged).toHaveLength(5);
		expect(logged[0]).toBe("session: the server said goodbye; hello again in 5.0 s");
		transport.receive({ type: "hello", session_id: "s2" });
		expect([transport.closed, connections.length, logged.at(-1)]).toEqual([false, 1, "session: ready"]);
	});

	test("answers with an error alone to the same effect; in a session, and over WebSocket, an error has none", () => {
		const { open, timers, logged } = createSession(() => 0, { transport: "udp" });
		const transport = open();
		transport.receive({ type: "error", message: "down" });
		expect(logged).toEqual(["session: the server has no session for this device; hello again in 5.0 s"]);
		timers.advance(5000);
		expect(transport.last()).toMatchObject({ type: "hello" });
		transport.receive({ type: "hello", session_id: "s" });
		transport.receive({ type: "error", message: "down" });
		const other = createSession();
		other.open().receive({ type: "error", message: "down" });
		expect([transport.closed, logged.slice(1), other.logged]).toEqual([false, ["session: ready"], []]);
	});

	test("says goodbye to another session without an effect", () => {
		const { hello, session } = createSession(() => 0, { transport: "udp" });
		hello("mine").receive({ type: "goodbye", session_id: "another" });
		expect(session.ready).toBe(true);
	});
});

describe("a session on demand", () => {
	function onDemand() {
		const ready: boolean[] = [];
		return { ...createSession(() => 0, { onDemand: true, callbacks: { onReady: (up) => void ready.push(up) } }), ready };
	}

	test("is closed after 2 minutes in which nothing was said, without alarm, and stays up", () => {
		const { hello, timers, logged, ready, connections } = onDemand();
		const transport = hello();
		timers.advance(100_000);
		transport.receive(request("ping"));
		timers.advance(119_999);
		expect(transport.closed).toBe(false);
		timers.advance(1);
		expect(transport.closed).toBe(true);
		expect(logged.at(-1)).toBe("session: nothing was said for 2 minutes; closed until it is needed");
		timers.advance(3_600_000);
		expect([connections.length, timers.size, ready]).toEqual([1, 0, [true]]);
	});

	test("is opened when it is needed, once", () => {
		const { hello, timers, session, connections } = onDemand();
		hello();
		timers.advance(120_000);
		session.wake();
		session.wake();
		expect(connections).toHaveLength(2);
		expect(session.say("hi")).toBe(false);
		const transport = hello("s2");
		expect(session.say("hi")).toBe(true);
		expect(transport.last()).toEqual({ session_id: "s2", type: "listen", state: "detect", text: "hi" });
	});

	test("is down when it cannot be opened, and gives up after 2 minutes", () => {
		const { hello, timers, session, connections, ready } = onDemand();
		hello();
		timers.advance(120_000);
		session.wake();
		connections.at(-1)?.callbacks.onClose("refused");
		expect(ready).toEqual([true, false]);
		timers.advance(120_000);
		expect(timers.size).toBe(0);
	});
});

test("a session that is always open is not ended for silence, and wake changes nothing", () => {
	const { hello, timers, session, connections } = createSession();
	hello();
	session.wake();
	timers.advance(3_600_000);
	expect([connections.length, session.ready]).toEqual([1, true]);
});

test("what the backend hears, says and feels is told on one line, and nothing else of it", () => {
	const spoken: string[] = [];
	const { hello } = createSession(() => 0, { onSpeech: (kind, text) => spoken.push(`${kind}: ${text}`) });
	const transport = hello();
	for (const message of [
		{ type: "stt", text: "what\nnow" },
		{ type: "tts", state: "start" },
		{ type: "tts", state: "sentence_start", text: "Hello" },
		{ type: "tts", state: "sentence_end", text: "Hello" },
		{ type: "llm", emotion: "happy", text: "🙂" },
		{ type: "llm", emotion: 5 },
		{ type: "stt", text: ["x"] },
		{ type: "stt", text: "" },
	])
		transport.receive(message);
	expect(spoken).toEqual(["user: what now", "assistant: Hello", "emotion: happy"]);
	transport.receive({ type: "stt", text: "x".repeat(2000) });
	expect(spoken.at(-1)).toHaveLength("user: ".length + 500);
});
