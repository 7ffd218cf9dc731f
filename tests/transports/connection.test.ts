// What every transport over a socket shares: bounded queues, a few deliveries per turn, time limits, and one end.

import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { OutboundMessage } from "../../src/net/outbound-message.js";
import { CLOSE_TIMEOUT_MS, CONNECT_TIMEOUT_MS, Connection, InboundMessage, STALL_TIMEOUT_MS } from "../../src/transports/connection.js";
import { CONGESTED_BYTES, MAX_INBOUND_BYTES, MAX_QUEUED_BYTES, type TransportCallbacks } from "../../src/transports/transport.js";
import { ManualTimers, settle } from "../mcp/support.js";

let timers: ManualTimers;
let it: FakeConnection;
const log = jest.fn();
const callbacks = {
	onOpen: jest.fn(),
	onMessage: jest.fn<(bytes: Uint8Array) => void>(),
	onAlive: jest.fn(),
	onRefused: jest.fn<(head: Uint8Array, problem: string) => void>(),
	onClose: jest.fn<(reason: string) => void>(),
};
const boom = () => {
	throw new Error("boom");
};

/** A transport over nothing, whose client the test plays. */
class FakeConnection extends Connection {
	events: string[] = [];
	/** How often what was held back may go on. */
	flows = 0;
	onOpening: () => void = () => {};
	onWrite: () => void = () => {};
	onRelease: () => void = () => {};
	onAbort: () => void = () => {};
	canClose = true;

	constructor(opening: () => void = () => {}) {
		super({ host: "h", port: 1, authority: "h:1" }, callbacks as TransportCallbacks, { timers, log });
		this.onOpening = opening;
		this.connection.join({ flow: () => ++this.flows > 0, close: () => this.events.push("parts closed") });
		this.begin();
	}
	protected open(): void {
		this.onOpening();
	}
	protected writePiece(message: OutboundMessage): number | undefined {
		this.onWrite();
		const count = Math.min(message.left, this.writable);
		this.writable -= count;
		this.events.push(`wrote ${count}`);
		return count;
	}
	protected sendClose(): boolean {
		if (this.canClose) this.events.push("said goodbye");
		return this.canClose;
	}
	protected override sendAbort(): void {
		this.events.push("aborted");
		this.onAbort();
	}
	protected release(): void {
		this.events.push("released");
		this.onRelease();
	}
	room(count: number): void {
		this.safely(() => this.takeWritable(count));
	}
	receive(text: string | number): void {
		const message = new InboundMessage();
		message.add(typeof text === "number" ? new Uint8Array(text) : Buffer.from(text), true);
		this.arrived(message);
	}
	event(): void {
		this.connection.events++;
	}
	arrive(message: InboundMessage): void {
		this.arrived(message);
	}
	/** Everything goes out with the next message. */
	drain(): void {
		this.writable = 2 * CONGESTED_BYTES;
		this.send("y");
	}
	stand(): void {
		this.opened();
	}
	work(act: () => void): void {
		this.safely(act);
	}
	lose(reason?: string): void {
		this.finish(reason);
	}
	closing(reason: string): void {
		this.peerClosing(reason);
	}
	/** The events since the last call. */
	get news(): string[] {
		return this.events.splice(0);
	}
	get isPaused(): boolean {
		return this.connection.paused;
	}
}

const messages = () => callbacks.onMessage.mock.calls.map(([bytes]) => Buffer.from(bytes).toString());
const reasons = () => callbacks.onClose.mock.calls.map(([reason]) => reason);

beforeEach(() => {
	timers = new ManualTimers();
	for (const mock of [log, ...Object.values(callbacks)]) mock.mockReset();
	it = new FakeConnection();
});

/** An open connection with this much room. */
function open(room = 0): void {
	it.room(1);
	it.room(room);
	it.events = [];
}

describe("the beginning", () => {
	test("no connection in time is the end", () => {
		timers.advance(CONNECT_TIMEOUT_MS - 1);
		expect(reasons()).toEqual([]);
		timers.advance(1);
		expect(reasons()).toEqual(["no connection within 10 s, while looking up the name"]);
	});

	test("an open connection has no such limit, and is told once", () => {
		open();
		timers.advance(CONNECT_TIMEOUT_MS);
		expect([callbacks.onOpen.mock.calls.length, reasons()]).toEqual([1, []]);
	});

	test("what is thrown at once is told in a later turn", () => {
		it = new FakeConnection(boom);
		expect(reasons()).toEqual([]);
		timers.advance(0);
		expect(reasons()).toEqual(["Error: boom"]);
	});

	test("a connection that opens without having told of room has no such limit either", () => {
		it.stand();
		timers.advance(CONNECT_TIMEOUT_MS);
		expect([callbacks.onOpen.mock.calls.length, reasons()]).toEqual([1, []]);
	});

	test("what has failed does not open any more", () => {
		it.work(boom);
		it.room(10);
		timers.advance(0);
		expect([callbacks.onOpen.mock.calls, reasons()]).toEqual([[], ["Error: boom"]]);
	});

	test("nothing is sent before the connection stands", () => {
		it.send("too early");
		it.room(100);
		expect([callbacks.onOpen.mock.calls.length, it.news]).toEqual([1, []]);
	});

	test("room after the end means nothing", () => {
		it.lose();
		it.room(100);
		it.send("x");
		expect([callbacks.onOpen.mock.calls, it.news]).toEqual([[], ["released", "parts closed"]]);
	});
});

