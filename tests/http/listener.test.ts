// The listener below the SDK's HTTP server: what is called on its sockets in which turn, and who is let in.

import { beforeEach, expect, jest, test } from "@jest/globals";
import type { ListenerOptions } from "../../src/sdk/listener.js";
import type { Socket, SocketOptions } from "../../src/sdk/tcp.js";

/** Everything that happens, in order. */
let calls: string[] = [];
let listening: FakeListener[] = [];
let tcps: FakeTcp[] = [];

class FakeListener {
	waiting: string[] = [];

	constructor(readonly options: ListenerOptions) {
		listening.push(this);
	}
	get port(): number {
		return this.options.port ?? 80;
	}
	read(): Socket | undefined {
		const name = this.waiting.shift();
		calls.push(`accept ${name}`);
		return name === undefined ? undefined : ({ name, close: () => calls.push(`close raw ${name}`) } as never);
	}
	close(): void {
		calls.push("close listener");
	}
	visit(name: string): void {
		this.waiting.push(name);
		this.options.onReadable(1);
	}
}

class FakeTcp implements Socket {
	format = "buffer";
	readonly name: string;

	constructor(readonly options: SocketOptions) {
		this.name = (options.from as { name: string }).name;
		if (this.name === "lost") throw new Error("invalid from");
		calls.push(`open ${this.name}`);
		tcps.push(this);
	}
	read(count?: number | Uint8Array): ArrayBuffer {
		calls.push(`read ${count}`);
		return Uint8Array.from({ length: count as number }, (_, i) => i).buffer as ArrayBuffer;
	}
	write(bytes: Uint8Array): number {
		calls.push(`write ${String.fromCharCode(...bytes.subarray(0, 12))}`);
		return 1000;
	}
	close(): void {
		calls.push(`close ${this.name}`);
	}
}

const [REST_MS, QUIET_MS] = [60, 20];
// As src/manifest.json sets them for ESP32.
jest.unstable_mockModule("mc/config", () => ({ __esModule: true, default: { tcp_rest_ms: String(REST_MS), tcp_quiet_ms: String(QUIET_MS) } }));
jest.unstable_mockModule("embedded:io/socket/listener", () => ({ __esModule: true, default: FakeListener }));
jest.unstable_mockModule("embedded:io/socket/tcp", () => ({ __esModule: true, default: FakeTcp }));
const { createListenerClass, MAX_VISITORS } = await import("../../src/http/listener.js");

type Visit = Socket & { constructor: new (options: SocketOptions) => Socket };
const doors: never[] = [];
const seen: Socket[] = [];

/** As the SDK's server: makes a working socket of the one that it reads. */
function serve(port = 80) {
	const context = {
		timers: { set: (callback: () => void, delay: number) => setTimeout(callback, delay), clear: (timer: unknown) => clearTimeout(timer as never) },
		log: (line: string) => void calls.push(`log ${line}`),
		doors,
	};
	const Listener = createListenerClass(context);
	return new Listener({
		port,
		onReadable(this: unknown) {
			const from = (this as { read(): Visit }).read();
			try {
				const socket = new from.constructor({
					from,
					onReadable: (count: number) => calls.push(`readable ${count}`),
					onError: () => calls.push("error"),
				} as never);
				seen.push(socket);
			} catch {
				// As the SDK's server does.
			}
		},
	} as never);
}

beforeEach(() => {
	jest.useFakeTimers();
	doors.length = 0;
	seen.length = 0;
	[calls, listening, tcps] = [[], [], []];
});

const door = () => listening[0] as FakeListener;

test("a connection rests before it is used", () => {
	serve();
	door().visit("a");
	jest.advanceTimersByTime(REST_MS - 1);
	expect(calls).toEqual(["accept a"]);
	jest.advanceTimersByTime(1);
	expect(calls).toEqual(["accept a", "open a"]);
});

test("all that has come is read in one call when the visitor is quiet, however the server takes it", () => {
	serve();
	door().visit("a");
	jest.advanceTimersByTime(REST_MS);
	calls = [];
	tcps[0]?.options.onReadable?.(5);
	jest.advanceTimersByTime(QUIET_MS);
	expect(calls).toEqual(["read 5", "readable 5"]);
	expect([seen[0]?.read(), seen[0]?.read()]).toEqual([0, 1]);
	expect(seen[0]?.read(3)).toHaveProperty("byteLength", 3);
	expect(calls).toHaveLength(2);
});

test("an answer is followed by the close in a turn of its own, with everything read", () => {
	serve();
	door().visit("a");
	jest.advanceTimersByTime(REST_MS);
	calls = [];
	seen[0]?.write(Uint8Array.of(65));
	tcps[0]?.options.onReadable?.(5);
	seen[0]?.close();
	expect(calls).toEqual(["write A"]);
	tcps[0]?.options.onWritable?.(1000);
	jest.advanceTimersByTime(0);
	expect(calls).toEqual(["write A", "read 5", "close a"]);
});

test("a visitor who leaves is closed in that turn, and nothing is written any more", () => {
	serve();
	door().visit("a");
	jest.advanceTimersByTime(REST_MS);
	calls = [];
	tcps[0]?.options.onError?.();
	expect(calls).toEqual(["close a", "error"]);
	expect(seen[0]?.write(Uint8Array.of(1))).toBe(0);
	jest.advanceTimersByTime(1000);
	expect(calls).toHaveLength(2);
});

test("one who was lost while the connection rested takes no place", () => {
	serve();
	for (let i = 0; i < 2 * MAX_VISITORS; i++) door().visit("lost");
	jest.advanceTimersByTime(REST_MS);
	for (let i = 0; i < MAX_VISITORS; i++) door().visit(`v${i}`);
	jest.advanceTimersByTime(REST_MS + 10);
	expect(calls.filter((call) => /^(open|close)/.test(call))).toEqual(["open v0", "open v1", "open v2"]);
});

test("three at a time; for the next one the visitor goes that has been idle for longest", () => {
	serve();
	for (const name of ["a", "b", "c"]) door().visit(name);
	jest.advanceTimersByTime(REST_MS);
	tcps[0]?.options.onReadable?.(1);
	jest.advanceTimersByTime(QUIET_MS);
	door().visit("d");
	jest.advanceTimersByTime(REST_MS + 10);
	expect(MAX_VISITORS).toBe(3);
	expect(calls.filter((call) => /^(open|close)/.test(call))).toEqual(["open a", "open b", "open c", "open d", "close b"]);
});

test("the listening socket is never closed: visitors are answered 503, and the page that opens again takes it", () => {
	const first = serve();
	first.close();
	door().visit("a");
	jest.advanceTimersByTime(REST_MS);
	tcps[0]?.options.onWritable?.(1000);
	tcps[0]?.options.onWritable?.(1000);
	jest.advanceTimersByTime(1000);
	expect(calls).toEqual(["accept a", "open a", "write HTTP/1.1 503", "close a"]);
	serve();
	expect(listening).toHaveLength(1);
	door().visit("b");
	jest.advanceTimersByTime(REST_MS);
	expect(calls.slice(-1)).toEqual(["open b"]);
	expect(seen).toHaveLength(1);
});
