// What visitors may do to the device's own HTTP server: be many, stay, send, send nonsense, take nothing, go away.

import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { HttpExchange } from "../../src/http/server.js";
import type { ListenerOptions } from "../../src/sdk/listener.js";
import { ManualTimers } from "../mcp/support.js";
import { FakeSocket } from "../support/fake-socket.js";
import { textMessage } from "../support/text-message.js";

const [REST_MS, QUIET_MS] = [60, 20];

class FakeListener {
	static made: FakeListener[] = [];
	waiting: unknown[] = [];
	closed = 0;
	constructor(readonly options: ListenerOptions) {
		FakeListener.made.push(this);
	}
	get port(): number {
		return this.options.port ?? 80;
	}
	read(): unknown {
		return this.waiting.shift();
	}
	close(): void {
		this.closed++;
	}
}

/** A visitor's socket: what it sends, and what it is answered. */
class Visitor extends FakeSocket {
	constructor(options: ConstructorParameters<typeof FakeSocket>[0]) {
		if (options.from === "lost") throw new Error("invalid from");
		super(options);
	}
	get answers(): string {
		return Buffer.concat(this.written).toString();
	}
	get statuses(): number[] {
		return [...this.answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
	}
	says(text: string): void {
		this.receive(Buffer.from(text));
		timers.advance(QUIET_MS);
	}
}

// As src/core.manifest.json sets them for ESP32.
jest.unstable_mockModule("mc/config", () => ({ __esModule: true, default: { tcp_rest_ms: String(REST_MS), tcp_quiet_ms: String(QUIET_MS) } }));
jest.unstable_mockModule("embedded:io/socket/listener", () => ({ __esModule: true, default: FakeListener }));
jest.unstable_mockModule("embedded:io/socket/tcp", () => ({ __esModule: true, default: Visitor }));
const { HttpServer, IDLE_LIMIT_MS, MAX_VISITORS, REQUEST_LIMIT_MS, STALL_LIMIT_MS } = await import("../../src/http/server.js");

const MAX_BODY = 2000;
const GET = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
const post = (body: string, path = "/") => `POST ${path} HTTP/1.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

let timers: ManualTimers;
let server: InstanceType<typeof HttpServer>;
let exchanges: HttpExchange[];
let onRequest: (exchange: HttpExchange) => void;
const doors: never[] = [];
const log = jest.fn<(line: string) => void>();

function serve(port = 80) {
	return new HttpServer({
		timers: timers as never,
		log,
		doors,
		port,
		headers: ["host"],
		maxBodyBytes: MAX_BODY,
		onHead: ({ path }) => (path === "/secret" ? { status: 401, headers: [["www-authenticate", "Bearer"]] } : undefined),
		onRequest: (exchange) => {
			exchanges.push(exchange);
			onRequest(exchange);
		},
	});
}

/** Somebody connects. @returns the socket, once the connection has rested */
function visit(from: unknown = {}): Visitor {
	const door = FakeListener.made[0] as FakeListener;
	door.waiting.push(from);
	door.options.onReadable(1);
	timers.advance(REST_MS);
	const visitor = FakeSocket.last as Visitor;
	if (from !== "lost") visitor.options.onWritable?.(1000);
	return visitor;
}

beforeEach(() => {
	timers = new ManualTimers();
	FakeListener.made = [];
	doors.length = 0;
	exchanges = [];
	log.mockReset();
	onRequest = (exchange) => exchange.answer({ status: 200, body: textMessage(["a", "ü"]) });
	server = serve();
});

describe("the order of calls that the SDK needs on ESP32", () => {
	test("a connection rests before it is used", () => {
		const made = FakeSocket.made.length;
		const door = FakeListener.made[0] as FakeListener;
		door.waiting.push({});
		door.options.onReadable(1);
		timers.advance(REST_MS - 1);
		expect(FakeSocket.made).toHaveLength(made);
		timers.advance(1);
		expect(FakeSocket.made).toHaveLength(made + 1);
	});

	test("all that has come is read in one call when the visitor is quiet", () => {
		const visitor = visit();
		visitor.receive(Buffer.from(GET.slice(0, 5)));
		visitor.receive(Buffer.from(GET.slice(5)));
		timers.advance(QUIET_MS - 1);
		expect(exchanges).toHaveLength(0);
		timers.advance(1);
		expect(visitor.written).toHaveLength(1);
		expect(visitor.answers).toBe("HTTP/1.1 200 OK\r\ncontent-length: 3\r\nconnection: keep-alive\r\n\r\naü");
	});

	test("many requests have one connection, those too that are sent at once", () => {
		const visitor = visit();
		for (let i = 0; i < 3; i++) visitor.says(GET);
		visitor.says(`${GET}${post("hello")}${GET}`);
		timers.advance(1);
		timers.advance(1);
		expect([visitor.statuses, visitor.closed]).toEqual([Array(6).fill(200), 0]);
		expect(Buffer.from(exchanges[4]?.body ?? []).toString()).toBe("hello");
	});

	test("the server closes in a turn of its own, when the last write has gone out", () => {
		const visitor = visit();
		visitor.says("GET / HTTP/1.1\r\nconnection: close\r\n\r\n");
		expect(visitor.answers).toContain("connection: close");
		expect(visitor.closed).toBe(0);
		visitor.options.onWritable?.(1000);
		expect(visitor.closed).toBe(0);
		timers.advance(0);
		expect(visitor.closed).toBe(1);
	});

	test("a visitor who leaves is closed in that turn, and nothing is written any more", () => {
		onRequest = (exchange) => exchange.begin({ status: 200 });
		const visitor = visit();
		visitor.says(GET);
		const gone = jest.fn();
		(exchanges[0] as HttpExchange).onGone = gone;
		const { length } = visitor.written;
		visitor.options.onError?.();
		expect([visitor.closed, gone.mock.calls.length]).toEqual([1, 1]);
		exchanges[0]?.write("late");
		exchanges[0]?.end();
		timers.advance(REQUEST_LIMIT_MS);
		expect([visitor.written.length, visitor.closed, timers.size]).toEqual([length, 1, 0]);
	});

	test("the listening socket is never closed: visitors are answered 503, and a server that comes later takes it", () => {
		server.close();
		const visitor = visit();
		visitor.says(GET);
		expect(visitor.answers).toMatch(/^HTTP\/1\.1 503 .*retry-after: 5/s);
		visitor.options.onWritable?.(1000);
		timers.advance(0);
		const second = serve();
		server.close();
		const other = visit();
		other.says(GET);
		expect([visitor.closed, FakeListener.made.length, FakeListener.made[0]?.closed, other.statuses]).toEqual([1, 1, 0, [200]]);
		second.close();
	});

	test("one who was lost while the connection rested takes no place", () => {
		for (let i = 0; i < 2 * MAX_VISITORS; i++) visit("lost");
		const visitors = Array.from({ length: MAX_VISITORS }, () => visit());
		for (const visitor of visitors) visitor.says(GET);
		expect(visitors.map(({ statuses }) => statuses)).toEqual([[200], [200], [200]]);
	});
});

describe("the most visitors", () => {
	test("the next one takes the place of the one that has waited for longest with nothing to answer", () => {
		const visitors = Array.from({ length: MAX_VISITORS }, () => visit());
		visitors[0]?.says(GET);
		const next = visit();
		next.says(GET);
		expect(MAX_VISITORS).toBe(3);
		expect(visitors.map(({ closed }) => closed)).toEqual([0, 1, 0]);
		expect(next.statuses).toEqual([200]);
	});

	test("one that has asked before keeps its place from those that never did", () => {
		const asked = visit();
		asked.says(GET);
		const crowd = Array.from({ length: 20 }, () => visit());
		expect([asked.closed, crowd.filter(({ closed }) => !closed).length]).toEqual([0, 2]);
	});

	test("half a request keeps no place", () => {
		const visitors = Array.from({ length: MAX_VISITORS }, () => visit());
		for (const visitor of visitors) visitor.says(GET.slice(0, 9));
		visit().says(GET);
		expect(visitors.map(({ closed }) => closed)).toEqual([1, 0, 0]);
	});

	test("while all are being answered the next one is told to come back, and of a hundred most are just closed", () => {
		onRequest = (exchange) => exchange.begin({ status: 200 });
		const visitors = Array.from({ length: MAX_VISITORS }, () => visit());
		for (const visitor of visitors) visitor.says(GET);
		const door = FakeListener.made[0] as FakeListener;
		door.waiting.push(...Array.from({ length: 100 }, () => ({})));
		door.options.onReadable(100);
		timers.advance(REST_MS);
		const crowd = FakeSocket.made.slice(-100) as Visitor[];
		for (const one of crowd) one.says(GET);
		expect(crowd.filter(({ statuses }) => statuses[0] === 503)).toHaveLength(4);
		timers.advance(5000);
		expect(crowd.every(({ closed }) => closed === 1)).toBe(true);
		expect(visitors.map(({ closed }) => closed)).toEqual([0, 0, 0]);
		for (const exchange of exchanges) exchange.end();
		timers.advance(5000);
		expect(visitors.map(({ answers }) => answers.endsWith("0\r\n\r\n"))).toEqual([true, true, true]);
		visit().says(GET);
		expect(exchanges).toHaveLength(4);
	});
});

describe("time", () => {
	test("half a request is answered 408 and closed in time, however slowly it comes", () => {
		const visitor = visit();
		for (let i = 0; i < 10; i++) {
			visitor.says("G");
			timers.advance(REQUEST_LIMIT_MS / 11 - QUIET_MS);
		}
		expect(visitor.statuses).toEqual([]);
		timers.advance(REQUEST_LIMIT_MS / 5);
		expect(visitor.statuses).toEqual([408]);
		timers.advance(2000);
		expect(visitor.closed).toBe(1);
	});

	test("a visitor who asks nothing is let go", () => {
		const [silent, asked] = [visit(), visit()];
		timers.advance(IDLE_LIMIT_MS / 2);
		asked.says(GET);
		timers.advance(IDLE_LIMIT_MS / 2);
		expect([silent.closed, asked.closed]).toEqual([1, 0]);
		timers.advance(IDLE_LIMIT_MS);
		expect([asked.closed, timers.size]).toEqual([1, 0]);
	});

	test("a stream lasts, and ends when its visitor takes nothing", () => {
		onRequest = (exchange) => exchange.begin({ status: 200 });
		const visitor = visit();
		visitor.says(GET);
		timers.advance(10 * IDLE_LIMIT_MS);
		expect(visitor.closed).toBe(0);
		visitor.onWrite = () => 0;
		exchanges[0]?.write("taken");
		exchanges[0]?.write("not taken");
		timers.advance(STALL_LIMIT_MS - 1);
		expect(visitor.closed).toBe(0);
		visitor.options.onWritable?.(1);
		timers.advance(STALL_LIMIT_MS - 1);
		expect(visitor.closed).toBe(0);
		timers.advance(1000);
		expect(visitor.closed).toBe(1);
	});
});

describe("answers", () => {
	test("go out in pieces as there is room, in order", () => {
		onRequest = (exchange) => exchange.answer({ status: 200, body: textMessage(["one ", "zwölf ", "thir", "teen"]) });
		const visitor = visit();
		visitor.onWrite = () => 0;
		visitor.says(GET);
		for (let i = 0; i < 200; i++) visitor.options.onWritable?.(7);
		expect(visitor.answers).toMatch(/\r\n\r\none zwölf thirteen$/);
		expect(visitor.written.every(({ byteLength }) => byteLength <= 1000)).toBe(true);
	});

	test("texts are encoded piece by piece, however much room there is", () => {
		const texts = Array.from({ length: 100 }, (_, i) => `${i} ${"灯".repeat(100)}`);
		onRequest = (exchange) => exchange.answer({ status: 200, body: textMessage(texts) });
		const visitor = visit();
		visitor.onWrite = () => 100_000;
		visitor.says(GET);
		expect(visitor.answers.endsWith(`\r\n\r\n${texts.join("")}`)).toBe(true);
		expect(Math.max(...visitor.written.map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(1024);
	});

	test("a stream is chunked, and the connection is of use after it", () => {
		onRequest = (exchange) => exchange.begin({ status: 200, headers: [["content-type", "text/event-stream"]] });
		const visitor = visit();
		visitor.says(GET);
		const [exchange] = exchanges;
		exchange?.write("data: ü\n\n");
		exchange?.write(textMessage(["data: ", "ü", "ä", "\n\n"]));
		exchange?.end();
		expect(visitor.answers).toMatch(
			/transfer-encoding: chunked\r\nconnection: keep-alive\r\n\r\na\r\ndata: ü\n\n\r\nc\r\ndata: üä\n\n\r\n0\r\n\r\n$/,
		);
		onRequest = (exchange) => exchange.answer({ status: 204 });
		visitor.says(GET);
		expect(visitor.statuses).toEqual([200, 204]);
	});

	test("what has been taken does not count any more, also where characters are several bytes", () => {
		onRequest = (exchange) => exchange.begin({ status: 200 });
		const visitor = visit();
		visitor.onWrite = () => 100_000;
		visitor.says(GET);
		exchanges[0]?.write("ü".repeat(8000));
		visitor.onWrite = () => 0;
		exchanges[0]?.write("x");
		expect(exchanges[0]?.congested).toBe(false);
		exchanges[0]?.write("x".repeat(8200));
		expect(exchanges[0]?.congested).toBe(true);
	});

	test("short pieces that wait go out together", () => {
		onRequest = (exchange) => exchange.begin({ status: 200 });
		const visitor = visit();
		visitor.onWrite = () => 0;
		visitor.says(GET);
		for (let i = 0; i < 20; i++) exchanges[0]?.write("ü");
		const before = visitor.written.length;
		visitor.options.onWritable?.(1000);
		expect(visitor.written.slice(before).map((bytes) => Buffer.from(bytes).toString())).toEqual(["2\r\nü\r\n".repeat(20)]);
	});

	test("a stream that nobody takes is congested, and then over", () => {
		onRequest = (exchange) => exchange.begin({ status: 200 });
		const visitor = visit();
		visitor.onWrite = () => 0;
		visitor.says(GET);
		const [exchange] = exchanges;
		expect(exchange?.congested).toBe(false);
		exchange?.write("x".repeat(10_000));
		expect(exchange?.congested).toBe(true);
		exchange?.write("x".repeat(200_000));
		timers.advance(1000);
		expect(visitor.closed).toBe(1);
	});

	test("only one is given", () => {
		const visitor = visit();
		visitor.says(GET);
		exchanges[0]?.answer({ status: 500 });
		exchanges[0]?.begin({ status: 500 });
		exchanges[0]?.write("x");
		exchanges[0]?.end();
		expect(visitor.statuses).toEqual([200]);
	});

	test("what the handler throws is a 500 and a line in the log, for this visitor alone", () => {
		onRequest = () => {
			throw new Error("boom");
		};
		const visitor = visit();
		visitor.says(GET);
		onRequest = (exchange) => exchange.answer({ status: 200 });
		visitor.says(GET);
		expect([visitor.statuses, log.mock.calls]).toEqual([[500, 200], [["Error: boom"]]]);
	});
});

describe("refusals", () => {
	test.each([
		["nonsense", "hello\r\n\r\n", 400],
		["a body over the limit", `POST / HTTP/1.1\r\ncontent-length: ${MAX_BODY + 1}\r\n\r\n`, 413],
		["a head over the limit", `GET /${"x".repeat(5000)}`, 431],
		["what the handler does not want to read", `POST /secret HTTP/1.1\r\ncontent-length: 999\r\n\r\n`, 401],
	])("%s is answered, and what follows is passed over until the visitor or the time has gone", (_title, text, status) => {
		const visitor = visit();
		visitor.says(text);
		expect([visitor.statuses, visitor.closed, exchanges.length]).toEqual([[status], 0, 0]);
		for (let i = 0; i < 10; i++) visitor.says("x".repeat(5000));
		expect(visitor.statuses).toEqual([status]);
		timers.advance(2000);
		expect([visitor.closed, timers.size]).toEqual([1, 0]);
	});

	test("a client that waits for a word before it sends its body gets it", () => {
		const visitor = visit();
		visitor.says("POST / HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n");
		expect(visitor.statuses).toEqual([100]);
		visitor.says("{}");
		expect(visitor.statuses).toEqual([100, 200]);
	});
});
