// The two major lines of the official TypeScript client, and the gateway, drive the firmware on XS over its own Streamable HTTP.

import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { HttpDevice } from "../../hub/http-device.js";
import { type Preferences, runDevice } from "../../simulator/run-device.js";
import type { Firmware } from "../firmware/sessions.js";
import { TestHub } from "../support/hub.js";
import { createLauncher, LogWatch } from "../support/launch.js";
import { TestBackend } from "../support/test-backend.js";

const INFO = { name: "official-client", version: "1.0.0" };
const TOKEN = "a-token-for-clients";

let port: number;
let url: URL;
let firmware: Firmware;
const closing: (() => unknown)[] = [];

const freePort = () =>
	new Promise<number>((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address() as AddressInfo;
			server.close(() => resolve(port));
		});
	});

beforeEach(async () => {
	port = await freePort();
	url = new URL(`http://127.0.0.1:${port}/mcp`);
	firmware = await createLauncher("xs").launch({ http_port: port, http_token: TOKEN });
});

afterEach(async () => {
	for (const close of closing.splice(0).reverse()) await close();
	await firmware.close();
});

const options = (token = TOKEN) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } });

async function connectV1(): Promise<ClientV1> {
	const client = new ClientV1(INFO);
	closing.push(() => client.close());
	await client.connect(new HttpV1(url, options()) as never);
	return client;
}

async function connectV2(mode: "legacy" | "auto" | { pin: string }): Promise<ClientV2> {
	const client = new ClientV2(INFO, { versionNegotiation: { mode } } as never);
	closing.push(() => client.close());
	await client.connect(new HttpV2(url, options()));
	return client;
}

describe.each<[string, () => Promise<ClientV1 | ClientV2>, boolean]>([
	["v1", connectV1, false],
	["v2, legacy", () => connectV2("legacy"), false],
	["v2, pinned to 2026-07-28", () => connectV2({ pin: "2026-07-28" }), true],
	["v2, left to negotiate", () => connectV2("auto"), true],
])("the official client %s", (_title, connectClient, isModern) => {
	test("lists, calls, is refused, hears progress, cancels, and hears that the list has changed", async () => {
		// biome-ignore lint/suspicious/noExplicitAny: both libraries' clients have these methods
		const client: any = await connectClient();
		if (client instanceof ClientV2) expect(client.getNegotiatedProtocolVersion()).toBe(isModern ? "2026-07-28" : "2025-11-25");
		const changed = new Promise<void>((resolve) => {
			if (client instanceof ClientV1) client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
			else client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
		});
		const names: string[] = [];
		for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
			const page = await client.listTools(cursor === undefined ? {} : { cursor });
			names.push(...page.tools.map(({ name }: { name: string }) => name));
			cursor = page.nextCursor;
		}
		expect(names).toContain("self_audio_speaker_set_volume");
		expect(names).not.toContain("self_reboot");
		expect((await client.callTool({ name: "self_audio_speaker_set_volume", arguments: { volume: 42 } })).isError).toBe(false);
		const { content } = await client.callTool({ name: "self_get_device_status", arguments: {} });
		expect(JSON.parse(content[0].text).audio_speaker.volume).toBe(42);
		expect((await client.callTool({ name: "self_audio_speaker_set_volume", arguments: { volume: 101 } })).isError).toBe(true);
		await expect(client.callTool({ name: "self_reboot", arguments: {} })).rejects.toMatchObject({ code: -32602 });

		const progress: number[] = [];
		const listens = { onprogress: ({ progress: done }: { progress: number }) => progress.push(done) };
		const result = await client.callTool({ name: "test.steps", arguments: {} }, ...(client instanceof ClientV1 ? [undefined, listens] : [listens]));
		expect([result.content[0].text, progress]).toEqual(["done", [1, 2, 3]]);

		const stop = new AbortController();
		const signal = { signal: stop.signal };
		const call = client.callTool({ name: "test.wait", arguments: {} }, ...(client instanceof ClientV1 ? [undefined, signal] : [signal]));
		await firmware.logged(/test.wait began/);
		stop.abort("enough");
		await expect(call).rejects.toBeDefined();
		await firmware.logged(/test.wait was cancelled/);

		if (isModern) return;
		await client.callTool({ name: "test.grow", arguments: {} });
		await changed;
	});
});

