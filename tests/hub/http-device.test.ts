// Devices that serve MCP themselves, at the revision with sessions: made by the official library's first line.

import { randomUUID } from "node:crypto";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Device, Devices } from "../../hub/devices.js";
import { HttpDevice } from "../../hub/http-device.js";
import { text, tool } from "../support/tool-board.js";

let http: HttpServer | undefined;
let device: HttpDevice | undefined;
let devices: Devices;

afterEach(async () => {
	device?.close();
	devices.close();
	await stop();
});

/** One session at a time, as a small device has it. */
async function serve(tools: string[], port = 0): Promise<{ url: string; changed(): Promise<void> }> {
	let onStream = () => {};
	const streaming = new Promise<void>((resolve) => {
		onStream = resolve;
	});
	let server: Server | undefined;
	let transport: StreamableHTTPServerTransport | undefined;
	http = createServer(async (request, response) => {
		if (request.headers.authorization !== "Bearer t") return void response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end();
		const id = request.headers["mcp-session-id"];
		if (id === undefined) {
			server = new Server({ name: "small", version: "1" }, { capabilities: { tools: { listChanged: true } } });
			server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map((name) => tool(name)) as never[] }));
			server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
				params.name === "self.never" ? new Promise<never>(() => {}) : text(params.name),
			);
			transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
			await server.connect(transport as never);
		} else if (id !== transport?.sessionId) return void response.writeHead(404).end();
		if (request.method === "GET") {
			const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => typeof response;
			response.writeHead = (...values: unknown[]) => {
				onStream();
				return writeHead(...values);
			};
		}
		await transport?.handleRequest(request, response);
	});
	await new Promise<void>((resolve) => http?.listen(port, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
	return { url, changed: () => streaming.then(() => server?.sendToolListChanged()) };
}

async function stop(): Promise<void> {
	http?.closeAllConnections();
	await new Promise((resolve) => (http ? http.close(resolve) : resolve(undefined)));
	http = undefined;
}

/** The next time that the device is there. */
const ready = () =>
	new Promise<Device>((resolve) => {
		const end = devices.listen({
			onReady: (found) => {
				end();
				resolve(found);
			},
		});
	});

describe("a device that serves MCP", () => {
	test("is discovered and called, away at once when it has gone, and back in a new session", async () => {
		devices = new Devices();
		const { url } = await serve(["self.a"]);
		device = new HttpDevice(devices, { url, token: "t" });
		await device.tried;
		const found = devices.find("small") as Device;
		expect([found.id, found.via, found.session?.protocolVersion]).toEqual([url, "http", "2025-11-25"]);
		expect(await found.callTool("self.a")).toMatchObject(text("self.a"));

		const ended = new Promise((resolve) => devices.listen({ onEnded: resolve }));
		await stop();
		await expect(found.callTool("self.a")).rejects.toThrow(/^small (is away|has gone away): /);
		await ended;
		await expect(found.callTool("self.a")).rejects.toThrow(/^small is away: /);

		const back = ready();
		await serve(["self.b"], Number(new URL(url).port));
		expect((await back).tools.map(({ name }) => name)).toEqual(["self.b"]);
		expect(await found.callTool("self.b")).toMatchObject(text("self.b"));
	});

	test("shows its messages in both directions", async () => {
		devices = new Devices();
		const { url } = await serve(["self.a"]);
		const heard: string[] = [];
		devices.listen({ onWire: (_session, direction, message) => heard.push(`${direction} ${message}`) });
		device = new HttpDevice(devices, { url, token: "t" });
		await device.tried;
		await devices.find("small")?.callTool("self.a");
		const [asked, answered] = heard.slice(-2);
		expect(asked).toMatch(/^out \{.*"method":"tools\/call".*"self.a"/);
		expect(answered).toMatch(/^in \{.*"result":.*self\.a/);
	});

	test("that has restarted and forgotten the session gets a new one", async () => {
		devices = new Devices();
		const { url } = await serve(["self.a"]);
		device = new HttpDevice(devices, { url, token: "t" });
		await device.tried;
		await stop();
		await serve(["self.a"], Number(new URL(url).port));
		const back = ready();
		const found = devices.find("small") as Device;
		await expect(found.callTool("self.a")).rejects.toThrow(/^small (is away|has gone away): /);
		await back;
		expect(await found.callTool("self.a")).toMatchObject(text("self.a"));
	});

	test("that leaves a call unanswered counts as gone, and one whose call was cancelled does not", async () => {
		devices = new Devices();
		const { url } = await serve(["self.never", "self.a"]);
		device = new HttpDevice(devices, { url, token: "t", callTimeoutMs: 2000 });
		await device.tried;
		const found = devices.find("small") as Device;
		const stop = new AbortController();
		const call = found.callTool("self.never", {}, { signal: stop.signal });
		stop.abort("enough");
		await expect(call).rejects.toThrow("enough");
		expect(await found.callTool("self.a")).toMatchObject(text("self.a"));
		await expect(found.callTool("self.never")).rejects.toThrow("small has gone away: it did not answer in time");
		await expect(found.callTool("self.a")).rejects.toThrow("small is away: it did not answer in time");
	});

	test("is heard when its tools change", async () => {
		devices = new Devices();
		const tools = ["self.a"];
		const { url, changed } = await serve(tools);
		device = new HttpDevice(devices, { url, token: "t" });
		await device.tried;
		tools.push("self.b");
		const again = ready();
		await changed();
		expect((await again).tools).toHaveLength(2);
	});

	test("that is not there is told of, and its token stays out of the reason", async () => {
		devices = new Devices();
		const failed = new Promise<string>((resolve) => devices.listen({ onFailed: (_session, reason) => resolve(reason) }));
		device = new HttpDevice(devices, { url: "http://127.0.0.1:1/mcp", token: "s3cret" });
		expect(await failed).toMatch(/fetch failed|ECONNREFUSED/);
		expect(await failed).not.toContain("s3cret");
	});
});