describe("the way out", () => {
	test("messages go out in pieces as there is room, in order", () => {
		open(3);
		it.send("four");
		it.send("two");
		expect(it.news).toEqual(["wrote 3"]);
		it.room(10);
		expect(it.news.slice(0, 2)).toEqual(["wrote 1", "wrote 3"]);
	});

	test("what waits is bounded", () => {
		open();
		it.send("x".repeat(MAX_QUEUED_BYTES));
		timers.advance(0);
		expect(reasons()).toEqual([]);
		it.send("x");
		expect(reasons()).toEqual([]);
		expect(it.news).toEqual(["aborted"]);
		it.send("y".repeat(10));
		timers.advance(0);
		expect(reasons()).toEqual([`the peer does not read: ${MAX_QUEUED_BYTES + 1} bytes wait to go out`]);
	});

	test("a peer that takes nothing is given up, one that takes a little is not", () => {
		open(1);
		it.send("x".repeat(10));
		timers.advance(STALL_TIMEOUT_MS - 1);
		it.room(1);
		timers.advance(STALL_TIMEOUT_MS - 1);
		it.room(0);
		expect(reasons()).toEqual([]);
		timers.advance(1);
		expect(reasons()).toEqual(["the peer took nothing for 20 s"]);
	});

	test("with nothing to send there is no such limit", () => {
		open(1);
		it.send("xy");
		it.room(1);
		timers.advance(2 * STALL_TIMEOUT_MS);
		expect(reasons()).toEqual([]);
	});

	test("a client that has less room than it told is asked again later", () => {
		open();
		const write = jest.fn(boom);
		it.onWrite = write;
		it.room(10);
		it.send("x");
		it.send("y");
		expect([write.mock.calls.length, reasons()]).toEqual([1, []]);
		it.onWrite = () => {};
		it.room(10);
		expect(it.news).toContain("wrote 1");
	});
});

describe("the way in", () => {
	test("two messages at once, two more when promises have had their time, and a pause after eight", async () => {
		open();
		const texts = [..."abcdefghij"];
		for (const text of texts) it.receive(text);
		it.room(1);
		expect([messages(), it.isPaused]).toEqual([texts.slice(0, 2), true]);
		// Each round takes as many promises as an answer may.
		for (let round = 0; round < 3; round++) await settle();
		expect([messages(), it.isPaused]).toEqual([texts.slice(0, 8), true]);
		timers.advance(1);
		expect([messages(), it.isPaused]).toEqual([texts, false]);
		const { flows } = it;
		await settle();
		expect([it.flows, timers.size]).toEqual([flows + 1, 0]);
	});

	test("an answer that comes promises later is counted before the third message", async () => {
		open();
		callbacks.onMessage.mockImplementation(async () => {
			for (let i = 0; i < 4; i++) await undefined;
			it.send("x".repeat(CONGESTED_BYTES));
		});
		for (const text of "abc") it.receive(text);
		await settle();
		expect(messages()).toEqual(["a", "b"]);
	});

	test("messages of events apart need no pause", () => {
		open();
		const before = timers.size;
		for (const text of "abc") {
			it.event();
			it.receive(text);
		}
		expect([messages(), timers.size]).toEqual([["a", "b", "c"], before]);
	});

	test("none while so much waits to go out", () => {
		open();
		it.send("x".repeat(CONGESTED_BYTES));
		it.receive("a");
		timers.advance(10);
		it.room(0);
		expect([messages(), it.congested, it.isPaused]).toEqual([[], true, true]);
		it.room(CONGESTED_BYTES);
		expect(messages()).toEqual(["a"]);
	});

	test("one that has waited is not overtaken", () => {
		open();
		it.send("x".repeat(CONGESTED_BYTES));
		it.receive("a");
		it.drain();
		it.receive("b");
		it.room(0);
		timers.advance(1);
		expect(messages()).toEqual(["a", "b"]);
	});

	test("too long a message is a sign of life, with a line in the log", () => {
		open();
		it.receive(MAX_INBOUND_BYTES + 1);
		expect([messages(), log.mock.calls, callbacks.onAlive.mock.calls.length]).toEqual([
			[],
			[["a message of 4097 bytes was dropped: the limit is 4096"]],
			1,
		]);
	});

	test("one whose length is known takes no more memory than that, however it comes", () => {
		for (const step of [1, 7, 1024]) {
			const message = new InboundMessage();
			for (let at = 0; at < 2000; at += step) {
				const piece = new Uint8Array(Math.min(step, 2000 - at)).fill(step);
				message.add(piece, at + step >= 2000, 2000 - at - piece.byteLength);
			}
			const bytes = message.take();
			expect([bytes?.every((byte) => byte === (step & 255)), bytes?.byteLength, bytes?.buffer.byteLength]).toEqual([true, 2000, 2000]);
		}
	});

	test("one that claims to be longer than messages may be takes no more memory than those", () => {
		const message = new InboundMessage();
		message.add(new Uint8Array(1), false, 2 ** 30);
		message.add(new Uint8Array(1), true);
		expect(message.take()?.buffer.byteLength).toBe(MAX_INBOUND_BYTES);
	});

	test("of too long a message the beginning is told, however it comes", () => {
		open();
		for (const step of [1, 100, 700, 5000]) {
			const message = new InboundMessage();
			const bytes = Buffer.from(`{"id":7,"x":"${"y".repeat(MAX_INBOUND_BYTES)}"}`);
			message.add(bytes.subarray(0, 1), false);
			for (let at = 1; at < bytes.length; at += step) message.add(bytes.subarray(at, at + step), at + step >= bytes.length);
			it.arrive(message);
		}
		const told = callbacks.onRefused.mock.calls.map(([head, problem]) => [Buffer.from(head).toString().slice(0, 12), head.length, problem]);
		expect(told).toEqual(Array(4).fill(['{"id":7,"x":', 256, "a message over 4096 bytes"]));
	});

	test("what the session throws goes to the log", () => {
		open();
		callbacks.onMessage.mockImplementation(boom);
		expect(() => it.receive("a")).not.toThrow();
		expect(log).toHaveBeenCalledWith("onMessage threw Error: boom");
	});
});