test("the gateway takes the device as it is, passes on calls and progress, and says when it vanishes in the middle of a call", async () => {
	const hub = await TestHub.start();
	closing.push(() => hub.close());
	const device = new HttpDevice(hub.devices, { url: url.href, token: TOKEN });
	closing.push(() => device.close());
	await device.tried;
	const client = await hub.client("2026-07-28");
	const { tools } = await client.listTools();
	expect(tools.map(({ name }: { name: string }) => name)).toContain("self_light_set_rgb");
	expect((await client.callTool({ name: "self_audio_speaker_set_volume", arguments: { volume: 7 } })).isError).toBe(false);
	const progress: number[] = [];
	const onprogress = ({ progress: done }: { progress: number }) => progress.push(done);
	expect((await client.callTool({ name: "test_steps", arguments: {} }, { onprogress })).content[0].text).toBe("done");
	expect(progress).toEqual([1, 2, 3]);
	const call = client.callTool({ name: "test_wait", arguments: {} }).catch((error: Error) => error);
	await firmware.logged(/test.wait began/);
	await firmware.close();
	expect(JSON.stringify(await call, ["message", "content", "text"])).toContain("simulator has gone away: ");
});

describe("a device whose owner gave no token", () => {
	test("makes one, keeps it over a restart, and tells it in the log", async () => {
		const tokens: string[] = [];
		let preferences: Preferences | undefined;
		for (let i = 0; i < 2; i++) {
			const log = new LogWatch();
			const ownPort = await freePort();
			const own = await runDevice({
				board: "simulator",
				engine: "xs",
				config: { http_port: ownPort },
				preferences,
				onLog: (line) => log.add(line),
			});
			closing.push(() => own.close());
			const token = /"Authorization: Bearer ([a-z2-9]{24})"$/.exec(await log.logged(/^http: clients have to send/))?.[1] ?? "";
			await log.logged(new RegExp(`^http: MCP clients find this device at http://[0-9.]+:${ownPort}/mcp$`));
			tokens.push(token);
			const client = new ClientV2(INFO, { versionNegotiation: { mode: "auto" } } as never);
			await client.connect(new HttpV2(new URL(`http://127.0.0.1:${ownPort}/mcp`), options(token)));
			expect((await client.listTools()).tools.length).toBeGreaterThan(0);
			await client.close();
			({ preferences } = own);
			await own.close();
		}
		expect(tokens[0]).toBe(tokens[1]);
	});

	test("goes on without the service where its port is taken, and says so", async () => {
		const log = new LogWatch();
		const backend = await TestBackend.listen();
		closing.push(() => backend.close());
		const own = await runDevice({
			board: "simulator",
			engine: "xs",
			config: { http_port: port, url: backend.url },
			onLog: (line) => log.add(line),
		});
		closing.push(() => own.close());
		await log.logged(/EADDRINUSE/);
		expect(await (await backend.session()).call("self.audio_speaker.set_volume", { volume: 7 })).toBe("true");
	});
});

describe("bad input", () => {
	const clients: Socket[] = [];
	afterEach(() => {
		for (const socket of clients.splice(0)) socket.destroy();
	});

	/** Connects and sends something. @returns everything that comes back until the device hangs up */
	function raw(text: string): Promise<string> {
		return new Promise((resolve) => {
			let reply = "";
			const socket = connect(port, "127.0.0.1", () => socket.write(text));
			clients.push(socket);
			socket.setEncoding("utf8").on("data", (data) => {
				reply += data;
			});
			socket.on("error", () => {}).on("close", () => resolve(reply));
		});
	}

	test("a wrong token is refused by name, and a hundred connections keep nobody from working", async () => {
		await expect(new ClientV2(INFO).connect(new HttpV2(url, options("another-token-than-that")))).rejects.toThrow("the token is missing or wrong");
		let closed = 0;
		const crowd = Array.from({ length: 100 }, (_, i) => raw(i % 2 ? "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n" : "").then(() => closed++));
		// The last three have their places, with half a request or none.
		await new Promise<void>((resolve) => crowd.forEach((one) => void one.then(() => closed >= 97 && resolve())));
		const client = await connectV2({ pin: "2026-07-28" });
		for (let i = 0; i < 20; i++)
			expect((await client.callTool({ name: "test.echo", arguments: { text: `${i}` } })).content).toEqual([{ type: "text", text: `${i}` }]);
		expect(firmware.log.filter((line) => /abort|unhandled/i.test(line))).toEqual([]);
	});

	test("three clients are served at a time, and the next one is told to come back", async () => {
		const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${TOKEN}\r\ncontent-type: application/json\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: test.wait\r\n`;
		const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
		const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "test.wait", _meta: meta } });
		const call = `${head}content-length: ${body.length}\r\n\r\n${body}`;
		for (let i = 0; i < 3; i++) void raw(call);
		while (firmware.log.filter((line) => line.includes("test.wait began")).length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
		expect(await raw(call)).toMatch(/^HTTP\/1\.1 503 .*retry-after: \d/s);
		clients[0]?.destroy();
		await firmware.logged(/test.wait was cancelled/);
		const client = await connectV2({ pin: "2026-07-28" });
		expect((await client.listTools()).tools.length).toBeGreaterThan(0);
	});
});
