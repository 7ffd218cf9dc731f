// Devices behind a real MQTT broker: the firmware on XS, and scripted peers.

import { createServer, type Server } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import mqttPacket from "mqtt-packet";
import type { DeviceSession } from "../../hub/device-session.js";
import { type Device, Devices } from "../../hub/devices.js";
import { checkTopic, DEFAULT_DOWN, DEFAULT_UP, MqttDevices, type MqttDevicesOptions } from "../../hub/mqtt-devices.js";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { ACCOUNT, type Broker, startAedes } from "../support/brokers.js";
import { MqttBackend } from "../support/mqtt-peer-client.js";

const LIMIT_MS = 40_000;
let broker: Broker;
let hub: MqttDevices | undefined;
let devices: Devices;
let running: RunningDevice | undefined;
let peer: MqttBackend | undefined;
let fake: Server | undefined;
const states: [boolean, string][] = [];
const problems: string[] = [];
let onState: (() => void)[] = [];

beforeEach(async () => {
	broker = await startAedes();
	devices = new Devices();
});

afterEach(async () => {
	await running?.close();
	peer?.close();
	hub?.close();
	devices.close();
	await broker.close();
	fake?.close();
	running = undefined;
	peer = hub = fake = undefined;
	states.length = problems.length = 0;
	onState = [];
});

function listen(options: Partial<MqttDevicesOptions> = {}): void {
	hub = new MqttDevices({
		url: `mqtt://127.0.0.1:${broker.port}`,
		...ACCOUNT,
		onSession: (session: DeviceSession) => void devices.add(session),
		onConnected: (connected, reason) => {
			states.push([connected, reason]);
			for (const wake of onState.splice(0)) wake();
		},
		onProblem: (problem) => problems.push(problem),
		...options,
	});
}

async function state(connected: boolean, from = 0): Promise<string> {
	for (;;) {
		const found = states.slice(from).find(([is]) => is === connected);
		if (found) return found[1];
		await new Promise<void>((resolve) => onState.push(resolve));
	}
}

const ready = () => new Promise<Device>((onReady) => devices.listen({ onReady }));
const ended = () => new Promise<string>((resolve) => devices.listen({ onEnded: (_session, reason) => resolve(reason) }));

async function board(id: string): Promise<Device> {
	const there = ready();
	running = await runDevice({
		board: "simulator",
		engine: "auto",
		config: {
			mqtt_endpoint: `127.0.0.1:${broker.port}`,
			mqtt_username: ACCOUNT.username,
			mqtt_password: ACCOUNT.password,
			mqtt_publish: DEFAULT_UP.replace("+", id),
			mqtt_subscribe: DEFAULT_DOWN.replace("+", id),
			device_id: id,
		},
	});
	return there;
}

/** A device's part by hand. */
async function scripted(id: string): Promise<MqttBackend> {
	peer = await MqttBackend.connect(broker.port, { fromDevice: DEFAULT_DOWN.replace("+", id), toDevice: DEFAULT_UP.replace("+", id) }, ACCOUNT);
	return peer;
}

const HELLO = { type: "hello", version: 3, features: { mcp: true }, transport: "udp" };

