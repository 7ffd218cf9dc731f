// MCP over HTTP, byte by byte: who is let in, what is answered with which status, and what belongs to which stream.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { defineTool } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";
import { ManualTimers, settle } from "../mcp/support.js";
import { FakeSocket } from "../support/fake-socket.js";

class FakeListener {
	static last: FakeListener;
	waiting: unknown[] = [];
	constructor(readonly options: { port: number; onReadable(count: number): void }) {
		FakeListener.last = this;
	}
	get port(): number {
		return this.options.port;
	}
	read(): unknown {
		return this.waiting.shift();
	}
}
jest.unstable_mockModule("embedded:io/socket/listener", () => ({ __esModule: true, default: FakeListener }));
jest.unstable_mockModule("embedded:io/socket/tcp", () => ({ __esModule: true, default: FakeSocket }));
const { HttpService, KEEP_ALIVE_MS } = await import("../../src/session/http-service.js");
const { McpServer } = await import("../../src/mcp/server.js");

const TOKEN = "0123456789abcdef";
const VERSION = "io.modelcontextprotocol/protocolVersion";
const META = { [VERSION]: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
const SSE = "text/event-stream";

// biome-ignore lint/suspicious/noExplicitAny: replies are looked into freely
type Any = any;

let timers: ManualTimers;
let server: InstanceType<typeof McpServer<undefined>>;
let service: InstanceType<typeof HttpService<undefined>>;
let finish: ((value: string) => void)[];
let cancelled: number;
const ready = jest.fn();

beforeEach(() => {
	timers = new ManualTimers();
	finish = [];
	cancelled = 0;
	ready.mockReset();
	server = new McpServer<undefined>({
		name: "test",
		version: "1",
		board: undefined,
		timers,
		tools: defineTools(
			[
				defineTool({ name: "self.echo", description: "d", call: () => "done" }),
				defineTool({
					name: "self.waits",
					description: "d",
					call(_args, _board, context) {
						context.onCancel = () => cancelled++;
						context.progress(1, 2);
						return new Promise<string>((resolve) => finish.push(resolve));
					},
				}),
			],
			[defineTool({ name: "self.hidden", description: "d", call: () => true })],
		) as never,
	});
	service = new HttpService<undefined>({ server, port: 80, token: TOKEN, doors: [], name: "http", log() {}, callbacks: { onReady: ready } });
	service.start();
});

afterEach(() => {
	service.close();
	timers.advance(60_000);
	expect(timers.size).toBe(0);
});

test("the network is told of it while it is there", () => {
	const withdrawn = jest.fn();
	const announce = jest.fn((_path: string) => ({ close: withdrawn }));
	const announced = new HttpService<undefined>({ server, port: 8080, token: TOKEN, doors: [], name: "http", log() {}, announce });
	expect(announce).not.toHaveBeenCalled();
	announced.start();
	expect(announce.mock.calls).toEqual([["/mcp"]]);
	expect(withdrawn).not.toHaveBeenCalled();
	announced.close();
	announced.close();
	expect(withdrawn).toHaveBeenCalledTimes(1);
});

/** One connection of a client's. */
class Client {
	readonly socket: FakeSocket;
	#read = 0;

	constructor() {
		FakeListener.last.waiting.push({});
		FakeListener.last.options.onReadable(1);
		this.socket = FakeSocket.last;
		this.socket.options.onWritable?.(100_000);
		this.socket.onWrite = () => 100_000;
	}

	send(method: string, headers: Record<string, string | undefined>, body = ""): this {
		const all = { host: "10.0.0.7", authorization: `Bearer ${TOKEN}`, accept: `application/json, ${SSE}`, ...headers };
		const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
		const length = body || method === "POST" ? `content-length: ${Buffer.byteLength(body)}\r\n` : "";
		this.socket.receive(Buffer.from(`${method} ${headers.path ?? "/mcp"} HTTP/1.1\r\n${lines.join("")}${length}\r\n${body}`));
		timers.advance(0);
		return this;
	}

	post(message: unknown, headers: Record<string, string | undefined> = {}): this {
		return this.send("POST", { "content-type": "application/json", ...headers }, typeof message === "string" ? message : JSON.stringify(message));
	}

	/** What has come since the last time. */
	get raw(): string {
		const all = Buffer.concat(this.socket.written).toString();
		const text = all.slice(this.#read);
		this.#read = all.length;
		return text;
	}

	/** Status, headers and JSON of an answer. */
	get answer(): { status: number; head: string; json: Any } {
		const [head = "", body = ""] = this.raw.split("\r\n\r\n");
		return { status: Number(head.split(" ")[1]), head, json: body.startsWith("{") ? JSON.parse(body) : undefined };
	}

	/** The events of a stream. */
	get events(): Any[] {
		return [...this.raw.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
	}
}

const rpc = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });
/** A request of 2026-07-28, and its headers. */
function modern(method: string, params: Record<string, unknown> = {}, id: unknown = 1): [object, Record<string, string>] {
	const name: Record<string, string> = params.name === undefined ? {} : { "mcp-name": String(params.name) };
	return [rpc(method, { _meta: META, ...params }, id), { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...name }];
}
const post = (message: unknown, headers?: Record<string, string | undefined>) => new Client().post(message, headers).answer;

/** Begins a session. @returns the headers of its requests */
function initialize(client = new Client()): Record<string, string> {
	const { head, json } = client.post(rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {} })).answer;
	expect(json.result.protocolVersion).toBe("2025-11-25");
	return { "mcp-session-id": /mcp-session-id: (\S+)/.exec(head)?.[1] ?? "", "mcp-protocol-version": "2025-11-25" };
}

