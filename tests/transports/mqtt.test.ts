// The MQTT transport on a socket that the test plays: how packets go out, and which silence ends the connection.

import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import Timer from "timer";
import { parseMqttEndpoint } from "../../src/net/address.js";
import type { SocketConstructor } from "../../src/sdk/tcp.js";
import type { TlsSettings } from "../../src/tls/settings.js";
import { createMqttTransport, MQTT_HEARTBEAT_MS } from "../../src/transports/mqtt.js";
import { FakeSocket } from "../support/fake-socket.js";

const CONNACK = Uint8Array.of(0x20, 2, 0, 0);
const SUBACK = Uint8Array.of(0x90, 3, 0, 2, 0);
const PINGREQ = Uint8Array.of(0xc0, 0);
const PINGRESP = Uint8Array.of(0xd0, 0);

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

function connect(publishTopic = "up") {
	const onClose = jest.fn<(reason: string) => void>();
	const onOpen = jest.fn();
	const tls: TlsSettings = { socketOptions: (connection) => ({ base: FakeSocket as unknown as SocketConstructor, connection, overheadBytes: 96 }) };
	const transport = createMqttTransport({
		timers: Timer,
		address: parseMqttEndpoint("mqtts://127.0.0.1"),
		clientId: "device",
		username: "user",
		password: "word",
		publishTopic,
		subscribeTopic: "down",
		keepaliveS: 0,
		tls,
	})({ onOpen, onMessage() {}, onClose });
	jest.advanceTimersByTime(1);
	const below = FakeSocket.last;
	below.options.onWritable?.(1000);
	return { below, onClose, onOpen, transport };
}

function open(publishTopic?: string) {
	const it = connect(publishTopic);
	it.below.receive(CONNACK);
	it.below.receive(SUBACK);
	expect(it.onOpen).toHaveBeenCalledTimes(1);
	it.below.written.length = 0;
	return it;
}

test("each packet goes out in one write", () => {
	const { below, transport } = connect();
	expect(below.written.map(([first]) => first)).toEqual([0x10]);
	below.receive(CONNACK);
	expect(below.written.map(([first]) => first)).toEqual([0x10, 0x82]);
	below.receive(SUBACK);
	transport.send("hi");
	expect(Buffer.from(below.written[2] ?? []).toString("latin1")).toBe("\x30\x06\x00\x02uphi");
	expect(below.written).toHaveLength(3);
});

test("a message does not go out in crumbs; its last piece may be small", () => {
	const { below, transport } = open();
	below.onWrite = () => 96;
	below.options.onWritable?.(100);
	transport.send("x".repeat(200));
	expect(below.written).toEqual([]);
	below.options.onWritable?.(170);
	const head = "\x30\xcc\x01\x00\x02up".length;
	const first = (below.written[0]?.length ?? 0) - head;
	expect([below.written.length, first >= 128 && first < 200]).toEqual([1, true]);
	below.options.onWritable?.(100);
	expect(below.written.map(({ length }) => length)).toEqual([head + first, 200 - first]);
});

test("a broker that is silent is pinged, and given up when it stays silent", () => {
	const { below, onClose } = open();
	jest.advanceTimersByTime(MQTT_HEARTBEAT_MS);
	expect(below.written).toEqual([PINGREQ]);
	below.receive(PINGRESP);
	jest.advanceTimersByTime(3 * MQTT_HEARTBEAT_MS - 1);
	expect(onClose).not.toHaveBeenCalled();
	jest.advanceTimersByTime(2);
	expect(onClose.mock.calls).toEqual([["no packet from the broker for 60 s"]]);
});

test("messages are signs of life", () => {
	const { below, onClose } = open();
	for (let i = 0; i < 6; i++) {
		below.receive(Uint8Array.of(0x30, 7, 0, 4, ...Buffer.from("downx")));
		jest.advanceTimersByTime(MQTT_HEARTBEAT_MS - 1000);
	}
	expect([below.written, onClose.mock.calls]).toEqual([[], []]);
});

