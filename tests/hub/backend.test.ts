// The embedded backend and its envelope transport, against a scripted device over a real WebSocket.

import { get } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import { type Backend, type BackendOptions, startBackend } from "../../hub/backend.js";
import { messageOf } from "../../hub/demo.js";
import type { DeviceSession } from "../../hub/device-session.js";
import { DeviceTransport } from "../../hub/device-transport.js";
import { Devices } from "../../hub/devices.js";
import { DEVICE_HEADERS, HELLO, ScriptedDevice } from "../support/scripted-device.js";
import { createToolBoard, INITIALIZE_RESULT, text, tool } from "../support/tool-board.js";

let backend: Backend | undefined;

afterEach(async () => {
	await backend?.close();
	backend = undefined;
});

/** A backend, with its sessions and problems as promises of the next one. */
async function start(options: BackendOptions = {}) {
	const sessions = queue<DeviceSession>();
	const problems = queue<string>();
	const refusals = queue<string>();
	const started = await startBackend({ onSession: sessions.push, onProblem: problems.push, onRefused: refusals.push, ...options });
	backend = started;
	return { backend: started, sessions, problems, refusals };
}

function queue<T>() {
	const items: T[] = [];
	const waiting: ((item: T) => void)[] = [];
	return {
		push: (item: T): void => {
			const resolve = waiting.shift();
			if (resolve) resolve(item);
			else items.push(item);
		},
		next: (): Promise<T> => (items.length > 0 ? Promise.resolve(items.shift() as T) : new Promise((resolve) => waiting.push(resolve))),
		items,
	};
}

/** A device that has said hello, and the backend's session with it, initialized. */
async function connect(bench: Awaited<ReturnType<typeof start>>, answers = createToolBoard().answers) {
	const device = await ScriptedDevice.connect(bench.backend.url, answers);
	await device.hello();
	const session = await bench.sessions.next();
	await session.initialize();
	return { device, session };
}

describe("the upgrade", () => {
	test("answers 401 for a wrong token and for none, and lets the right one in", async () => {
		const { backend, refusals } = await start({ token: "s3cret" });
		await expect(ScriptedDevice.connect(backend.url)).rejects.toThrow("401");
		await expect(ScriptedDevice.connect(backend.url, {}, { ...DEVICE_HEADERS, Authorization: "Bearer other" })).rejects.toThrow("401");
		expect(await refusals.next()).toContain("token");
		const device = await ScriptedDevice.connect(backend.url, {}, { ...DEVICE_HEADERS, Authorization: "Bearer s3cret" });
		await device.hello();
		expect(device.sessionId).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
	});

	test.each([
		["Protocol-Version", "2"],
		["Device-Id", "not-a-mac"],
		["Client-Id", ""],
	])("answers 400 when %s is %j", async (name, value) => {
		const { backend, refusals } = await start();
		await expect(ScriptedDevice.connect(backend.url, {}, { ...DEVICE_HEADERS, [name]: value })).rejects.toThrow("400");
		expect(await refusals.next()).toContain(name);
	});

	test("answers 400 when Connection is more than Upgrade, as servers do that compare the whole header", async () => {
		const { backend, refusals } = await start();
		const upgrade = { ...DEVICE_HEADERS, Connection: "keep-alive, Upgrade", Upgrade: "websocket" };
		const status = new Promise((resolve, reject) => {
			get(backend.url.replace("ws:", "http:"), { headers: upgrade }, (response) => {
				response.resume();
				resolve(response.statusCode);
			}).on("error", reject);
		});
		expect(await status).toBe(400);
		expect(await refusals.next()).toContain("keep-alive, Upgrade");
	});

	test("answers 404 on another path", async () => {
		const { backend } = await start();
		await expect(ScriptedDevice.connect(`ws://127.0.0.1:${backend.port}/other/`)).rejects.toThrow("404");
	});
});

