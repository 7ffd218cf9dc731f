// What the SDK's clients need of the socket below them: what comes and goes keeps its order, and the end is the end.

import { expect, jest, test } from "@jest/globals";
import { ConnectionState } from "../../src/net/connection-state.js";
import { SafeSocket, type SafeSocketOptions } from "../../src/net/safe-socket.js";
import { ManualTimers } from "../mcp/support.js";
import { FakeSocket } from "../support/fake-socket.js";

function make(more: Partial<SafeSocketOptions> = {}, Class: typeof SafeSocket = SafeSocket) {
	const timers = new ManualTimers();
	const connection = new ConnectionState({ timers });
	const onError = jest.fn();
	const socket = new Class({ connection, base: FakeSocket, overheadBytes: 0, onError, ...more });
	return { timers, connection, onError, socket, below: FakeSocket.last };
}

test("a reply does not wait for the acknowledgement of its first piece", () => {
	expect(make().below.options).toMatchObject({ nodelay: true });
});

test("what comes while the reader is at work waits until it has done", () => {
	const events: string[] = [];
	const { below, connection, socket } = make({
		onReadable(count) {
			events.push("begins");
			if (events.length === 1) {
				below.receive(Uint8Array.of(3));
				connection.flow();
			}
			events.push(`reads ${new Uint8Array(socket.read(count) as ArrayBuffer)}`);
		},
	});
	below.receive(Uint8Array.of(1, 2));
	expect(events).toEqual(["begins", "reads 1,2", "begins", "reads 3"]);
});

test("only what was told of is read, once", () => {
	const { below, connection } = make();
	const read = jest.spyOn(below, "read");
	below.receive(Uint8Array.of(1));
	connection.flow();
	expect(read.mock.calls).toEqual([[1]]);
});

test("what came before a broken byte reaches the reader first", () => {
	class Checked extends SafeSocket {
		protected override take(chunk: Uint8Array): string | undefined {
			this.received.push(chunk.subarray(0, 2));
			return "two\nlines";
		}
	}
	const events: string[] = [];
	const { below, connection } = make({ onReadable: (count) => events.push(`${count} bytes`), onError: () => events.push("the end") }, Checked);
	below.receive(Uint8Array.of(1, 2, 3));
	below.receive(Uint8Array.of(4));
	expect([events, below.closed, connection.reason]).toEqual([["2 bytes", "the end"], 1, "two lines"]);
});

test("a reader hears nothing of what is kept from it", () => {
	class Deaf extends SafeSocket {
		protected override take(): undefined {}
	}
	const onReadable = jest.fn();
	make({ onReadable }, Deaf).below.receive(Uint8Array.of(1));
	expect(onReadable).not.toHaveBeenCalled();
});

test("the writer is asked for more when what waits has gone", () => {
	const onWritable = jest.fn();
	const { below, socket } = make({ onWritable });
	below.onWrite = () => 0;
	socket.write(Uint8Array.of(1, 2));
	below.options.onWritable?.(1);
	expect(onWritable).not.toHaveBeenCalled();
	below.onWrite = () => 5;
	below.options.onWritable?.(1);
	expect(onWritable.mock.calls).toEqual([[5]]);
});

test.each([[undefined], [-1]])("after a write that returns %s nothing more is written", (left) => {
	const { below, onError, socket, timers } = make();
	below.options.onWritable?.(10);
	below.onWrite = () => left;
	expect(socket.write(Uint8Array.of(1))).toBe(0);
	below.options.onWritable?.(10);
	expect(socket.write(Uint8Array.of(2))).toBe(0);
	expect(below.written).toHaveLength(1);
	timers.advance(0);
	expect(onError).toHaveBeenCalledTimes(1);
});

test("the room that is told is never less than none", () => {
	const { below, socket } = make({ overheadBytes: 96 });
	below.options.onWritable?.(10);
	below.onWrite = () => 50;
	expect(socket.write(Uint8Array.of(1))).toBe(0);
});

test("a write after close is for nobody, and has no reason", () => {
	const { below, connection, socket, timers } = make();
	below.options.onWritable?.(10);
	socket.close();
	expect(socket.write(Uint8Array.of(1))).toBe(0);
	expect([connection.reason, timers.size]).toEqual([undefined, 0]);
});

test("a lost write that is followed by close is not told", () => {
	const { below, socket, timers } = make();
	below.options.onWritable?.(10);
	below.onWrite = () => undefined;
	socket.write(Uint8Array.of(1));
	socket.close();
	expect(timers.size).toBe(0);
});

test("what close of the socket below throws goes into the reason", () => {
	const { below, connection, socket } = make();
	below.close = () => {
		throw new Error("boom");
	};
	expect(() => socket.close()).not.toThrow();
	expect(connection.reason).toBe("Error: boom");
});