describe("devices behind a broker", () => {
	test(
		"are discovered, called, and gone when they say goodbye",
		async () => {
			const heard: string[] = [];
			devices.listen({ onWire: (_session, direction, message) => heard.push(`${direction} ${message}`) });
			listen();
			await state(true);
			const device = await board("02:00:00:00:00:01");
			expect([device.id, device.via, device.name]).toEqual(["02:00:00:00:00:01", "mqtt", "simulator"]);
			expect(device.tools.length).toBeGreaterThan(8);
			expect(await device.callTool("self.audio_speaker.set_volume", { volume: 31 })).toMatchObject({ isError: false });
			// What went over the broker, as it went.
			expect(heard.slice(0, 2)).toEqual([expect.stringMatching(/^in \{"type":"hello"/), expect.stringMatching(/^out \{"type":"hello"/)]);
			expect(heard.slice(-2)).toEqual([expect.stringMatching(/^out .*"tools\/call".*set_volume/), expect.stringMatching(/^in .*"result"/)]);
			const gone = ended();
			await running?.close();
			expect(await gone).toBe("the device said goodbye");
			await expect(device.callTool("self.get_device_status")).rejects.toThrow("simulator is away: the device said goodbye");
		},
		LIMIT_MS,
	);

	test(
		"are back when the broker is back",
		async () => {
			listen();
			await state(true);
			const device = await board("02:00:00:00:00:01");
			const back = ready();
			const before = states.length;
			broker.cut();
			expect(await state(false, before)).toMatch(/closed|ECONNRESET/);
			await state(true, before);
			expect(await back).toBe(device);
			expect(await device.callTool("self.get_device_status")).toMatchObject({ isError: false });
		},
		LIMIT_MS,
	);

	test(
		"that say nothing any more are gone after an unanswered ping, and back with their next hello",
		async () => {
			listen({ pingMs: 50, pingTimeoutMs: 50 });
			await state(true);
			const device = await scripted("quiet");
			const reasons: string[] = [];
			const gone = new Promise<void>((resolve) => devices.listen({ onEnded: (_session, reason) => reasons.push(reason) && resolve() }));
			device.send(HELLO);
			expect(await device.next(({ type }) => type === "hello")).toMatchObject({ version: 3, transport: "udp", session_id: expect.any(String) });
			await gone;
			expect(reasons).toEqual(["the device does not answer any more"]);
			await device.next(({ type }) => type === "goodbye");
			device.send(HELLO);
			await device.next(({ type }) => type === "hello");
		},
		LIMIT_MS,
	);

	test("that send nonsense are reported, and nothing happens", async () => {
		listen();
		await state(true);
		const device = await scripted("odd");
		device.send("text");
		device.send({ ...HELLO, version: 1 });
		device.send({ type: "mcp", payload: {} });
		device.send({ type: "goodbye" });
		device.send(HELLO);
		await device.next(({ type }) => type === "hello");
		expect(problems).toEqual(['device odd: a message that is not a JSON object: "text"', "device odd: hello has version 1, expected 3"]);
	});
});

describe("brokers", () => {
	test(
		"that refuse the account are told of, and tried again",
		async () => {
			listen({ password: "wrong" });
			expect(await state(false)).toContain("the broker refused the connection");
			expect(await state(false, 1)).toContain("the broker refused the connection");
		},
		LIMIT_MS,
	);

	test("that are not there are told of", async () => {
		listen({ url: "mqtt://127.0.0.1:1" });
		expect(await state(false)).toMatch(/ECONNREFUSED/);
	});

	test.each([
		["speak another protocol", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), /no MQTT/],
		[
			"send a packet without end",
			Buffer.concat([
				mqttPacket.generate({ cmd: "connack", returnCode: 0, sessionPresent: false }),
				Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]),
				Buffer.alloc(1_200_000, 65),
			]),
			/too long/,
		],
	])("that %s are left", async (_name, bytes, reason) => {
		fake = createServer((socket) => {
			socket.on("error", () => {});
			socket.write(bytes);
		});
		await new Promise<void>((resolve) => fake?.listen(0, "127.0.0.1", resolve));
		listen({ url: `mqtt://127.0.0.1:${(fake.address() as { port: number }).port}` });
		expect(await state(false)).toMatch(reason);
	});
});

test.each(["a/+/b", "+", "+/x"])("%s is a topic with a place for the id", (topic) => {
	expect(checkTopic(topic)).toBe(topic);
});

test.each(["a/b", "a/+/+", "a/b+/+", "a/#", "#", "a/+/#"])("%s is none", (topic) => {
	expect(() => checkTopic(topic)).toThrow('one "+"');
});