describe("hello", () => {
	test("is answered with a session id, and the device is known by its headers", async () => {
		const hellos: unknown[] = [];
		const { backend, sessions } = await start({ onHello: (hello, reply, device) => hellos.push(JSON.parse(hello), JSON.parse(reply), device) });
		const device = await ScriptedDevice.connect(backend.url);
		await device.hello();
		const session = await sessions.next();
		expect(device.received[0]).toEqual({ type: "hello", transport: "websocket", session_id: session.id });
		expect(session.deviceId).toBe("aa:bb:cc:dd:ee:01");
		expect(hellos).toEqual([HELLO, device.received[0], { deviceId: "aa:bb:cc:dd:ee:01", clientId: DEVICE_HEADERS["Client-Id"] }]);
	});

	test("ends the connection when it does not come in time", async () => {
		const { backend, problems } = await start({ helloTimeoutMs: 20 });
		const device = await ScriptedDevice.connect(backend.url);
		expect(await device.closed).toEqual({ code: 1008, reason: "no hello" });
		expect(await problems.next()).toContain("no hello");
	});

	test("ends the connection when an mcp message comes before it", async () => {
		const { backend } = await start();
		const device = await ScriptedDevice.connect(backend.url);
		device.sendMcp({ jsonrpc: "2.0", method: "notifications/x" });
		expect(await device.closed).toEqual({ code: 1008, reason: "hello first" });
	});

	test.each([
		["version", { ...HELLO, version: 3 }],
		["transport", { ...HELLO, transport: "udp" }],
		["features.mcp", { ...HELLO, features: null }],
	])("with a wrong %s is a problem and no session", async (name, hello) => {
		const { backend, problems, sessions } = await start();
		const device = await ScriptedDevice.connect(backend.url);
		device.send(hello);
		expect(await problems.next()).toContain(name);
		expect(sessions.items).toEqual([]);
	});
});

describe("a session", () => {
	test("initializes the device and learns its name and revision", async () => {
		const bench = await start();
		const { device, session } = await connect(bench);
		expect(session.server).toEqual(INITIALIZE_RESULT.serverInfo);
		expect(session.protocolVersion).toBe("2024-11-05");
		expect(device.received[1]).toMatchObject({ type: "mcp", session_id: session.id, payload: { jsonrpc: "2.0", method: "initialize" } });
	});

	test("collects the pages of tools/list, and the user-only tools only on request", async () => {
		const bench = await start();
		const { session } = await connect(bench);
		const names = (await session.listTools()).map(({ name }) => name);
		expect(names).toHaveLength(5);
		expect((await session.listTools(true)).map(({ name }) => name)).toEqual([...names, "self.reboot"]);
	});

	test("gives up on a list that does not end", async () => {
		const bench = await start();
		const { session } = await connect(bench, {
			initialize: () => INITIALIZE_RESULT,
			"tools/list": () => ({ tools: [tool("self.a")], nextCursor: "self.a" }),
		});
		await expect(session.listTools()).rejects.toThrow("does not end");
	});

	test("hands on results, and JSON-RPC errors with code and message", async () => {
		const bench = await start();
		const board = createToolBoard();
		const { session } = await connect(bench, board.answers);
		expect(await session.callTool("self.audio_speaker.set_volume", { volume: 30 })).toEqual(text(true));
		expect(board.state.volume).toBe(30);
		const error: unknown = await session.callTool("self.nothing").catch((reason) => reason);
		expect(messageOf(error)).toBe("error -32601: Unknown tool: self.nothing");
	});

	test("hands on notifications of the device", async () => {
		const bench = await start();
		const { device, session } = await connect(bench);
		const notified = new Promise((resolve) => {
			session.onNotification = (...notification) => resolve(notification);
		});
		const params = { newState: "idle", oldState: "listening" };
		device.sendMcp({ jsonrpc: "2.0", method: "notifications/state_changed", params });
		expect(await notified).toEqual(["notifications/state_changed", params]);
	});

	test("rejects the calls that wait when the connection breaks off", async () => {
		const bench = await start();
		const { device, session } = await connect(bench, { initialize: () => INITIALIZE_RESULT });
		const called = device.next((message) => message.payload?.method === "tools/call");
		const call = session.callTool("self.slow");
		call.catch(() => {});
		await called;
		device.breakOff();
		await expect(call).rejects.toThrow("closed");
		expect(await session.ended).toBe("the connection broke off");
		expect(session.over).toBe(true);
	});

	test("is replaced when the same device connects again", async () => {
		const bench = await start();
		const devices = new Devices();
		const first = await connect(bench);
		await devices.add(first.session);
		const second = await connect(bench);
		await devices.add(second.session);
		expect(await first.session.ended).toContain("new connection");
		expect(second.session.id).not.toBe(first.session.id);
		expect(await second.session.listTools()).toHaveLength(5);
		expect(devices.known.map(({ session }) => session)).toEqual([second.session]);
	});

	test.each([
		["not JSON", "{", "not a JSON object"],
		["an array", "[]", "not a JSON object"],
		["a payload without jsonrpc", { type: "mcp", payload: { id: 1 } }, "not a JSON-RPC 2.0 message"],
		["more than 8192 bytes", { type: "tts", text: "中".repeat(3000) }, "more than 8192"],
		["a foreign session_id", { type: "mcp", session_id: "x", payload: { jsonrpc: "2.0", method: "notifications/x" } }, "session_id"],
		["a second hello", HELLO, "second hello"],
	])("reports %s as a problem and goes on", async (_name, message, problem) => {
		const bench = await start();
		const { device, session } = await connect(bench);
		device.send(typeof message === "object" && "payload" in message && !("session_id" in message) ? { session_id: session.id, ...message } : message);
		expect(await bench.problems.next()).toContain(problem);
		expect(await session.callTool("self.light.get_power")).toEqual(text(false));
	});

	test("outlives a frame of more than 1 MiB on another connection", async () => {
		const bench = await start();
		const loud = await ScriptedDevice.connect(bench.backend.url, {}, { ...DEVICE_HEADERS, "Device-Id": "aa:bb:cc:dd:ee:02" });
		const { session } = await connect(bench);
		loud.send("x".repeat(1024 * 1024 + 1));
		expect((await loud.closed).code).toBe(1009);
		expect(await session.callTool("self.light.get_power")).toEqual(text(false));
	});
});

