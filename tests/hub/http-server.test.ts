// Everything that should not get in: tokens, names of hosts, bodies, floods; and everyone else goes on.

import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { HttpServer, isLoopback, MAX_BODY_BYTES, MAX_CONNECTIONS, RateLimit } from "../../hub/http-server.js";
import { ScriptedEndpoint, TestHub } from "../support/hub.js";
import { INITIALIZE_RESULT, tool } from "../support/tool-board.js";

const LIMIT_MS = 30_000;
let hub: TestHub | undefined;
let server: HttpServer | undefined;
let sockets: Socket[] = [];

afterEach(async () => {
	for (const socket of sockets) socket.destroy();
	sockets = [];
	await server?.close();
	await hub?.close();
	hub = server = undefined;
});

async function start(options: Parameters<typeof TestHub.start>[0] = {}): Promise<TestHub> {
	hub = await TestHub.start(options);
	return hub;
}

interface Answer {
	status: number | undefined;
	headers: Record<string, unknown>;
	body: string;
}

function ask(port: number, path: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const { method = options.body === undefined ? "GET" : "POST", headers = {}, body } = options;
		const request = httpRequest({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
			let text = "";
			response.setEncoding("utf8").on("data", (chunk) => {
				text += chunk;
			});
			response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body: text }));
		});
		request.on("error", reject);
		request.end(body);
	});
}

const JSON_HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const INITIALIZE = JSON.stringify({
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});

/** A connection that says what it is told to. */
function raw(port: number, text: string): Promise<{ socket: Socket; closed: Promise<string> }> {
	return new Promise((resolve, reject) => {
		let received = "";
		const socket = connect(port, "127.0.0.1", () => {
			socket.write(text);
			resolve({ socket, closed });
		});
		sockets.push(socket);
		const closed = new Promise<string>((end) => socket.on("close", () => end(received)));
		socket.on("data", (data) => {
			received += data.toString();
		});
		socket.on("error", reject);
	});
}

describe("tokens", () => {
	test.each(["/mcp", "/devices", "/nothing"])("a wrong one and none are 401 at %s, and say what is wanted", async (path) => {
		const { backend } = await start({ token: "s3cret" });
		for (const headers of [{}, { Authorization: "Bearer other" }, { Authorization: "s3cret" }] as Record<string, string>[]) {
			const answer = await ask(backend.port, path, { headers });
			expect(answer.status).toBe(401);
			expect(answer.headers["www-authenticate"]).toMatch(/^Bearer realm=/);
		}
		expect((await ask(backend.port, "/devices", { headers: { Authorization: "Bearer s3cret" } })).status).toBe(200);
	});

	test("of an endpoint are in the query", async () => {
		const hub = await start({ token: "s3cret" });
		for (const token of [undefined, "other"]) {
			const url = hub.endpointUrl("one", token).replace(token === undefined ? "token=s3cret&" : "", "");
			await expect(ScriptedEndpoint.connect(url, {})).rejects.toThrow("401");
		}
		await hub.endpoint("one", { initialize: () => INITIALIZE_RESULT, "tools/list": () => ({ tools: [tool("self.x")] }) });
		expect(hub.devices.find("one")?.tools).toHaveLength(1);
	});
});

describe("pages of strangers", () => {
	test.each([
		["Host", "evil.example"],
		["Host", "evil.example:8000"],
		["Host", "192.168.1.5"],
		["Origin", "https://evil.example"],
		["Origin", "null"],
	])("%s %s is 403", async (name, value) => {
		const { backend } = await start();
		expect((await ask(backend.port, "/mcp", { headers: { ...JSON_HEADERS, [name]: value }, body: INITIALIZE })).status).toBe(403);
	});

	test.each([
		["Host", "localhost:1"],
		["Host", "[::1]"],
		["Origin", "http://localhost:6274"],
		["Origin", "http://127.0.0.1"],
	])("%s %s is let in", async (name, value) => {
		const { backend } = await start();
		expect((await ask(backend.port, "/mcp", { headers: { ...JSON_HEADERS, [name]: value }, body: INITIALIZE })).status).toBe(200);
	});

	test("a server for the network goes by addresses and its own names", async () => {
		server = await HttpServer.listen({ host: "0.0.0.0", token: "t", routes: { x: (_request, response) => void response.end() } });
		const status = async (Host: string) => (await ask(server?.port ?? 0, "/x", { headers: { Host, Authorization: "Bearer t" } })).status;
		expect([await status("192.168.1.5:80"), await status("[fe80::1]"), await status("localhost"), await status("evil.example")]).toEqual([
			200, 200, 200, 403,
		]);
	});

	test("a WebSocket of a page is refused too", async () => {
		const { backend } = await start();
		const { closed } = await raw(
			backend.port,
			"GET /mcp/?deviceId=x HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
		);
		expect(await closed).toMatch(/^HTTP\/1\.1 403 /);
	});
});