describe("who is let in", () => {
	const [list, headers] = modern("tools/list");

	test.each<[string, Record<string, string | undefined>, number]>([
		["nobody without a token", { authorization: undefined }, 401],
		["nobody with another token", { authorization: `Bearer ${TOKEN.slice(0, -1)}0` }, 401],
		["nobody with more than the token", { authorization: `Bearer ${TOKEN}x` }, 401],
		["no page of another site", { origin: "http://evil.example" }, 403],
		["no page without a site", { origin: "null" }, 403],
		["nobody under a name of another site", { host: "evil.example", origin: "http://evil.example" }, 403],
		["nobody without a name", { host: undefined }, 403],
		["no other type than JSON", { "content-type": "text/plain" }, 415],
		["no other type than JSON", { "content-type": undefined }, 415],
		["nobody who takes neither JSON nor events", { accept: "text/html" }, 406],
		["nobody elsewhere", { path: "/" }, 404],
		["a client by its address", {}, 200],
		["a client by a local name", { host: "kitchen.local:8080", origin: "http://kitchen.local:8080" }, 200],
		["a client who does not say what it takes", { accept: undefined }, 200],
		["a client with a charset", { "content-type": "application/json; charset=utf-8" }, 200],
		["a client with a query", { path: "/mcp?a=b" }, 200],
	])("%s", (_title, changed, status) => {
		const { head, ...answer } = post(list, { ...headers, ...changed });
		expect(answer.status).toBe(status);
		expect(head.includes('www-authenticate: Bearer realm="mcp"')).toBe(status === 401);
	});

	test("no other method", () => {
		const { status, head } = new Client().send("PUT", {}).answer;
		expect([status, head]).toEqual([405, expect.stringContaining("allow: POST, GET, DELETE")]);
	});

	test("no body over the limit, and it is not even read without the token", () => {
		const large = { "content-type": "application/json", "content-length": "100000" };
		expect(new Client().send("PUT", {}).answer.status).toBe(405);
		for (const [authorization, status] of [
			[`Bearer ${TOKEN}`, 413],
			["Bearer no", 401],
		] as const) {
			const client = new Client();
			client.socket.receive(
				Buffer.from(
					`POST /mcp HTTP/1.1\r\nhost: 10.0.0.7\r\nauthorization: ${authorization}\r\ncontent-type: ${large["content-type"]}\r\ncontent-length: 100000\r\n\r\n`,
				),
			);
			expect(client.answer.status).toBe(status);
		}
	});
});