describe("the end", () => {
	test("comes once; the first reason stays", () => {
		open();
		it.lose("first");
		it.lose("second");
		expect([reasons(), it.news]).toEqual([["first"], ["released", "parts closed"]]);
		expect(timers.size).toBe(0);
	});

	test("does not lose the messages that came before it", () => {
		open();
		for (const text of ["a", "b"]) it.receive(text);
		it.lose("over");
		expect([messages(), reasons()]).toEqual([["a", "b"], ["over"]]);
	});

	test("nobody hears anything more of a connection that the last messages made them close", () => {
		open();
		for (const text of ["a", "b", "c", "d"]) it.receive(text);
		callbacks.onMessage.mockImplementation(() => it.close());
		it.lose("gone");
		expect([messages(), reasons()]).toEqual([["a", "b", "c"], []]);
	});

	test("is reached whatever the client throws", () => {
		open();
		it.onRelease = boom;
		it.lose();
		expect([reasons(), it.news]).toEqual([["Error: boom"], ["released", "parts closed"]]);
	});

	test("from within is told in a later turn, in one line, even if the client throws", () => {
		open();
		it.onAbort = boom;
		it.work(() => {
			throw new Error("two\nlines");
		});
		it.receive("late");
		it.room(10);
		expect(reasons()).toEqual([]);
		timers.advance(0);
		expect(reasons()).toEqual(["Error: two lines"]);
	});

	test("from within is told to the peer once, and nothing goes out or is delivered after that", () => {
		open();
		for (const text of "abcde") it.receive(text);
		it.send("x");
		it.work(boom);
		it.work(boom);
		it.room(10);
		expect(it.news).toEqual(["aborted"]);
		timers.advance(0);
		it.work(boom);
		expect([messages(), reasons(), timers.size]).toEqual([["a", "b"], ["Error: boom"], 0]);
	});

	test("close sends what waits, says goodbye and waits for the peer, not for ever", () => {
		open();
		it.send("last words");
		it.close();
		it.close();
		it.receive("nobody hears");
		expect(it.news).toEqual([]);
		it.canClose = false;
		it.room(20);
		expect(it.news).toEqual(["wrote 10"]);
		it.canClose = true;
		it.room(20);
		it.room(20);
		expect(it.news).toEqual(["said goodbye"]);
		timers.advance(CLOSE_TIMEOUT_MS);
		expect(it.news).toEqual(["released", "parts closed"]);
		expect([reasons(), messages()]).toEqual([[], []]);
	});

	test("close before the connection stands is the end at once", () => {
		it.close();
		expect([it.news, reasons(), timers.size]).toEqual([["released", "parts closed"], [], 0]);
	});

	test("after the peer's close nothing goes out, and its close is not waited for long", () => {
		open();
		it.closing("closed by the peer");
		it.send("x".repeat(MAX_QUEUED_BYTES + 1));
		it.room(10);
		timers.advance(0);
		expect([it.news, reasons(), it.congested]).toEqual([[], [], false]);
		timers.advance(CLOSE_TIMEOUT_MS);
		expect(reasons()).toEqual(["closed by the peer"]);
	});

	test("close after the peer's close is the end at once", () => {
		open();
		it.closing("closed by the peer");
		it.close();
		expect(it.news).toEqual(["released", "parts closed"]);
	});
});