describe("bodies", () => {
	test.each([
		["/mcp", "text/plain"],
		["/devices/x/call", "text/plain"],
	])("%s of another type are 415", async (path, type) => {
		const hub = await start();
		await hub.endpoint("x", { initialize: () => INITIALIZE_RESULT, "tools/list": () => ({ tools: [] }) });
		expect((await ask(hub.backend.port, path, { headers: { ...JSON_HEADERS, "Content-Type": type }, body: INITIALIZE })).status).toBe(415);
	});

	test.each(["/mcp", "/devices/x/call"])("%s past the limit are 413, announced or not", async (path) => {
		const hub = await start();
		await hub.endpoint("x", { initialize: () => INITIALIZE_RESULT, "tools/list": () => ({ tools: [] }) });
		const body = " ".repeat(MAX_BODY_BYTES + 1);
		const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;
		const announced = await raw(hub.backend.port, `${head}Content-Length: ${body.length}\r\n\r\n`);
		expect(await announced.closed).toMatch(/^HTTP\/1\.1 413 /);
		const chunked = await raw(hub.backend.port, `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`);
		expect(await chunked.closed).toMatch(/^HTTP\/1\.1 413 /);
	});

	test.each([
		["not JSON", "{", 400, -32700, "the body is not JSON"],
		[
			"no session",
			JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
			400,
			-32600,
			"begin with initialize, or send _meta of 2026-07-28",
		],
	])("%s is said in JSON-RPC", async (_name, body, status, code, message) => {
		const { backend } = await start();
		const answer = await ask(backend.port, "/mcp", { headers: JSON_HEADERS, body });
		expect([answer.status, JSON.parse(answer.body).error]).toEqual([status, { code, message }]);
	});

	test("an unknown session is 404, and a GET without one 405", async () => {
		const { backend } = await start();
		const headers = { ...JSON_HEADERS, "Mcp-Session-Id": "nobody" };
		expect((await ask(backend.port, "/mcp", { headers, body: INITIALIZE })).status).toBe(404);
		expect((await ask(backend.port, "/mcp", { headers: { Accept: "text/event-stream" } })).status).toBe(405);
	});
});

describe("floods", () => {
	test("requests beyond the rate are 429, with the time to wait", async () => {
		const limit = new RateLimit(10, 3, 0);
		expect([limit.take(0), limit.take(0), limit.take(0), limit.take(0), limit.take(100), limit.take(100)]).toEqual([
			true,
			true,
			true,
			false,
			true,
			false,
		]);
	});

	test(
		"connections beyond the limit get 503, and the first ones go on",
		async () => {
			const { backend } = await start();
			const first = await raw(backend.port, "");
			for (let i = 1; i < MAX_CONNECTIONS; i++) await raw(backend.port, "");
			const answer = await ask(backend.port, "/devices");
			expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "2"]);
			const last = sockets.pop();
			const gone = new Promise((resolve) => last?.on("close", resolve));
			last?.destroy();
			await gone;
			first.socket.write("GET /devices HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
			expect(await first.closed).toMatch(/^HTTP\/1\.1 200 /);
		},
		LIMIT_MS,
	);

	test("a client that opens 100 sessions gets 503 at last, and those that are open go on", async () => {
		const { backend } = await start();
		const answers = [];
		for (let i = 0; i < 100; i++) answers.push(await ask(backend.port, "/mcp", { headers: JSON_HEADERS, body: INITIALIZE }));
		expect(answers.filter(({ status }) => status === 200).length).toBe(64);
		expect(answers.filter(({ status }) => status === 503).length).toBe(36);
		const id = String(answers[0]?.headers["mcp-session-id"]);
		const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
		expect((await ask(backend.port, "/mcp", { headers: { ...JSON_HEADERS, "Mcp-Session-Id": id }, body })).status).toBe(200);
	});

	test("half a request ends in time", async () => {
		server = await HttpServer.listen({ requestTimeoutMs: 50, routes: {} });
		const { closed } = await raw(server.port, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n{");
		expect(await closed).toMatch(/^HTTP\/1\.1 (404|408) /);
		const headers = await raw(server.port, "POST /mcp HTTP/1.1\r\nHost:");
		expect(await headers.closed).toMatch(/^HTTP\/1\.1 408 /);
	});
});

test.each([
	["127.0.0.1", true],
	["127.9.9.9", true],
	["localhost", true],
	["::1", true],
	["0.0.0.0", false],
	["192.168.1.2", false],
	["127.example.com", false],
])("%s is this machine's own: %s", (host, own) => {
	expect(isLoopback(host)).toBe(own);
});
