// The socket below the SDK's TLS: one record at a time, checked, and nothing that the TLS code throws leaves it.

import { beforeEach, expect, jest, test } from "@jest/globals";
import { ManualTimers } from "../mcp/support.js";
import { makeCertificate } from "../support/certificates.mjs";
import { FakeSocket } from "../support/fake-socket.js";

jest.unstable_mockModule("embedded:io/socket/tcp", () => ({ __esModule: true, default: FakeSocket }));
const { TlsRecordSocket } = await import("tls/record-socket");
const { ConnectionState } = await import("net/connection-state");

const HANDSHAKE = 22;
const APPLICATION_DATA = 23;
const record = (type: number, body: Uint8Array) => Buffer.concat([Buffer.from([type, 3, 3, body.length >> 8, body.length & 255]), body]);
const inThree = (bytes: Uint8Array) => Buffer.concat([Buffer.from([0, bytes.length >> 8, bytes.length & 255]), bytes]);
const message = (type: number, body: Uint8Array) => record(HANDSHAKE, Buffer.concat([Buffer.from([type]), inThree(body)]));
const alert = (code: number) => record(21, Buffer.from([2, code]));

const own = makeCertificate({ name: "own", names: ["localhost"] });
const hello = (...extensions: number[]) =>
	message(2, Buffer.concat([Buffer.from([3, 3]), Buffer.alloc(32), Buffer.from([0, 0xc0, 0x2b, 0, ...extensions])]));
const HELLO = hello();
/** The server takes records of 2048 bytes (RFC 6066, section 4), between two other extensions. */
const AGREEING_HELLO = hello(0, 14, 0, 11, 0, 1, 0, 0, 1, 0, 1, 3, 0, 23, 0, 0);
const signature = Buffer.from([0x30, 6, 2, 1, 1, 2, 1, 1]);
const FLIGHT = [
	HELLO,
	message(11, inThree(inThree(own.bytes))),
	message(12, Buffer.concat([Buffer.from([3, 0, 23, 65]), Buffer.alloc(65, 4), Buffer.from([4, 3, 0, signature.length]), signature])),
	message(14, Buffer.alloc(0)),
	record(20, Buffer.from([1])),
];
const DATA = record(APPLICATION_DATA, Buffer.alloc(300, 7));

let timers: ManualTimers;
let paused: boolean;
/** What the TLS code does when it is told of bytes; it reads all of them where the test does not say otherwise. */
let onReadable: (count: number) => void;
const onWritable = jest.fn();
const onError = jest.fn();
/** What the TLS code was told of, call by call. */
let told: Buffer[];

function connect(host = "localhost") {
	told = [];
	const connection = new ConnectionState({
		timers,
		reader: {
			get paused() {
				return paused;
			},
		},
	});
	const socket = new TlsRecordSocket({
		connection,
		base: FakeSocket,
		overheadBytes: 0,
		address: "192.0.2.1",
		host,
		port: 443,
		secure: { verify: false, cache: false, trusted: () => [own.bytes] },
		onReadable: (count) => onReadable(count),
		onWritable,
		onError,
	});
	onReadable = (count) => {
		told.push(Buffer.from(socket.read(count) as ArrayBuffer));
	};
	return { connection, socket, below: FakeSocket.last };
}

/** A connection after the server's change of cipher. */
function cipher(first = HELLO) {
	const it = connect();
	it.below.receive(Buffer.concat([first, ...FLIGHT.slice(1)]));
	expect([it.connection.reason, told.length]).toEqual([undefined, FLIGHT.length]);
	told = [];
	return it;
}

const boom = () => {
	throw new Error("boom");
};

beforeEach(() => {
	timers = new ManualTimers();
	paused = false;
	onWritable.mockReset();
	onError.mockReset();
});

test("hands on one record at a time, those in clear whole, however they come", () => {
	const stream = Buffer.concat([...FLIGHT, DATA, DATA]);
	for (const size of [1, 7, 100, stream.length]) {
		const { below, connection } = connect();
		for (let at = 0; at < stream.length; at += size) below.receive(stream.subarray(at, at + size));
		expect([connection.reason, told.slice(0, FLIGHT.length)]).toEqual([undefined, FLIGHT]);
		expect(Buffer.concat(told)).toEqual(stream);
	}
});

test("a handshake message that comes in several records is handed on as one, with those before it", () => {
	const bodies = FLIGHT.slice(0, 4).map((one) => one.subarray(5));
	const all = Buffer.concat(bodies);
	for (const size of [20, 50, 100, all.length]) {
		const { below, connection } = connect();
		// The first is cut within its header.
		below.receive(record(HANDSHAKE, all.subarray(0, 2)));
		for (let at = 2; at < all.length; at += size) below.receive(record(HANDSHAKE, all.subarray(at, at + size)));
		below.receive(FLIGHT[4] as Buffer);
		below.receive(DATA);
		expect([connection.reason, told.slice(-3)]).toEqual([undefined, [FLIGHT[4], DATA.subarray(0, 5), DATA.subarray(5)]]);
		const handshake = told.slice(0, -3);
		expect(Buffer.concat(handshake.map((one) => one.subarray(5)))).toEqual(all);
		for (const one of handshake) expect([one.subarray(0, 3), one.readUInt16BE(3)]).toEqual([Buffer.from([HANDSHAKE, 3, 3]), one.length - 5]);
	}
});