describe("2026-07-28, request by request", () => {
	test("a call is answered in plain JSON, whatever else this client or another has asked", () => {
		const [call, headers] = modern("tools/call", { name: "self_echo" });
		const client = new Client();
		for (let i = 0; i < 2; i++) {
			const { status, head, json } = client.post(call, headers).answer;
			expect([status, head]).toEqual([200, expect.stringContaining("content-type: application/json")]);
			expect(json).toMatchObject({ id: 1, result: { content: [{ text: "done" }], resultType: "complete" } });
		}
		expect(ready.mock.calls).toEqual([[true]]);
	});

	test("tools are listed under names that model APIs take, without those for people", () => {
		const { json } = post(...modern("tools/list"));
		expect(json.result.tools.map(({ name }: Any) => name)).toEqual(["self_echo", "self_waits"]);
		expect(post(...modern("tools/call", { name: "self.hidden" })).json.error.code).toBe(-32602);
	});

	test("server/discover tells the revision", () => {
		expect(post(...modern("server/discover")).json.result.supportedVersions).toEqual(["2026-07-28"]);
	});

	test.each<[string, [object, Record<string, string | undefined>], number, number]>([
		["no version in the headers", [modern("tools/list")[0], { "mcp-method": "tools/list" }], 400, -32020],
		["another version in the headers", [modern("tools/list")[0], { ...modern("tools/list")[1], "mcp-protocol-version": "2025-11-25" }], 400, -32020],
		["no method in the headers", [modern("tools/list")[0], { "mcp-protocol-version": "2026-07-28" }], 400, -32020],
		["another method in the headers", [modern("tools/list")[0], modern("tools/call")[1]], 400, -32020],
		["no name in the headers", [modern("tools/call", { name: "self_echo" })[0], modern("tools/call")[1]], 400, -32020],
		["another name in the headers", [modern("tools/call", { name: "self_echo" })[0], modern("tools/call", { name: "x" })[1]], 400, -32020],
		["the era in the headers alone", [rpc("tools/list"), modern("tools/list")[1]], 400, -32602],
		["no capabilities of the client's", [rpc("tools/list", { _meta: { [VERSION]: "2026-07-28" } }), modern("tools/list")[1]], 400, -32602],
		["initialize of the era before", [rpc("initialize"), modern("initialize")[1]], 400, -32020],
		["initialize", modern("initialize"), 404, -32601],
		["an unknown method", modern("nope"), 404, -32601],
		["an unknown tool", modern("tools/call", { name: "nope" }), 200, -32602],
		[
			"an unknown revision",
			[rpc("tools/list", { _meta: { [VERSION]: "2027-01-01" } }), { ...modern("tools/list")[1], "mcp-protocol-version": "2027-01-01" }],
			400,
			-32022,
		],
		["an id with a fraction", modern("tools/list", {}, 1.5), 400, -32600],
		["no id", modern("tools/list", {}, null), 400, -32600],
	])("refuses %s", (_title, [message, headers], status, code) => {
		const answer = post(message, headers);
		expect([answer.status, answer.json.error.code]).toEqual([status, code]);
	});

	test.each([
		["no JSON", "{", -32700],
		["nothing", "", -32700],
		["a batch", "[]", -32600],
		["a text", '"x"', -32600],
		["more values than a message may have", `[${"0,".repeat(300)}0]`, -32600],
	])("refuses %s", (_title, body, code) => {
		const answer = post(body);
		expect([answer.status, answer.json.error.code, answer.json.id]).toEqual([400, code, null]);
	});

	test("a name in Base64 is compared too", () => {
		const name = `=?base64?${Buffer.from("self_echo").toString("base64")}?=`;
		const [call, headers] = modern("tools/call", { name: "self_echo" });
		expect(post(call, { ...headers, "mcp-name": name }).status).toBe(200);
	});

	test("a notification is accepted", () => {
		expect(
			post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { _meta: META, requestId: 1 } }, { "mcp-protocol-version": "2026-07-28" })
				.status,
		).toBe(202);
	});

	test("a call that takes time waits for its result, and streams where progress was asked for", async () => {
		const plain = new Client().post(...modern("tools/call", { name: "self_waits" }));
		const stream = new Client().post(...modern("tools/call", { name: "self_waits", _meta: { ...META, progressToken: "p" } }));
		expect(plain.raw).toBe("");
		expect(stream.events).toMatchObject([{ method: "notifications/progress", params: { progressToken: "p", progress: 1 } }]);
		for (const settleOne of finish) settleOne("late");
		await settle();
		expect(plain.answer.json.result.content[0].text).toBe("late");
		expect(stream.events).toMatchObject([{ id: 1, result: { content: [{ text: "late" }] } }]);
		// Both connections are of use again.
		for (const client of [plain, stream]) expect(client.post(...modern("tools/list")).answer.status).toBe(200);
	});

	test("a client that takes no events gets no progress, and one that takes nothing else gets its reply as an event", async () => {
		const asks = modern("tools/call", { name: "self_waits", _meta: { ...META, progressToken: 1 } });
		const plain = new Client().post(asks[0], { ...asks[1], accept: "application/json" });
		finish[0]?.("late");
		await settle();
		expect(plain.answer.json.result.content[0].text).toBe("late");
		const [call, headers] = modern("tools/call", { name: "self_echo" });
		expect(new Client().post(call, { ...headers, accept: SSE }).events).toMatchObject([{ id: 1 }]);
		const [list, listHeaders] = modern("tools/list");
		const [{ result }] = new Client().post(list, { ...listHeaders, accept: SSE }).events;
		expect(result.tools).toEqual(new Client().post(list, listHeaders).answer.json.result.tools);
	});

	test("two clients with one id get each their own, and one that leaves cancels its own call only", async () => {
		const [one, two] = [1, 2].map(() => new Client().post(...modern("tools/call", { name: "self_waits" })));
		one?.socket.options.onError?.();
		expect([cancelled, server.running]).toEqual([1, 1]);
		finish[0]?.("one");
		finish[1]?.("two");
		await settle();
		expect(two?.answer.json).toMatchObject({ id: 1, result: { content: [{ text: "two" }] } });
		expect(one?.raw).toBe("");
	});

	test("a subscription tells changes of the list until its client leaves or the device ends it", () => {
		const listen = modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
		const [one, two] = [1, 2].map(() => new Client().post(...listen));
		expect([one?.events[0].method, two?.events.length]).toEqual(["notifications/subscriptions/acknowledged", 1]);
		server.addTool("late", "d", {}, () => true);
		expect(one?.events.map(({ method }) => method)).toEqual(["notifications/tools/list_changed"]);
		one?.socket.options.onError?.();
		server.removeTool("late");
		expect([one?.raw, two?.events.length]).toEqual(["", 2]);
		timers.advance(KEEP_ALIVE_MS);
		expect(two?.raw).toBe("3\r\n:\n\n\r\n");
		service.close();
		expect(two?.events).toMatchObject([{ id: 1, result: { resultType: "complete" } }]);
	});

	test("so many streams stay open that another client can still ask", () => {
		const listen = modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
		const clients = [1, 2].map(() => new Client().post(...listen));
		const third = new Client().post(...listen);
		expect(third.answer).toMatchObject({ status: 503, head: expect.stringContaining("retry-after") });
		expect(third.post(...modern("tools/list")).answer.status).toBe(200);
		clients[0]?.socket.options.onError?.();
		expect(third.post(...listen).events).toHaveLength(1);
	});
});

