// The socket below the SDK's DNS-SD: which packets get through to it, and that nothing gets out.

import { beforeEach, expect, jest, test } from "@jest/globals";
import fc from "fast-check";

class FakeUdp {
	static last: FakeUdp;
	readonly waiting: ArrayBuffer[] = [];
	readonly calls: unknown[][] = [];
	constructor(readonly options: { port: number; onReadable(count: number): void }) {
		FakeUdp.last = this;
	}
	read = () => this.waiting.shift();
	write = (...given: unknown[]) => this.calls.push(["write", ...given]);
	add: ((group: string) => void) | undefined = (group) => this.calls.push(["add", group]);
	remove = (group: string) => this.calls.push(["remove", group]);
	close = () => this.calls.push(["close"]);
}
jest.unstable_mockModule("embedded:io/socket/udp", () => ({ __esModule: true, default: FakeUdp }));
const { DnsSdSocket, isReadable } = await import("../../src/net/dns-sd-socket.js");

const name = (text: string) => Buffer.concat([...text.split(".").map((part) => Buffer.from([part.length, ...Buffer.from(part)])), Buffer.from([0])]);
const header = (...counts: number[]) => Buffer.concat([Buffer.alloc(4), ...counts.map((count) => Buffer.from([count >> 8, count & 255]))]);
const question = (type: number, owner = name("_mcp._tcp.local")) => Buffer.concat([owner, Buffer.from([0, type, 0, 1])]);
const record = (type: number, data: Buffer, owner = name("a.local")) =>
	Buffer.concat([owner, Buffer.from([0, type, 0, 1, 0, 0, 0, 1, data.length >> 8, data.length & 255]), data]);

const QUESTION = Buffer.concat([header(1, 0, 0, 0), question(12)]);
const ANSWER = Buffer.concat([
	header(1, 2, 1, 2),
	question(255),
	record(1, Buffer.from([10, 0, 0, 1])),
	record(12, Buffer.from([1, 97, 0xc0, 12]), Buffer.from([0xc0, 12])),
	record(33, Buffer.concat([Buffer.alloc(6), name("a.local")])),
	record(16, Buffer.from("\x09path=/mcp")),
	record(41, Buffer.alloc(0), Buffer.from([0])),
]);

let got: Buffer[];
let socket: InstanceType<typeof DnsSdSocket>;
let udp: FakeUdp;

beforeEach(() => {
	got = [];
	const target = { take: (packet: ArrayBuffer | undefined) => got.push(Buffer.from(packet as ArrayBuffer)) };
	socket = new DnsSdSocket({
		port: 5353,
		target,
		// As the SDK has it.
		onReadable(packets) {
			do (this.target as typeof target).take(this.read());
			while (--packets);
			throw new TypeError("as the SDK does where a packet surprises it");
		},
	});
	udp = FakeUdp.last;
});

function receive(...packets: Buffer[]) {
	udp.waiting.push(...packets.map((packet) => Uint8Array.from(packet).buffer));
	udp.options.onReadable(packets.length);
}

test("packets get through one by one, and what the SDK throws goes nowhere", () => {
	receive(QUESTION, Buffer.from("x"), ANSWER);
	expect(got).toEqual([QUESTION, ANSWER]);
});

test.each([
	["a name that leads to itself", Buffer.concat([header(1, 0, 0, 0), Buffer.from([0xc0, 12, 0, 12, 0, 1])])],
	["names that lead to each other", Buffer.concat([header(2, 0, 0, 0), Buffer.from([0xc0, 18, 0, 12, 0, 1, 0xc0, 12, 0, 12, 0, 1])])],
	["a pointed-to name that leads to itself", Buffer.concat([header(0, 1, 0, 0), record(12, Buffer.from([0xc0, 0x23]))])],
	["a name that leads into the header", Buffer.concat([header(1, 0, 0, 0), Buffer.from([0xc0, 0, 0, 12, 0, 1])])],
	["a label of a kind that there is not", Buffer.concat([header(1, 0, 0, 0), Buffer.from([0x40, 0, 0, 12, 0, 1])])],
	["a name without end", Buffer.concat([header(1, 0, 0, 0), Buffer.from([5, 97])])],
	["a name that is too long", Buffer.concat([header(1, 0, 0, 0), Buffer.from("\x01a".repeat(130)), Buffer.from([0, 0, 12, 0, 1])])],
	["more records than there are", Buffer.concat([header(1, 1, 0, 0), question(12)])],
	["very many records", header(0, 60_000, 0, 0)],
	["an address of three bytes", Buffer.concat([header(0, 1, 0, 0), record(1, Buffer.from([1, 2, 3]))])],
	["a record that is longer than the packet", Buffer.concat([header(0, 1, 0, 0), record(16, Buffer.from("abc"))]).subarray(0, -1)],
	["a packet that does not come in one piece", Buffer.concat([QUESTION, Buffer.alloc(1500)])],
])("%s does not get through", (_what, packet) => {
	receive(packet);
	expect(got).toEqual([]);
});

test("any bytes are looked at and end, however they are mixed", () => {
	const part = fc.oneof(
		fc.uint8Array({ maxLength: 40 }),
		fc.constantFrom(QUESTION.subarray(12), ANSWER.subarray(12), Buffer.from([0xc0, 12]), Buffer.from([0xc0, 40]), Buffer.from("\x01a")),
	);
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 4, maxLength: 4 }), fc.array(part, { maxLength: 60 }), (counts, parts) => {
			expect(typeof isReadable(Buffer.concat([header(...counts), ...parts]))).toBe("boolean");
		}),
		{ numRuns: 500 },
	);
});

test("a network full of packets costs no more than a few a second", () => {
	const now = jest.spyOn(Date, "now").mockReturnValue(5000);
	receive(...Array.from({ length: 100 }, () => QUESTION));
	expect([got.length, udp.waiting.length]).toEqual([20, 0]);
	now.mockReturnValue(6000);
	receive(QUESTION);
	expect(got).toHaveLength(21);
	now.mockRestore();
});

test("the group is joined where the platform can, and left in the end", () => {
	socket.add("224.0.0.251");
	socket.close();
	expect(udp.calls).toEqual([["add", "224.0.0.251"], ["remove", "224.0.0.251"], ["close"]]);
	udp.add = undefined;
	expect(() => socket.add("224.0.0.251")).not.toThrow();
});
