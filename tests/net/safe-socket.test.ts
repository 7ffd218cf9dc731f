// The socket between the SDK's clients and the network: nothing that goes wrong leaves it as an exception.

import { expect, jest, test } from "@jest/globals";
import { ConnectionState } from "../../src/net/connection-state.js";
import { SafeSocket, type SafeSocketOptions } from "../../src/net/safe-socket.js";
import type { Socket, SocketOptions } from "../../src/sdk/tcp.js";

/** A socket below, played by the test. */
class FakeSocket implements Socket {
	static last: FakeSocket;

	closed = 0;
	readonly written: number[][] = [];
	/** What has come and was not read yet. */
	readonly incoming: Uint8Array[] = [];
	onWrite: (bytes: Uint8Array) => number | undefined = () => 1000;

	constructor(readonly options: SocketOptions) {
		FakeSocket.last = this;
	}

	receive(...bytes: number[]): void {
		this.incoming.push(Uint8Array.from(bytes));
		this.options.onReadable?.(bytes.length);
	}

	read(): ArrayBuffer | undefined {
		return this.incoming.shift()?.buffer as ArrayBuffer | undefined;
	}

	write(bytes: Uint8Array): number | undefined {
		this.written.push([...bytes]);
		return this.onWrite(bytes);
	}

	close(): void {
		this.closed++;
	}
}

function make(more: Partial<SafeSocketOptions> = {}, isPaused = () => false) {
	const turns: (() => void)[] = [];
	const timers = { set: (callback: () => void) => turns.push(callback), clear: (turn: unknown) => void delete turns[(turn as number) - 1] };
	const connection = new ConnectionState({
		timers,
		reader: {
			get paused() {
				return isPaused();
			},
		},
	});
	const onError = jest.fn();
	const socket = new SafeSocket({ connection, base: FakeSocket, overheadBytes: 0, onError, ...more });
	return { connection, onError, socket, below: FakeSocket.last, endTurn: () => turns.splice(0).forEach((turn) => void turn?.()) };
}

const boom = () => {
	throw new Error("boom");
};

test.each(["onReadable", "onWritable"] as const)("what %s throws ends the connection in words", (name) => {
	const { connection, onError, below } = make({ [name]: boom });
	if (name === "onReadable") below.receive(1);
	else below.options.onWritable?.(10);
	expect(connection.reason).toBe("Error: boom");
	expect(onError).toHaveBeenCalledTimes(1);
	expect(below.closed).toBe(1);
});

test("what onError throws goes nowhere", () => {
	const { below } = make({ onError: boom });
	expect(() => below.options.onError?.()).not.toThrow();
});

test("a socket that cannot be made says why", () => {
	const connection = new ConnectionState({ timers: { set: boom, clear: boom } });
	expect(() => new SafeSocket({ connection, base: boom as never, overheadBytes: 0 })).toThrow();
	expect(connection.reason).toBeDefined();
});

test.each([
	["is dead", () => undefined, "the connection was lost while sending"],
	["throws", boom, "the connection was lost while sending (Error: boom)"],
])("a write to a socket that %s is told in a later turn", (_title, onWrite, reason) => {
	const { connection, onError, socket, below, endTurn } = make();
	below.options.onWritable?.(10);
	below.onWrite = onWrite;
	expect(socket.write(Uint8Array.of(1))).toBe(0);
	expect(onError).not.toHaveBeenCalled();
	endTurn();
	expect(onError).toHaveBeenCalledTimes(1);
	expect(connection.reason).toBe(reason);
});

test("sends what does not fit when there is room again, in order", () => {
	const { socket, below } = make();
	below.onWrite = () => 0;
	below.options.onWritable?.(2);
	expect(socket.write(Uint8Array.of(1, 2, 3))).toBe(0);
	socket.write(Uint8Array.of(4));
	below.options.onWritable?.(10);
	expect(below.written).toEqual([
		[1, 2],
		[3, 4],
	]);
});

test("keeps back what the socket below needs for itself", () => {
	const { socket, below } = make({ overheadBytes: 96 });
	below.onWrite = () => 100;
	below.options.onWritable?.(10);
	expect(socket.write(Uint8Array.of(1))).toBe(4);
});

test("reads nothing while the transport is busy, and goes on after that", () => {
	let busy = true;
	const seen: number[] = [];
	const { connection, socket, below } = make({ onReadable: (count) => seen.push(...new Uint8Array(socket.read(count) as ArrayBuffer)) }, () => busy);
	below.receive(1, 2);
	expect(below.incoming).toHaveLength(1);
	busy = false;
	connection.flow();
	expect(seen).toEqual([1, 2]);
});

test("does nothing after close, and closes once", () => {
	const { onError, socket, below } = make();
	socket.close();
	socket.close();
	below.receive(1);
	below.options.onError?.();
	expect(socket.write(Uint8Array.of(1))).toBe(0);
	expect(onError).not.toHaveBeenCalled();
	expect(below.closed).toBe(1);
});

test("what is written goes below in pieces of the given length", () => {
	const { below, socket } = make({ writeBytes: 4 });
	below.options.onWritable?.(100);
	expect(socket.write(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9))).toBe(1000);
	expect(below.written).toEqual([[1, 2, 3, 4], [5, 6, 7, 8], [9]]);
});

test("what waits below is read in pieces, and the rest when the transport is no longer busy, before what is further below", () => {
	const asked: number[] = [];
	let paused = false;
	const it = make(
		{
			onReadable(count) {
				it.socket.read(count);
				paused = asked.length === 2;
			},
		},
		() => paused,
	);
	it.below.read = ((count: number) => {
		asked.push(count);
		return new ArrayBuffer(count);
	}) as never;
	it.below.options.onReadable?.(2500);
	expect([asked, it.socket.flow()]).toEqual([[1024, 1024], false]);
	paused = false;
	it.connection.flow();
	expect([asked, it.socket.flow()]).toEqual([[1024, 1024, 452], true]);
});