describe("the revisions before, in sessions", () => {
	test("a session lists, calls and ends", () => {
		const client = new Client();
		const headers = initialize(client);
		expect(client.post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers).answer.status).toBe(202);
		expect(client.post(rpc("tools/call", { name: "self.echo" }, "a"), headers).answer.json).toMatchObject({
			id: "a",
			result: { content: [{ text: "done" }] },
		});
		expect(client.post(rpc("nope"), headers).answer).toMatchObject({ status: 200, json: { error: { code: -32601 } } });
		expect(client.send("DELETE", headers).answer.status).toBe(204);
		expect(client.post(rpc("ping"), headers).answer).toMatchObject({ status: 404 });
	});

	test.each<[string, () => number, number]>([
		["a request without a session", () => post(rpc("tools/list")).status, 400],
		["an unknown session", () => post(rpc("tools/list"), { "mcp-session-id": "nope" }).status, 404],
		["a GET without a session", () => new Client().send("GET", {}).answer.status, 400],
		["a DELETE without a session", () => new Client().send("DELETE", {}).answer.status, 400],
		["a revision of nobody's", () => post(rpc("tools/list"), { ...initialize(), "mcp-protocol-version": "1999-01-01" }).status, 400],
		["a message that is none", () => post({ x: 1 }, initialize()).status, 400],
	])("refuses %s", (_title, act, status) => {
		expect(act()).toBe(status);
	});

	test("changes of the list come over the session's one stream", () => {
		const client = new Client();
		const headers = initialize(client);
		server.addTool("early", "d", {}, () => true);
		const stream = new Client().send("GET", headers);
		expect(stream.raw).toContain(`content-type: ${SSE}`);
		expect(client.send("GET", headers).answer.status).toBe(409);
		server.removeTool("early");
		expect(stream.events.map(({ method }) => method)).toEqual(["notifications/tools/list_changed"]);
		client.send("DELETE", headers);
		expect(stream.raw).toBe("0\r\n\r\n");
	});

	test("concurrent calls of one session, with one id and one token, get each their own progress and result", async () => {
		const first = new Client();
		const headers = initialize(first);
		const second = new Client();
		const call = rpc("tools/call", { name: "self.waits", _meta: { progressToken: 1 } });
		first.post(call, headers);
		second.post(call, headers);
		finish[1]?.("second");
		await settle();
		expect(second.events.map((event) => event.method ?? event.result.content[0].text)).toEqual(["notifications/progress", "second"]);
		expect(first.events.map(({ method }) => method)).toEqual(["notifications/progress"]);
		// A client that is gone may come back for another result: its call goes on.
		first.socket.options.onError?.();
		expect([cancelled, server.running]).toEqual([0, 1]);
		second.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }, headers);
		expect([cancelled, server.running]).toEqual([1, 0]);
	});

	test("the session that was used the longest ago makes room, but none that is in use", async () => {
		const client = new Client();
		const [one, two, three] = [initialize(client), initialize(client), initialize(client)];
		expect(client.post(rpc("ping"), one).answer.status).toBe(200);
		const four = initialize(client);
		expect([one, two, three, four].map((headers) => client.post(rpc("ping"), headers).answer.status)).toEqual([200, 404, 200, 200]);
		const others = [new Client(), new Client()];
		others[0]?.send("GET", one);
		others[1]?.send("GET", three);
		const call = client.post(rpc("tools/call", { name: "self.waits" }), four);
		expect(call.raw).toBe("");
		finish[0]?.("late");
		await settle();
		expect(call.answer.status).toBe(200);
		expect(initialize(client)["mcp-session-id"]).toBeTruthy();
		expect([one, three].map((headers) => client.post(rpc("ping"), headers).answer.status)).toEqual([200, 200]);
		expect(client.post(rpc("ping"), four).answer.status).toBe(404);
	});

	test("an initialize that fails leaves no session", () => {
		for (let i = 0; i < 5; i++) expect(post({ jsonrpc: "1.0", id: 1, method: "initialize" }).json.error.code).toBe(-32600);
		initialize();
	});
});