test("what follows half a handshake message in the same piece of the stream is not lost", () => {
	const certificates = (FLIGHT[1] as Buffer).subarray(5);
	const { below, connection } = connect();
	const halves = [certificates.subarray(0, 9), certificates.subarray(9)].map((half) => record(HANDSHAKE, half));
	below.receive(Buffer.concat([HELLO, ...halves, ...FLIGHT.slice(2), DATA]));
	expect([connection.reason, Buffer.concat(told)]).toEqual([undefined, Buffer.concat([...FLIGHT, DATA])]);
});

test.each([
	["cut off", [record(HANDSHAKE, HELLO.subarray(5, 20)), FLIGHT[4] as Buffer], "TLS failed: a handshake message was cut off"],
	[
		"endless",
		[record(HANDSHAKE, Buffer.from([2, 1, 0, 0])), record(HANDSHAKE, Buffer.alloc(16_381))],
		"TLS failed: the server's handshake has a message over 16384 bytes",
	],
	[
		"in crumbs",
		[record(HANDSHAKE, Buffer.from([2, 0, 1, 0])), ...Array.from({ length: 100 }, () => record(HANDSHAKE, Buffer.alloc(1)))],
		"TLS failed: the server's handshake has a message in more than 64 records",
	],
	[
		"in empty records",
		[record(HANDSHAKE, Buffer.from([2])), ...Array.from({ length: 100 }, () => record(HANDSHAKE, Buffer.alloc(0)))],
		"TLS failed: the server's handshake has a message in more than 64 records",
	],
	[
		"behind thousands of empty ones",
		[record(HANDSHAKE, Buffer.concat([Buffer.alloc(16_000), Buffer.from([11, 0])]))],
		"TLS failed: the server does not keep to the order of a TLS handshake",
	],
])("a handshake message that is %s ends the connection in words", (_title, records, words) => {
	const { below, connection } = connect();
	below.receive(Buffer.concat(records));
	expect([connection.reason, told]).toEqual([words, []]);
});

test("a server that has agreed on the length of records is held to it, before their bytes are collected", () => {
	const longest = cipher(AGREEING_HELLO);
	longest.below.receive(Buffer.from([APPLICATION_DATA, 3, 3, 0x08, 0x18]));
	expect(longest.connection.reason).toBeUndefined();
	const { below, connection } = cipher(AGREEING_HELLO);
	below.receive(Buffer.from([APPLICATION_DATA, 3, 3, 0x08, 0x19]));
	expect([connection.reason, told]).toEqual(["TLS failed: the server sent a record of 2073 bytes, and had agreed on at most 2048", []]);
});

test("a host name may be in capitals", () => {
	const { below, connection } = connect("LocalHost");
	below.receive(Buffer.concat(FLIGHT));
	expect(connection.reason).toBeUndefined();
});

test("an encrypted record is handed on as it comes, first its header", () => {
	const { below } = cipher();
	below.receive(DATA.subarray(0, 100));
	expect(told).toEqual([DATA.subarray(0, 5), DATA.subarray(5, 100)]);
});

test.each([
	["onReadable", "TLS failed: Error: boom"],
	["onWritable", "TLS failed: Error: boom"],
] as const)("what the TLS code throws in %s ends the connection in words", (name, reason) => {
	const { below, connection } = connect();
	if (name === "onReadable") {
		onReadable = boom;
		expect(() => below.receive(HELLO)).not.toThrow();
	} else {
		onWritable.mockImplementation(boom);
		expect(() => below.options.onWritable?.(100)).not.toThrow();
	}
	timers.advance(0);
	expect([connection.reason, below.closed, onError.mock.calls.length]).toEqual([reason, 1, 1]);
});

test("what is thrown at the end goes nowhere", () => {
	const { below, connection } = connect();
	onError.mockImplementation(boom);
	below.close = boom;
	expect(() => below.options.onError?.()).not.toThrow();
	expect(connection.reason).toBe("Error: boom");
});

test("a record that the TLS code does not read whole ends the connection", () => {
	const { below, connection, socket } = connect();
	onReadable = (count) => void socket.read(count - 1);
	below.receive(HELLO);
	expect(connection.reason).toBe("TLS failed: a record was not read whole");
});

test("no record is handed on in the middle of another", () => {
	const { below, connection, socket } = connect();
	const events: string[] = [];
	onReadable = (count) => {
		events.push("begins");
		if (events.length === 1) {
			below.receive(FLIGHT[1] as Buffer);
			connection.flow();
		}
		socket.read(count);
		events.push("ends");
	};
	below.receive(HELLO);
	expect([connection.reason, events]).toEqual([undefined, ["begins", "ends", "begins", "ends"]]);
});

