// What a visitor may do to the device's own web server: be many, stay, send, send nonsense, go away.

import { beforeEach, expect, jest, test } from "@jest/globals";
import { ManualTimers } from "../mcp/support.js";
import { FakeSocket } from "../support/fake-socket.js";

class FakeListener {
	static last: FakeListener;
	readonly waiting: (FakeSocket | undefined)[] = [];
	closed = 0;
	constructor(readonly options: { port: number; onReadable(count: number): void }) {
		FakeListener.last = this;
	}
	get port(): number {
		return this.options.port;
	}
	read(): FakeSocket | undefined {
		return this.waiting.shift();
	}
	close(): void {
		this.closed++;
	}
}

jest.unstable_mockModule("embedded:io/socket/listener", () => ({ __esModule: true, default: FakeListener }));
jest.unstable_mockModule("embedded:io/socket/tcp", () => ({ __esModule: true, default: FakeSocket }));
const { createListenerClass, MAX_VISITORS, MAX_VISITOR_BYTES, VISIT_LIMIT_MS } = await import("http/listener");

type Listening = InstanceType<ReturnType<typeof createListenerClass>>;
type Visit = NonNullable<ReturnType<Listening["read"]>>;

let timers: ManualTimers;
const log = jest.fn();
/** The visits that the server has taken over, and what it does when one can be read. */
let visits: Visit[];
const onReadable = jest.fn<(count: number) => void>();
const onWritable = jest.fn();
const onError = jest.fn();

/** Moddable's server: it makes a second connection from the one that it reads, with callbacks. */
function serve(this: unknown): void {
	const from = (this as Listening).read() as Visit;
	visits.push(new (from.constructor as new (options: object) => Visit)({ from, onReadable, onWritable, onError }));
}

/** So many visitors come at a time. @returns the sockets of those whom the server took */
function visit(count = 1): FakeSocket[] {
	const coming = Array.from({ length: count }, () => new FakeSocket({}));
	const before = FakeSocket.made.length;
	FakeListener.last.waiting.push(...coming);
	FakeListener.last.options.onReadable(count);
	return FakeSocket.made.slice(before);
}

beforeEach(() => {
	timers = new ManualTimers();
	visits = [];
	for (const mock of [log, onReadable, onWritable, onError]) mock.mockReset();
	new (createListenerClass({ timers, log, doors: [] }))({ port: 80, onReadable: serve });
});

const boom = () => {
	throw new Error("boom");
};

test("so many visitors are let in at a time; the next ones take the places of those that were idle for longest", () => {
	const first = visit(MAX_VISITORS);
	expect(visit(MAX_VISITORS + 2)).toHaveLength(MAX_VISITORS + 2);
	timers.advance(1);
	timers.advance(1);
	expect(first.map(({ closed }) => closed)).toEqual(Array(MAX_VISITORS).fill(1));
});

test("a visit that lasts too long ends, and the server is told", () => {
	const [socket] = visit();
	timers.advance(VISIT_LIMIT_MS - 1);
	expect(socket?.closed).toBe(0);
	timers.advance(1);
	expect(socket?.closed).toBe(1);
	expect(onError).toHaveBeenCalledTimes(1);
	expect(visit(MAX_VISITORS)).toHaveLength(MAX_VISITORS);
});

test("a visitor who sends too much is sent away, whatever the server has read of it", () => {
	const [socket] = visit();
	for (let sent = 0; sent < MAX_VISITOR_BYTES; sent += 1024) {
		socket?.receive(new Uint8Array(1024));
		if (sent % 2048) visits[0]?.read();
	}
	timers.advance(0);
	expect([socket?.closed, onReadable.mock.calls.length]).toEqual([0, 16]);
	socket?.receive(Uint8Array.of(1));
	timers.advance(0);
	expect([socket?.closed, onReadable.mock.calls.length]).toEqual([1, 16]);
	expect(onError).toHaveBeenCalledTimes(1);
});

test("the end leaves no timer behind", () => {
	const [socket] = visit();
	if (socket) socket.onWrite = () => undefined;
	visits[0]?.write(Uint8Array.of(1));
	expect(timers.size).toBe(2);
	visits[0]?.close();
	timers.advance(0);
	expect(timers.size).toBe(0);
});

test.each(["onReadable", "onWritable"] as const)("what %s of the server throws ends that visit alone, with a line in the log", (name) => {
	const [socket, other] = visit(2);
	(name === "onReadable" ? onReadable : onWritable).mockImplementation(boom);
	expect(() => (name === "onReadable" ? socket?.receive(Uint8Array.of(1)) : socket?.options[name]?.(1))).not.toThrow();
	timers.advance(0);
	expect([socket?.closed, other?.closed, log.mock.calls]).toEqual([1, 0, [["Error: boom"]]]);
});

test("what the server throws at the end of a visit goes to the log", () => {
	onError.mockImplementation(boom);
	const [socket] = visit();
	expect(() => socket?.options.onError?.()).not.toThrow();
	expect([socket?.closed, log.mock.calls]).toEqual([1, [["Error: boom"]]]);
});

test("a visitor whom the server cannot take does not keep the next from coming in", () => {
	const takesNone = jest.fn<(this: unknown) => void>(boom);
	new (createListenerClass({ timers, log, doors: [] }))({ port: 80, onReadable: takesNone });
	expect(() => visit(2)).not.toThrow();
	expect(takesNone).toHaveBeenCalledTimes(2);
	expect(log).toHaveBeenCalledWith("Error: boom");
});

test("a visitor can be read once, and made into a working connection once", () => {
	let first: Visit | undefined;
	let second: Visit | undefined;
	new (createListenerClass({ timers, log, doors: [] }))({
		port: 80,
		onReadable(this: unknown) {
			first = (this as Listening).read();
			second = (this as Listening).read();
		},
	});
	visit();
	expect([first === undefined, second]).toEqual([false, undefined]);
	const made = FakeSocket.made.length;
	const Class = first?.constructor as new (options: object) => Visit;
	new Class({ from: first });
	expect(() => new Class({ from: first })).toThrow("the connection is closed");
	expect(FakeSocket.made.length).toBe(made + 1);
});

test("a visitor who is gone before being read costs nothing", () => {
	FakeListener.last.options.onReadable(1);
	expect([visits, log.mock.calls]).toEqual([[], []]);
});

test("a visitor who is gone while the server writes ends the visit in a later turn", () => {
	const [socket] = visit();
	if (socket) socket.onWrite = () => undefined;
	expect(visits[0]?.write(Uint8Array.of(1))).toBe(0);
	expect(onError).not.toHaveBeenCalled();
	timers.advance(0);
	timers.advance(0);
	expect([socket?.closed, onError.mock.calls.length]).toEqual([1, 1]);
});

test("nothing happens after the end", () => {
	const [socket] = visit();
	const [over] = visits;
	if (socket) socket.close = boom;
	expect(() => over?.close()).not.toThrow();
	socket?.options.onError?.();
	timers.advance(VISIT_LIMIT_MS);
	expect([over?.read(), over?.write(Uint8Array.of(1)), over?.format]).toEqual([undefined, 0, "buffer"]);
	expect(onError).not.toHaveBeenCalled();
});
