// What the MQTT client gets to see of a broker's packets, however they are cut.

import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import mqttPacket from "mqtt-packet";
import Timer from "timer";
import { parseMqttEndpoint } from "../../src/net/address.js";
import { MAX_TOPIC_BYTES } from "../../src/net/mqtt-topic.js";
import { ReceiveBuffer } from "../../src/net/receive-buffer.js";
import { createMqttTransport, type MqttOptions } from "../../src/transports/mqtt.js";
import { PacketFilter } from "../../src/transports/mqtt-packets.js";
import { MAX_INBOUND_BYTES } from "../../src/transports/transport.js";

const CONNACK = Buffer.from([0x20, 2, 0, 0]);
const publish = (topic: string, payload: Buffer | string, qos: 0 | 1 | 2 = 0, retain = false) =>
	mqttPacket.generate({ cmd: "publish", topic, payload, qos, dup: false, retain, messageId: 5 });

function filter(stream: Uint8Array, size: number, topic?: string): { passed: Buffer; problem: string | undefined; log: string[] } {
	const log: string[] = [];
	const packets = new PacketFilter((line) => log.push(line), topic);
	const inbox = new ReceiveBuffer();
	let problem: string | undefined;
	for (let at = 0; at < stream.length && !problem; at += size) problem = packets.take(stream.slice(at, at + size), inbox);
	return { passed: Buffer.from(inbox.rest()), problem, log };
}