test("a packet that goes on arriving is no sign of life", () => {
	const { below, onClose } = open();
	below.receive(Uint8Array.of(0x30, 0xff, 0x7f, 0, 1, 0x74));
	for (let ms = 0; ms < 2 * MQTT_HEARTBEAT_MS; ms += 1000) {
		below.receive(Uint8Array.of(0x78));
		jest.advanceTimersByTime(1000);
	}
	jest.advanceTimersByTime(1);
	expect(onClose.mock.calls).toEqual([["no packet from the broker for 60 s"]]);
});

test("a ping for which there is no room waits for it", () => {
	const { below, onClose, transport } = open();
	below.onWrite = () => 0;
	transport.send("fills the window");
	jest.advanceTimersByTime(MQTT_HEARTBEAT_MS);
	expect(below.written).toHaveLength(1);
	below.options.onWritable?.(100);
	expect(below.written.slice(1)).toEqual([PINGREQ]);
	expect(onClose).not.toHaveBeenCalled();
});

test("a broker is asked for a subscription once, and pinged once in an interval", () => {
	const { below, onOpen, transport } = connect();
	below.receive(CONNACK);
	below.options.onWritable?.(1000);
	expect(below.written.map(([first]) => first)).toEqual([0x10, 0x82]);
	below.receive(SUBACK);
	jest.advanceTimersByTime(MQTT_HEARTBEAT_MS);
	transport.send("hi");
	below.options.onWritable?.(1000);
	expect(below.written.map(([first]) => first)).toEqual([0x10, 0x82, 0xc0, 0x30]);
	expect(onOpen).toHaveBeenCalledTimes(1);
});

test("room that is told of is no sign of life", () => {
	const { below, onClose } = open();
	for (let ms = 0; ms < 2 * MQTT_HEARTBEAT_MS; ms += 10_000) {
		below.options.onWritable?.(1000);
		jest.advanceTimersByTime(10_000);
	}
	jest.advanceTimersByTime(1);
	expect(onClose).toHaveBeenCalledTimes(1);
	expect(jest.getTimerCount()).toBe(0);
});

test("the end leaves no timer behind", () => {
	const { below, onClose } = open();
	below.options.onError?.();
	expect(onClose.mock.calls).toEqual([["the connection was lost"]]);
	expect(jest.getTimerCount()).toBe(0);
});

test("a refused subscription is the end; without an answer, the reason says what was waited for", () => {
	const refused = connect();
	refused.below.receive(CONNACK);
	refused.below.receive(Uint8Array.of(0x90, 3, 0, 2, 0x80));
	jest.advanceTimersByTime(1);
	expect([refused.onOpen.mock.calls, refused.onClose.mock.calls]).toEqual([[], [["the broker refused the subscription to down"]]]);
	const silent = connect();
	silent.below.receive(CONNACK);
	silent.below.options.onError?.();
	expect(silent.onClose.mock.calls).toEqual([["the broker ended the connection instead of confirming the subscription"]]);
});

test("what still comes after close is read and dropped, until the broker ends the connection", () => {
	const { below, transport } = open();
	below.onWrite = () => 0;
	transport.send("fills the window, so that the goodbye waits");
	transport.close();
	for (let i = 0; i < 3; i++) below.receive(Uint8Array.of(0x30, 7, 0, 4, ...Buffer.from("downx")));
	expect([below.unread, below.closed]).toEqual([0, 0]);
	below.options.onError?.();
	expect(below.closed).toBe(1);
});

test("a message before the confirmation opens the connection", () => {
	const { below, onOpen } = connect();
	below.receive(CONNACK);
	below.receive(Uint8Array.of(0x30, 7, 0, 4, ...Buffer.from("downx")));
	expect(onOpen).toHaveBeenCalledTimes(1);
});

test("the first piece leaves room for the packet's head", () => {
	const { below, onClose, transport } = open("a topic of some length");
	below.onWrite = () => 96;
	below.options.onWritable?.(250);
	transport.send("x".repeat(300));
	jest.advanceTimersByTime(1);
	const [packet] = below.written;
	expect([below.written.length, packet?.[0], (packet?.length ?? 0) <= 250, onClose.mock.calls]).toEqual([1, 0x30, true, []]);
});