describe("closing", () => {
	test("ends sessions and half-open connections, and may be asked for twice", async () => {
		const bench = await start();
		const { device, session } = await connect(bench);
		const silent = await ScriptedDevice.connect(bench.backend.url);
		const closed = bench.backend.close();
		await Promise.all([closed, bench.backend.close(), device.closed, silent.closed]);
		expect(await session.ended).toBe("closed by the backend");
	});

	test("says that a port is taken", async () => {
		const { backend } = await start();
		await expect(startBackend({ port: backend.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
	});
});

describe("DeviceTransport", () => {
	test("wraps what it sends and passes on what is JSON-RPC", async () => {
		const sent: unknown[] = [];
		const passed: unknown[] = [];
		const transport = new DeviceTransport({ sessionId: "s1", write: (line) => sent.push(JSON.parse(line)) });
		transport.onmessage = (message) => passed.push(message);
		await transport.start();
		await transport.send({ jsonrpc: "2.0", id: 1, method: "ping" });
		transport.receive({ jsonrpc: "2.0", id: "a", result: {} });
		expect(sent).toEqual([{ session_id: "s1", type: "mcp", payload: { jsonrpc: "2.0", id: 1, method: "ping" } }]);
		expect(passed).toEqual([{ jsonrpc: "2.0", id: "a", result: {} }]);
	});

	test.each([[undefined], [null], ["text"], [[]], [{ jsonrpc: "1.0", method: "x" }], [{ jsonrpc: "2.0", id: null, result: {} }]])(
		"hands %j to onerror",
		(payload) => {
			const errors: Error[] = [];
			const transport = new DeviceTransport({ sessionId: "s1", write: () => {} });
			transport.onmessage = () => {
				throw new Error("passed on");
			};
			transport.onerror = (error) => errors.push(error);
			transport.receive(payload);
			expect(errors).toHaveLength(1);
		},
	);

	test("ends once, and neither sends nor receives afterwards", async () => {
		let ends = 0;
		const transport = new DeviceTransport({ sessionId: "s1", write: () => expect(true).toBe(false) });
		transport.onclose = () => ends++;
		transport.onmessage = () => ends++;
		await transport.close();
		await transport.close();
		transport.receive({ jsonrpc: "2.0", method: "x" });
		await expect(transport.send({ jsonrpc: "2.0", method: "x" })).rejects.toThrow("over");
		expect(ends).toBe(1);
	});
});