describe("the packets of a broker", () => {
	test("pass unchanged when they are good, however they are cut", () => {
		const packet = fc.oneof(
			fc
				.tuple(
					fc.string({ minLength: 1, maxLength: 20 }),
					fc.uint8Array({ minLength: 1, maxLength: 300 }),
					fc.constantFrom(0 as const, 1 as const, 2 as const),
				)
				.map(([topic, payload, qos]) => publish(topic.replaceAll(/[+#]/g, "x"), Buffer.from(payload), qos)),
			fc.constantFrom(Buffer.from([0xd0, 0]), Buffer.from([0x90, 3, 0, 2, 0]), Buffer.from([0x62, 2, 0, 5])),
		);
		fc.assert(
			fc.property(fc.array(packet, { maxLength: 8 }), fc.integer({ min: 1, max: 400 }), (packets, size) => {
				const stream = Buffer.concat([CONNACK, ...packets]);
				expect(filter(stream, size)).toEqual({ passed: stream, problem: undefined, log: [] });
			}),
		);
	});

	test("are left out when the client cannot bear them", () => {
		const good = publish("t", "good");
		const large = publish("t", "x".repeat(MAX_INBOUND_BYTES + 1));
		const stream = Buffer.concat([
			CONNACK,
			publish("t", ""),
			Buffer.from([0x40, 2, 0, 1]),
			large,
			publish("t".repeat(MAX_TOPIC_BYTES + 1), "a"),
			good,
		]);
		for (const size of [1, 3, 1536, 50_000])
			expect(filter(stream, size)).toEqual({
				passed: Buffer.concat([CONNACK, good]),
				problem: undefined,
				log: ["a message of 4097 bytes was dropped: the limit is 4096", "a message on a topic of 513 bytes was dropped: the limit is 512"],
			});
	});

	test("are left out when they were retained, or are on another topic than the subscribed one", () => {
		const good = publish("to/音", "good");
		const stream = Buffer.concat([
			CONNACK,
			publish("to/音", "reboot", 0, true),
			publish("to/er", "other"),
			publish("to/", "shorter"),
			publish("to/音/more", "longer"),
			good,
			publish("to/音", "again", 1),
		]);
		const OTHER = "a message on another topic than the subscribed one was dropped";
		for (const size of [1, 3, 1536])
			expect(filter(stream, size, "to/音")).toEqual({
				passed: Buffer.concat([CONNACK, good, publish("to/音", "again", 1)]),
				problem: undefined,
				log: ["a retained message was dropped", OTHER, OTHER, OTHER],
			});
		// Without a subscription the broker chooses the topic.
		expect(filter(stream, 7)).toMatchObject({ log: ["a retained message was dropped"] });
	});

	test.each([
		[[0x48, 0x54, 0x54, 0x50], "the server does not speak MQTT: it begins with byte 72"],
		[[0x30, 3, 0, 1, 0x61], "the server does not speak MQTT: it begins with byte 48"],
		[[0x20, 3, 0, 0, 0], "an answer to CONNECT of 3 bytes"],
		[[0x20, 2, 0, 5], "the broker refused: 5 not authorised"],
		[[0x20, 2, 0, 77], "the broker refused: 77 unknown code"],
		[[...CONNACK, ...CONNACK], "a second answer to CONNECT"],
		[[...CONNACK, 0x30, 0x80, 0x80, 0x80, 0x80, 1], "a length of more than four bytes"],
		[[...CONNACK, 0x30, 1, 0], "a malformed message"],
		[[...CONNACK, 0x32, 3, 0, 1, 0x61], "a malformed message"],
		[[...CONNACK, 0x36, 6, 0, 1, 0x61, 0, 5, 1], "a malformed message"],
		[[...CONNACK, 0x30, 4, 0, 0, 1, 1], "a message without a topic"],
		[[...CONNACK, 0x30, 4, 0, 9, 1, 1], "a message without a topic"],
		[[...CONNACK, 0x90, 4, 0, 1, 0, 0], "an answer to SUBSCRIBE of 4 bytes"],
		[[...CONNACK, 0xd0, 1, 0], "an answer to a ping of 1 bytes"],
		[[...CONNACK, 0x60, 2, 0, 1], "a malformed release"],
		[[...CONNACK, 0x62, 1, 0], "a malformed release"],
		[[...CONNACK, 0x62, 3, 0, 1, 0], "a malformed release"],
		[[...CONNACK, 0x40, 3, 0, 1, 0], "a packet of kind 4"],
		[[...CONNACK, 0x82, 2, 0, 1], "a packet of kind 8"],
		[[...CONNACK, 0x30, 0x84, 0x9f, 0x49, 0, 1, 0x61], "a message of 1200001 bytes, at most 1200000 are passed over"],
		...[0, 1, 8, 10, 12, 14, 15].map((kind) => [[...CONNACK, kind << 4, 0], `a packet of kind ${kind}`] as const),
	] as [number[], string][])("end the connection when they are %j", (stream, words) => {
		for (const size of [1, 2, 100]) expect(filter(Uint8Array.from(stream), size).problem).toContain(words);
	});

	test("any bytes are taken without throwing", () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 50 }), (stream, size) => {
				filter(Buffer.concat([CONNACK, stream]), size);
				filter(stream, size);
			}),
		);
	});
});

describe("settings that can never work", () => {
	const good: MqttOptions = { timers: Timer, address: parseMqttEndpoint("h:1883"), clientId: "c", publishTopic: "up", subscribeTopic: "down" };
	test.each([
		[{ address: parseMqttEndpoint("h") }, "needs TLS"],
		[{ address: parseMqttEndpoint("mqtts://h:1883") }, "needs TLS"],
		[{ publishTopic: "" }, "publish topic is missing"],
		[{ publishTopic: "up/+" }, "wildcard"],
		[{ publishTopic: "a\u0000b" }, "control character"],
		[{ publishTopic: "x".repeat(200) }, "longer than 170"],
		[{ subscribeTopic: "" }, "subscribe topic is missing"],
		[{ password: "secret" }, "needs a user name"],
		[{ username: "x".repeat(5000) }, "user name"],
		[{ keepaliveS: -1 }, "keepalive"],
		[{ keepaliveS: Number.NaN }, "keepalive"],
	])("%j is refused in words that hold no secret", (wrong, words) => {
		expect(() => createMqttTransport({ ...good, ...wrong })).toThrow(words);
		try {
			createMqttTransport({ ...good, ...wrong });
		} catch (error) {
			expect((error as Error).message).not.toContain("secret");
		}
	});

	test("good ones are taken", () => {
		expect(createMqttTransport(good)).toBeInstanceOf(Function);
	});
});
