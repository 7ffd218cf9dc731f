// The firmware behind real MQTT brokers, on the XS engine: the session of the WebSocket, carried by topics.

import { type AddressInfo, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import mqttPacket from "mqtt-packet";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { ACCOUNT, type Broker, hasMosquitto, startAedes, startMosquitto } from "../support/brokers.js";
import { LogWatch } from "../support/launch.js";
import { MqttBackend } from "../support/mqtt-peer-client.js";

const LIMIT_MS = 40_000;
const brokers: [string, boolean, () => Promise<Broker>][] = [
	["aedes", true, startAedes],
	["mosquitto", hasMosquitto, startMosquitto],
];

describe.each(brokers)("the firmware behind %s", (_, there, start) => {
	const maybe = there ? test : test.skip;
	const topics = { fromDevice: "devices/one/up", toDevice: "devices/one/down" };
	let broker: Broker;
	let backend: MqttBackend;
	let device: RunningDevice | undefined;
	let log = new LogWatch();

	async function launch(config: Record<string, unknown> = {}): Promise<void> {
		log = new LogWatch();
		device = await runDevice({
			board: "simulator",
			entry: "tests/firmware/links-entry.ts",
			config: {
				mqtt_endpoint: `127.0.0.1:${broker.port}`,
				mqtt_username: ACCOUNT.username,
				mqtt_password: ACCOUNT.password,
				mqtt_publish: topics.fromDevice,
				mqtt_subscribe: topics.toDevice,
				...config,
			},
			onLog: (line) => log.add(line),
		});
	}

	beforeAll(async () => {
		if (!there) return;
		broker = await start();
		backend = await MqttBackend.connect(broker.port, topics, ACCOUNT);
	});

	afterEach(async () => {
		await device?.close();
		device = undefined;
		expect(log.lines.filter((line) => /abort|unhandled/i.test(line))).toEqual([]);
		expect(log.lines.join("\n")).not.toContain(ACCOUNT.password);
	});

	afterAll(async () => {
		backend?.close();
		await broker?.close();
	});

	maybe(
		"says hello with version 3 and udp, answers calls, says goodbye",
		async () => {
			await launch();
			expect(await backend.hello("session-1")).toEqual({
				type: "hello",
				version: 3,
				features: { mcp: true },
				transport: "udp",
				audio_params: { format: "opus", sample_rate: 16000, channels: 1, frame_duration: 60 },
			});
			expect((await backend.ask("initialize", { protocolVersion: "2024-11-05" })).result).toMatchObject({ serverInfo: { name: "simulator" } });
			const names: string[] = [];
			for (let cursor: string | undefined = ""; cursor !== undefined; ) {
				const { result } = await backend.ask("tools/list", { cursor });
				for (const { name } of result.tools) names.push(name);
				cursor = result.nextCursor;
			}
			expect(names).toContain("self.light.set_rgb");
			expect((await backend.ask("tools/call", { name: "self.audio_speaker.set_volume", arguments: { volume: 31 } })).result.content[0].text).toBe(
				"true",
			);
			expect((await backend.ask("tools/call", { name: "nope" })).error.code).toBe(-32601);
			const text = "灯".repeat(680);
			expect((await backend.ask("tools/call", { name: "test.echo", arguments: { text } })).result.content[0].text).toBe(text);
			expect((await backend.ask("tools/call", { name: "test.large", arguments: { length: 7000 } })).result.content[0].text).toHaveLength(7000);
			expect(Math.max(...backend.messages.map((message) => Buffer.byteLength(JSON.stringify(message))))).toBeLessThanOrEqual(8192);
			await device?.close();
			expect(await backend.next(({ type }) => type === "goodbye")).toEqual({ session_id: "session-1", type: "goodbye" });
		},
		LIMIT_MS,
	);

	maybe(
		"answers initialize before any hello",
		async () => {
			await launch();
			await backend.next(({ type }) => type === "hello");
			expect((await backend.ask("initialize", {})).result.protocolVersion).toBe("2024-11-05");
		},
		LIMIT_MS,
	);

	maybe(
		"stays connected after the server's goodbye, and says hello again",
		async () => {
			await launch();
			await backend.hello("session-1");
			await log.logged(/mqtt: ready/);
			backend.send({ type: "goodbye", session_id: "another" });
			backend.send({ type: "goodbye", session_id: "session-1" });
			expect(await log.logged(/mqtt: the server said goodbye; hello again in \d/)).toBeTruthy();
			expect((await backend.ask("tools/call", { name: "test.echo", arguments: { text: "still here" } })).result.content[0].text).toBe("still here");
			await backend.hello("session-2");
			expect((await backend.ask("ping")).result).toEqual({});
			expect(log.lines.filter((line) => /connecting again/.test(line))).toEqual([]);
		},
		LIMIT_MS,
	);

	maybe(
		"says that its password is refused, and tries again",
		async () => {
			await launch({ mqtt_password: "wrong" });
			expect(await log.logged(/mqtt: the broker refused: [45] .*; connecting again/)).toBeTruthy();
		},
		LIMIT_MS,
	);

	maybe(
		"connects again when the broker goes down",
		async () => {
			await launch();
			await backend.hello();
			broker.cut();
			expect(await log.logged(/mqtt: .*; connecting again/)).toBeTruthy();
			backend.close();
			for (;;) {
				try {
					backend = await MqttBackend.connect(broker.port, topics, ACCOUNT);
					break;
				} catch {
					// It is not up yet.
				}
			}
			await backend.hello();
			expect((await backend.ask("ping")).result).toEqual({});
		},
		LIMIT_MS,
	);
});

describe("the firmware behind a broker that falls silent", () => {
	test(
		"pings it, gives it up when it stays silent, and connects again",
		async () => {
			const packets: string[] = [];
			let wake: (() => void) | undefined;
			/** Settles when the device has sent so many packets of one kind. */
			const seen = async (kind: string, count: number) => {
				while (packets.filter((cmd) => cmd === kind).length < count) await new Promise<void>((resolve) => (wake = resolve));
			};
			let answering = true;
			const publication = (message: unknown) =>
				mqttPacket.generate({ cmd: "publish", topic: "down", payload: JSON.stringify(message), qos: 0, dup: false, retain: false });
			const server = createServer((socket) => {
				const parser = mqttPacket.parser();
				socket.on("data", (data) => parser.parse(data));
				socket.on("error", () => {});
				parser.on("packet", ({ cmd }) => {
					packets.push(cmd);
					if (cmd === "connect") socket.write(Buffer.from([0x20, 2, 0, 0]));
					else if (cmd === "subscribe")
						socket.write(Buffer.concat([Buffer.from([0x90, 3, 0, 2, 0]), publication({ type: "hello", session_id: "s" })]));
					// The device's reply to the request shows that it has the pong.
					else if (cmd === "pingreq" && answering)
						socket.write(Buffer.concat([Buffer.from([0xd0, 0]), publication({ type: "mcp", payload: { jsonrpc: "2.0", id: 1, method: "ping" } })]));
					wake?.();
				});
			});
			await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
			const log = new LogWatch();
			const device = await runDevice({
				board: "simulator",
				clock: "manual",
				config: { mqtt_endpoint: `127.0.0.1:${(server.address() as AddressInfo).port}`, mqtt_publish: "up", mqtt_subscribe: "down" },
				onLog: (line) => log.add(line),
			});
			try {
				await log.logged(/mqtt: ready/);
				const before = packets.filter((cmd) => cmd === "publish").length;
				await device.advance(31_000);
				await seen("pingreq", 1);
				await seen("publish", before + 1);
				await device.advance(60_000);
				await seen("pingreq", 2);
				await seen("publish", before + 2);
				answering = false;
				await device.advance(60_000);
				await seen("pingreq", 3);
				await device.advance(30_000);
				expect(await log.logged(/^mqtt: no packet from the broker for 60 s; connecting again/)).toBeTruthy();
				await device.advance(2000);
				await seen("connect", 2);
				expect(packets.filter((cmd) => cmd === "pingreq")).toHaveLength(3);
			} finally {
				await device.close();
				await new Promise((resolve) => server.close(resolve));
			}
		},
		LIMIT_MS,
	);
});
