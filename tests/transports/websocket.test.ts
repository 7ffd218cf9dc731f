// The WebSocket transport on a socket that the test plays: how it fills small windows, and what it does not let go on for ever.

import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import Timer from "timer";
import { parseWebSocketUrl } from "../../src/net/address.js";
import type { SocketConstructor } from "../../src/sdk/tcp.js";
import type { TlsSettings } from "../../src/tls/settings.js";
import { MAX_PASSED_OVER_BYTES } from "../../src/transports/transport.js";
import { createWebSocketTransport } from "../../src/transports/websocket.js";
import { FakeSocket } from "../support/fake-socket.js";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

beforeEach(() => {
	jest.useFakeTimers();
	// Frames are masked with zeros, so that their payload can be read.
	jest.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

/** An open connection; `room` is what the socket takes after each write. */
function open(room: number) {
	const onClose = jest.fn<(reason: string) => void>();
	const onMessage = jest.fn<(bytes: Uint8Array) => void>();
	const onOpen = jest.fn();
	const tls: TlsSettings = { socketOptions: (connection) => ({ base: FakeSocket as unknown as SocketConstructor, connection, overheadBytes: 96 }) };
	const connect = createWebSocketTransport({ timers: Timer, url: parseWebSocketUrl("wss://127.0.0.1/path"), tls });
	const transport = connect({ onOpen, onMessage, onClose });
	jest.advanceTimersByTime(1);
	const below = FakeSocket.last;
	// The socket keeps 96 bytes back for TLS.
	below.onWrite = () => room + 96;
	below.options.onWritable?.(1000);
	const [, key] = /Sec-WebSocket-Key: (\S+)/.exec(Buffer.from(below.written.splice(0)[0] ?? []).toString()) ?? [];
	const accept = createHash("sha1").update(`${key}${GUID}`).digest("base64");
	below.receive(Buffer.from(`HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`));
	if (onOpen.mock.calls.length === 0) below.options.onWritable?.(room);
	return { below, onClose, onMessage, transport };
}

/** The payload of a frame that was sent, with its first byte. */
function sent(frame: Uint8Array | undefined): { first: number; text: string } {
	const bytes = Buffer.from(frame ?? []);
	const header = (bytes[1] ?? 0) === 0xfe ? 8 : 6;
	return { first: bytes[0] ?? 0, text: bytes.toString("latin1", header) };
}

test("a message does not go out in crumbs; its last piece may be small", () => {
	const { below, transport } = open(20);
	transport.send("x".repeat(200));
	expect(below.written).toEqual([]);
	below.options.onWritable?.(190);
	const first = sent(below.written[0]);
	expect(below.written).toHaveLength(1);
	expect([first.first, first.text.length >= 128]).toEqual([0x01, true]);
	below.options.onWritable?.(100);
	expect(sent(below.written[1])).toEqual({ first: 0x80, text: "x".repeat(200 - first.text.length) });
});

test("what is sent once the connection stands is left as it is, whatever it looks like", () => {
	const { below, onClose, transport } = open(1000);
	transport.send("GET\r\nHost: me\r\nConnection: mine\r\n\r\n");
	expect(sent(below.written[0]).text).toBe("GET\r\nHost: me\r\nConnection: mine\r\n\r\n");
	below.options.onError?.();
	expect(onClose).toHaveBeenCalledWith("the connection was lost");
});

test("a ping for which there is no room is left out", () => {
	const { below, onClose, transport } = open(1000);
	below.onWrite = () => 0;
	transport.send("fills the window");
	transport.ping?.();
	jest.advanceTimersByTime(10);
	expect([below.written.length, onClose.mock.calls]).toEqual([1, []]);
	below.options.onWritable?.(20);
	transport.ping?.();
	expect(sent(below.written[1])).toEqual({ first: 0x89, text: "\0" });
});

test("a ping after the peer's close harms nobody", () => {
	const { below, onClose, transport } = open(1000);
	below.receive(Uint8Array.of(0x88, 0));
	jest.advanceTimersByTime(1);
	expect(sent(below.written[0]).first).toBe(0x88);
	expect(() => transport.ping?.()).not.toThrow();
	jest.advanceTimersByTime(2000);
	expect(onClose.mock.calls).toEqual([["closed by the peer: without a code"]]);
});

test("what still comes after close is read and dropped, up to the peer's own close", () => {
	const { below, onMessage, transport } = open(1000);
	onMessage.mockImplementation(() => transport.close());
	const text = [0x81, 1, 0x78];
	below.receive(Uint8Array.from([...text, ...text, ...text]));
	jest.advanceTimersByTime(10);
	expect([onMessage.mock.calls.length, below.closed]).toEqual([1, 0]);
	below.receive(Uint8Array.of(0x88, 0));
	expect(below.closed).toBe(1);
});

test("a goodbye for which there is no room waits for it", () => {
	const { below, transport } = open(1000);
	below.onWrite = () => 0;
	transport.send("fills the window");
	transport.close();
	expect(below.written).toHaveLength(1);
	below.options.onWritable?.(100);
	expect(sent(below.written[1])).toEqual({ first: 0x88, text: "\x03\xe8" });
});

test.each([
	["text", 0x01],
	["binary", 0x02],
])("a %s message that does not end, ends the connection", (_title, opcode) => {
	const { below, onClose } = open(1000);
	const frame = (first: number) => Buffer.concat([Buffer.from([first, 126, 0x7f, 0xff]), Buffer.alloc(0x7fff, 0x78)]);
	below.receive(frame(opcode));
	for (let bytes = 0x7fff; bytes + 0x7fff <= MAX_PASSED_OVER_BYTES; bytes += 0x7fff) below.receive(frame(0));
	jest.advanceTimersByTime(10);
	expect(onClose).not.toHaveBeenCalled();
	below.receive(frame(0));
	jest.advanceTimersByTime(10);
	expect(onClose.mock.calls).toEqual([[expect.stringMatching(/^a message that does not end after 12\d{5} bytes$/)]]);
});

test("messages are counted one by one", () => {
	const { below, onClose, onMessage } = open(1000);
	const text = Buffer.concat([Buffer.from([0x81, 126, 0x0f, 0xff]), Buffer.alloc(0x0fff, 0x78)]);
	for (let bytes = 0; bytes <= MAX_PASSED_OVER_BYTES; bytes += 0x0fff) {
		below.receive(text);
		jest.advanceTimersByTime(10);
	}
	expect([onClose.mock.calls, onMessage.mock.calls.length]).toEqual([[], 294]);
});

test.each([
	["2", [0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 14]],
	["3", [1, 0, 0, 14]],
])("JSON in a binary message of version %s is read like text, audio is not, and what follows is", (_, head) => {
	const { below, onMessage } = open(1000);
	const json = Buffer.from('{"type":"mcp"}');
	const frame = (first: number, ...parts: Uint8Array[]) => {
		const payload = Buffer.concat(parts);
		return Buffer.concat([Buffer.of(first, payload.length), payload]);
	};
	const wrapped = Buffer.from(head);
	const audio = Buffer.from(head.map((byte, at) => (at === (head.length > 4 ? 3 : 0) ? 0 : byte)));
	const read: string[] = [];
	onMessage.mockImplementation((bytes) => void read.push(Buffer.from(bytes).toString()));
	for (const bytes of [
		frame(0x82, wrapped, json),
		frame(0x82, audio, json),
		frame(0x02, wrapped, json.subarray(0, 5)),
		frame(0x80, json.subarray(5)),
	])
		below.receive(bytes);
	below.receive(frame(0x81, Buffer.from("text")));
	below.receive(frame(0x82, wrapped));
	jest.advanceTimersByTime(10);
	expect(read).toEqual(['{"type":"mcp"}', '{"type":"mcp"}', "text"]);
});
