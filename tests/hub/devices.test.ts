// The one list of devices: who is on it, what becomes of them, and their functions for models.

import { afterEach, describe, expect, test } from "@jest/globals";
import { MESSAGES_AT_ONCE } from "../../hub/backend.js";
import { Device } from "../../hub/devices.js";
import { deviceLabels, foldName, Offer } from "../../hub/offer.js";
import { ScriptedEndpoint, TestHub } from "../support/hub.js";
import { type Answer, DEVICE_HEADERS, ScriptedDevice } from "../support/scripted-device.js";
import { createToolBoard, INITIALIZE_RESULT, text, tool } from "../support/tool-board.js";

const LIMIT_MS = 30_000;
let hub: TestHub | undefined;

afterEach(async () => {
	await hub?.close();
	hub = undefined;
});

async function start(options: Parameters<typeof TestHub.start>[0] = {}): Promise<TestHub> {
	hub = await TestHub.start(options);
	return hub;
}

const withTools = (...tools: unknown[]): Record<string, Answer> => ({ initialize: () => INITIALIZE_RESULT, "tools/list": () => ({ tools }) });

async function call(hub: TestHub, id: string, body: unknown, type = "application/json"): Promise<{ status: number; body: unknown }> {
	const init = { method: "POST", headers: { "Content-Type": type }, body: typeof body === "string" ? body : JSON.stringify(body) };
	const response = await fetch(`${hub.http}/devices/${encodeURIComponent(id)}/call`, init);
	return { status: response.status, body: await response.json() };
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the hub answers
const getJson = async (url: string): Promise<any> => (await fetch(url)).json();

describe("devices", () => {
	test("that are MCP endpoints are known by deviceId, and without one by their name", async () => {
		const hub = await start();
		const named = await hub.endpoint("board-1", createToolBoard().answers);
		expect(named.received.map(({ method }) => method).slice(0, 3)).toEqual(["initialize", "notifications/initialized", "tools/list"]);
		const ready = hub.next("onReady");
		await ScriptedEndpoint.connect(hub.endpointUrl(), createToolBoard().answers);
		const [{ id }] = await ready;
		expect(id).toBe("scripted");
		expect(hub.devices.known.map((device) => [device.id, device.via, device.tools.length])).toEqual([
			["board-1", "endpoint", 5],
			["scripted", "endpoint", 5],
		]);
	});

	test("that open a second connection lose the first, and keep their place", async () => {
		const hub = await start();
		const first = await hub.endpoint("one", withTools(tool("self.a")));
		const second = await hub.endpoint("one", withTools(tool("self.b")));
		expect(await first.closed).toBe(1000);
		expect(hub.devices.known.map((device) => device.tools.map(({ name }) => name))).toEqual([["self.b"]]);
		second.breakOff();
		await hub.next("onEnded");
		expect(
			await hub.devices
				.find("one")
				?.callTool("self.b")
				.catch((error) => error.message),
		).toBe("scripted is away: the connection broke off");
	});

	test("with a tool that no client could use have the others, and the bad one is reported", async () => {
		const hub = await start();
		await hub.endpoint("one", withTools(tool("self.a"), { name: "self.bad", inputSchema: null }, null, { ...tool("self.c"), description: null }));
		expect(hub.devices.find("one")?.tools.map(({ name }) => name)).toEqual(["self.a"]);
		expect(hub.problems).toHaveLength(3);
		expect(hub.problems[0]).toContain("self.bad has no inputSchema");
	});

	test("that do not answer initialize are told of and let go", async () => {
		const hub = await start();
		const failed = hub.next("onFailed");
		const endpoint = await ScriptedEndpoint.connect(hub.endpointUrl("one"), {
			initialize: () => {
				throw { code: -32603, message: "not today" };
			},
		});
		expect((await failed)[1]).toContain("not today");
		await endpoint.closed;
		expect(hub.devices.known).toEqual([]);
	});

	test(
		"are 50 at the same time, and one that goes leaves the rest",
		async () => {
			const hub = await start();
			const ids = Array.from({ length: 50 }, (_, i) => `board-${String(i).padStart(4, "0")}`);
			const endpoints = await Promise.all(ids.map((id) => hub.endpoint(id, { ...withTools(tool("self.x")), "tools/call": () => text(id) })));
			const client = await hub.client("2026-07-28");
			expect((await client.listTools()).tools).toHaveLength(50);
			const ended = hub.next("onEnded");
			endpoints[7]?.breakOff();
			await ended;
			const results = await Promise.all(ids.map((_, i) => client.callTool({ name: `scripted_${String(i).padStart(4, "0")}_self_x`, arguments: {} })));
			expect(results.filter(({ isError }) => isError)).toHaveLength(1);
			expect(results[49]).toMatchObject(text("board-0049"));
		},
		LIMIT_MS,
	);

	test(
		"that send without end are cut off, and the others go on",
		async () => {
			const hub = await start();
			const loud = await hub.endpoint("loud", withTools(tool("self.x")));
			await hub.endpoint("calm", { ...withTools(tool("self.x")), "tools/call": () => text("here") });
			for (let i = 0; i < MESSAGES_AT_ONCE * 2; i++) loud.send('{"jsonrpc":"2.0","method":"notifications/x"}');
			expect(await loud.closed).toBe(1008);
			expect(await hub.devices.find("calm")?.callTool("self.x")).toMatchObject(text("here"));
		},
		LIMIT_MS,
	);

	test("that nest by the thousands harm nobody: their tool is left out, their result refused, the rest reported", async () => {
		const hub = await start();
		const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
		const calm = await ScriptedDevice.connect(hub.backend.url, createToolBoard().answers);
		await calm.hello();
		const { id } = await hub.ready(DEVICE_HEADERS["Device-Id"].toLowerCase());
		calm.send(`{"type":"mcp","session_id":"${calm.sessionId}","payload":{"jsonrpc":"1.0","a":${deep}}}`);

		const listed = hub.next("onReady");
		const odd = await ScriptedEndpoint.connect(hub.endpointUrl("odd"), { initialize: () => INITIALIZE_RESULT });
		const answer = async (method: string, result: string) => {
			await odd.next(method);
			odd.send(`{"jsonrpc":"2.0","id":${odd.received.at(-1)?.id},"result":${result}}`);
		};
		await answer(
			"tools/list",
			`{"tools":[${JSON.stringify(tool("self.a"))},{"name":"self.b","inputSchema":{"type":"object","properties":{"a":${deep}}}}]}`,
		);
		await listed;
		expect(hub.devices.find("odd")?.tools.map(({ name }) => name)).toEqual(["self.a"]);
		odd.send(deep);
		odd.send(`{"jsonrpc":"2.0","id":7,"method":"roots/list","params":{"a":${deep}}}`);
		const client = await hub.client("2026-07-28");
		const called = client.callTool({ name: "scripted_odd_self_a", arguments: {} });
		await answer("tools/call", `{"content":[],"structuredContent":{"a":${deep}}}`);
		expect(await called).toMatchObject({ isError: true, content: [{ text: "scripted: the result is nested too deeply" }] });
		expect(hub.problems.join("\n")).toContain("the tool self.b is nested too deeply");
		expect(await hub.devices.find(id)?.callTool("self.light.get_power")).toMatchObject(text(false));
	});

	test("that answer no ping are gone", async () => {
		const hub = await start({ pingMs: 20 });
		const ended = hub.next("onEnded");
		const endpoint = await ScriptedEndpoint.connect(hub.endpointUrl("one"), {});
		endpoint.goDeaf();
		expect((await ended)[1]).toBe("the connection broke off");
	});
});

describe("functions for models", () => {
	test("are listed in the form of chat APIs, by id or name", async () => {
		const hub = await start();
		await hub.endpoint("aa:bb:cc:dd:ee:01", createToolBoard().answers);
		expect(await getJson(`${hub.http}/devices`)).toEqual({
			devices: [
				{ id: "aa:bb:cc:dd:ee:01", name: "scripted", version: "1.2.3", via: "endpoint", connected: true, protocolVersion: "2024-11-05", tools: 5 },
			],
		});
		for (const id of ["aa%3Abb%3Acc%3Add%3Aee%3A01", "aa:bb:cc:dd:ee:01", "scripted"]) {
			const functions = await getJson(`${hub.http}/devices/${id}/functions`);
			expect(functions).toHaveLength(5);
			expect(functions[1]).toEqual({
				type: "function",
				function: {
					name: "self_audio_speaker_set_volume",
					description: "The tool self.audio_speaker.set_volume",
					parameters: { type: "object", properties: { volume: { type: "integer", minimum: 0, maximum: 100 } }, required: ["volume"] },
				},
			});
		}
	});

	test(
		"drive the firmware as a chat API's client does: functions in, tool calls out",
		async () => {
			const hub = await start();
			const { device } = await hub.board("02:00:00:00:00:09");
			const base = `${hub.http}/devices/${encodeURIComponent(device.id)}`;
			// What a model answers when it is given the functions; arguments are text there.
			const functions: { function: { name: string } }[] = await getJson(`${base}/functions`);
			const name = functions.map((entry) => entry.function.name).find((entry) => entry.endsWith("set_volume"));
			const message = { role: "assistant", tool_calls: [{ id: "call_1", type: "function", function: { name, arguments: '{"volume": 33}' } }] };
			for (const { function: called } of message.tool_calls)
				expect(await call(hub, device.id, called)).toMatchObject({ status: 200, body: text("true") });
			const status = (await device.callTool("self.get_device_status")).content[0];
			expect(status?.type === "text" && JSON.parse(status.text).audio_speaker.volume).toBe(33);
		},
		LIMIT_MS,
	);

	test("say what is wrong with a call, and what the device says", async () => {
		const hub = await start();
		const endpoint = await hub.endpoint("one", createToolBoard().answers);
		expect(await call(hub, "one", { name: "self.audio_speaker.set_volume", arguments: { volume: 101 } })).toEqual({
			status: 200,
			body: { content: [{ type: "text", text: "volume must be an integer from 0 to 100, got 101" }], isError: true },
		});
		expect(await call(hub, "one", { name: "self.nothing" })).toMatchObject({ status: 404, body: { error: "Unknown tool: self.nothing" } });
		expect(await call(hub, "one", { name: "self.reboot" })).toMatchObject({ status: 404 });
		expect(await call(hub, "two", { name: "self.x" })).toMatchObject({ status: 404 });
		expect(await call(hub, "one", { name: "self.light.turn_off", arguments: "{" })).toMatchObject({ status: 400 });
		expect(await call(hub, "one", { name: "self.light.turn_off", arguments: [] })).toMatchObject({ status: 400 });
		expect(await call(hub, "one", "null")).toMatchObject({ status: 400 });
		expect((await fetch(`${hub.http}/devices/one/call`)).status).toBe(405);
		expect((await fetch(`${hub.http}/devices/%ff/call`)).status).toBe(400);
		const ended = hub.next("onEnded");
		endpoint.breakOff();
		await ended;
		expect(await call(hub, "one", { name: "self.light.turn_off" })).toMatchObject({
			status: 503,
			body: { error: "scripted is away: the connection broke off" },
		});
		expect(await getJson(`${hub.http}/devices/one`)).toMatchObject({ connected: false, reason: "the connection broke off" });
	});
});

describe("names", () => {
	function device(id: string, name: string, ...tools: string[]): Device {
		return Object.assign(new Device(id), { name, tools: tools.map((entry) => tool(entry)) });
	}

	test("have only what models accept", () => {
		expect(foldName("self.light.set_rgb")).toBe("self_light_set_rgb");
		expect(foldName("灯.on/off")).toBe("__on_off");
	});

	test("stay apart where they would fall together, and below 65 characters", () => {
		const long = `self.${"x".repeat(70)}`;
		const offer = new Offer([device("1", "board", "self.a_b", "self.a.b", `${long}1`, `${long}2`)], false);
		const names = offer.tools.map(({ name }) => name);
		expect(names.slice(0, 2)).toEqual(["self_a_b", "self_a_b_2"]);
		expect(new Set(names).size).toBe(4);
		for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
		expect(offer.tools.map(({ name }) => offer.find(name)?.tool.name)).toEqual(["self.a_b", "self.a.b", `${long}1`, `${long}2`]);
	});

	test("of devices do not depend on who came first", () => {
		const [a, b] = [device("aa:bb:cc:dd:ee:01", "esp_hi"), device("aa:bb:cc:dd:ee:02", "ESP hi")];
		expect([...deviceLabels([a, b]).values()]).toEqual(["esp_hi_ee01", "esp_hi_ee02"]);
		expect(deviceLabels([b, a]).get(a)).toBe("esp_hi_ee01");
	});
});