test("nothing is read while the transport is busy", () => {
	const { below, connection } = cipher();
	paused = true;
	below.receive(DATA);
	expect([told, below.unread]).toEqual([[], DATA.length]);
	paused = false;
	connection.flow();
	expect(Buffer.concat(told)).toEqual(DATA);
});

test.each([
	["an unknown kind of record", Buffer.from([24, 3, 3, 0, 1, 0])],
	["a kind below all", Buffer.from([19, 3, 3, 0, 1, 0])],
	["another version", Buffer.from([22, 2, 3, 0, 1, 0])],
	["a record in clear that is longer than TLS allows", Buffer.from([22, 3, 3, 0x40, 1])],
])("%s is not TLS", (_title, bytes) => {
	const { below, connection } = connect();
	below.receive(bytes);
	expect([connection.reason, told]).toEqual(["the server does not speak TLS", []]);
});

test("an encrypted record may be longer by what encryption adds, and no more", () => {
	const longest = cipher();
	longest.below.receive(Buffer.from([23, 3, 3, 0x48, 0]));
	expect(longest.connection.reason).toBeUndefined();
	const { below, connection } = cipher();
	below.receive(Buffer.from([23, 3, 3, 0x48, 1]));
	expect(connection.reason).toBe("the server does not speak TLS");
});

test.each([
	[40, "alert 40, no common cipher"],
	[0, "alert 0, closed"],
	[99, "alert 99"],
])("alert %i in clear ends the connection before the TLS code hears of it, however it is cut", (code, words) => {
	for (const size of [1, 7]) {
		const { below, connection } = connect();
		for (let at = 0; at < 7; at += size) below.receive(alert(code).subarray(at, at + size));
		expect([connection.reason, told]).toEqual([`TLS failed: the server refused: ${words}`, []]);
	}
});

test("an encrypted alert is left to the TLS code", () => {
	const { below, connection } = cipher();
	below.receive(alert(0));
	expect([connection.reason, Buffer.concat(told)]).toEqual([undefined, alert(0)]);
});

test("what the handshake's check refuses does not reach the TLS code", () => {
	const { below, connection } = connect();
	below.receive(FLIGHT[1] as Buffer);
	expect([connection.reason, told]).toEqual(["TLS failed: the server does not keep to the order of a TLS handshake", []]);
});

test("application data goes out encrypted only", () => {
	const early = connect();
	expect(early.socket.write(DATA)).toBe(0);
	expect([early.connection.reason, early.below.written]).toEqual(["TLS failed: the handshake did not complete", []]);
	const { below, socket } = cipher();
	expect(socket.write(DATA)).toBe(1000);
	expect(below.written).toEqual([Uint8Array.from(DATA)]);
});

test("an alert of this side is the reason for the end, which is told in a later turn", () => {
	const { below, connection, socket } = connect();
	expect(socket.write(alert(42))).toBe(0);
	expect([connection.reason, below.written]).toEqual(["TLS failed: this side refused: alert 42, bad certificate", []]);
	expect(onError).not.toHaveBeenCalled();
	expect(socket.write(HELLO)).toBe(0);
	expect(below.written).toEqual([]);
	timers.advance(0);
	expect([below.closed, onError.mock.calls.length]).toEqual([1, 1]);
});

test("an encrypted alert of this side says nothing that could be read", () => {
	const { connection, socket } = cipher();
	socket.write(alert(42));
	expect(connection.reason).toBe("TLS failed: this side refused: an alert");
});

test.each([
	["is dead", () => undefined, "the connection was lost while sending"],
	["throws", boom, "the connection was lost while sending (Error: boom)"],
])("a write to a socket that %s is told in a later turn", (_title, onWrite, reason) => {
	const { below, connection, socket } = connect();
	below.onWrite = onWrite;
	expect(socket.write(HELLO)).toBe(0);
	expect(onError).not.toHaveBeenCalled();
	timers.advance(0);
	expect([connection.reason, onError.mock.calls.length]).toEqual([reason, 1]);
});

test("a write after close is for nobody, and has no reason", () => {
	const { connection, socket } = connect();
	socket.close();
	expect([socket.write(HELLO), connection.reason]).toEqual([0, undefined]);
});

test("nothing happens after close", () => {
	const { below, socket } = connect();
	socket.write(alert(42));
	socket.close();
	socket.close();
	timers.advance(0);
	expect(timers.size).toBe(0);
	below.receive(HELLO);
	below.options.onError?.();
	expect([below.closed, socket.write(HELLO), told, onError.mock.calls]).toEqual([1, 0, [], []]);
});

test("the socket below is opened where the TLS code wants it, without delay, and says when TLS begins", () => {
	const { below, connection } = connect();
	expect(below.options).toMatchObject({ address: "192.0.2.1", host: "localhost", port: 443, nodelay: true });
	connection.stage = "connecting";
	below.options.onWritable?.(100);
	expect([connection.stage, onWritable.mock.calls]).toEqual(["waiting for TLS", [[100]]]);
	connection.stage = "open";
	below.options.onWritable?.(100);
	expect(connection.stage).toBe("open");
});
