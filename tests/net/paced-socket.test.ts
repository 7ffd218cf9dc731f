// What is called on the SDK's TCP socket in which turn: on ESP32 the wrong order meets lwIP's task at work on the same memory.

import { expect, jest, test } from "@jest/globals";
import { LINGER_MS, MAX_WAIT_MS, PacedSocket, WINDOW_BYTES } from "../../src/net/paced-socket.js";
import type { Socket, SocketOptions } from "../../src/sdk/tcp.js";

const QUIET_MS = 20;

/** Everything that happens, in order. */
let calls: string[];
let below: FakeTcp;

class FakeTcp implements Socket {
	constructor(readonly options: SocketOptions) {
		below = this;
		calls = [];
	}
	get remoteAddress(): never {
		throw new Error("there is none after a reset");
	}
	read(count?: number | Uint8Array): ArrayBuffer {
		calls.push(`read ${count}`);
		return new ArrayBuffer(count as number);
	}
	write(bytes: Uint8Array): number {
		calls.push(`write ${bytes.byteLength}`);
		return 1000;
	}
	close(): void {
		calls.push("close");
	}
}

function make(quietMs = QUIET_MS) {
	jest.useFakeTimers();
	const timers = {
		set: (callback: () => void, delay: number) => setTimeout(callback, delay),
		clear: (timer: unknown) => clearTimeout(timer as never),
	};
	const socket = new PacedSocket({
		timers,
		tcp: FakeTcp,
		quietMs,
		onReadable: (count) => void calls.push(`readable ${count}`),
		onWritable: (count) => void calls.push(`writable ${count}`),
		onError: () => void calls.push("error"),
	});
	return socket;
}

test("tells what has come when the peer is quiet, all of it at once", () => {
	make();
	below.options.onReadable?.(10);
	jest.advanceTimersByTime(QUIET_MS - 1);
	below.options.onReadable?.(25);
	jest.advanceTimersByTime(QUIET_MS - 1);
	expect(calls).toEqual([]);
	jest.advanceTimersByTime(1);
	expect(calls).toEqual(["readable 25"]);
	jest.advanceTimersByTime(1000);
	expect(calls).toEqual(["readable 25"]);
});

test("waits for nobody where the build does not ask for it", () => {
	make(0);
	below.options.onReadable?.(10);
	expect(calls).toEqual(["readable 10"]);
});

test("waits no longer than that for a peer that is never quiet", () => {
	make();
	for (let ms = 0; ms < MAX_WAIT_MS; ms += 10) {
		below.options.onReadable?.(1 + ms);
		jest.advanceTimersByTime(10);
	}
	expect(calls).toEqual(["readable 41"]);
});

test("does not wait when the window is full, and still tells in a turn of its own", () => {
	make();
	below.options.onReadable?.(WINDOW_BYTES);
	expect(calls).toEqual([]);
	jest.advanceTimersByTime(0);
	expect(calls).toEqual([`readable ${WINDOW_BYTES}`]);
});

test("closes in the turn of the end, before the reader hears of it; after that nothing is read, written or told", () => {
	const socket = make();
	below.options.onReadable?.(10);
	below.options.onError?.();
	expect(calls).toEqual(["close", "error"]);
	expect(socket.read(10)).toBeUndefined();
	expect(socket.write(Uint8Array.of(1))).toBeUndefined();
	socket.close();
	jest.advanceTimersByTime(1000);
	expect(calls).toEqual(["close", "error"]);
});

test("closes itself in a later turn", () => {
	const socket = make();
	socket.close();
	socket.close();
	expect(calls).toEqual([]);
	jest.advanceTimersByTime(0);
	expect(calls).toEqual(["close"]);
});

test("closes itself after the last write has gone out, in a turn of its own", () => {
	const socket = make();
	below.options.onWritable?.(1000);
	socket.write(Uint8Array.of(1, 2));
	socket.close();
	jest.advanceTimersByTime(LINGER_MS - 1);
	expect(calls).toEqual(["writable 1000", "write 2"]);
	below.options.onWritable?.(1000);
	expect(calls).toHaveLength(2);
	jest.advanceTimersByTime(0);
	expect(calls.slice(2)).toEqual(["close"]);
});

test("closes itself though nobody acknowledges the last write", () => {
	const socket = make();
	socket.write(Uint8Array.of(1));
	socket.close();
	jest.advanceTimersByTime(LINGER_MS);
	expect(calls).toEqual(["write 1", "close"]);
});

test("reads what is left before it closes itself, and tells nobody", () => {
	const socket = make();
	below.options.onReadable?.(10);
	socket.close();
	below.options.onReadable?.(30);
	jest.advanceTimersByTime(1000);
	expect(calls).toEqual(["read 30", "close"]);
});

test("an end of the connection while it waits for its close is that close", () => {
	const socket = make();
	socket.write(Uint8Array.of(1));
	socket.close();
	below.options.onError?.();
	jest.advanceTimersByTime(1000);
	expect(calls).toEqual(["write 1", "close"]);
});

test("never asks for the peer's address", () => {
	const socket = make();
	expect("remoteAddress" in socket).toBe(false);
	expect("remotePort" in socket).toBe(false);
});
