// `npm run gateway` and `npm run backend` from end to end, as processes, with the official clients.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";
import { Client as ClientV2, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { UsageError } from "../../cli/program.js";
import { startBackend } from "../../hub/backend.js";
import { parseGatewayOptions } from "../../hub/gateway-options.js";
import { DEFAULT_DOWN, DEFAULT_UP } from "../../hub/mqtt-devices.js";
import { ACCOUNT, startAedes } from "../support/brokers.js";
import { PROGRAM_LIMIT_MS as LIMIT_MS, type Program, programStarter } from "../support/program.js";

const INFO = { name: "test-client", version: "1.0.0" };
const root = fileURLToPath(new URL("../../", import.meta.url));
const closables: { close(): unknown }[] = [];

afterEach(async () => {
	for (const closable of closables.splice(0)) await closable.close();
}, LIMIT_MS);

const programs = { gateway: programStarter("hub/serve-mcp.ts"), backend: programStarter("hub/serve.ts"), device: programStarter("hub/device.ts") };
const { gateway, device } = programs;

/** What `npm run gateway` says on stderr, where everything that is not MCP goes. */
async function told(program: Program, pattern: RegExp): Promise<RegExpExecArray> {
	for (;;) {
		const match = pattern.exec(program.stderr);
		if (match) return match;
		await program.more();
	}
}

async function httpClient(url: string, token?: string): Promise<ClientV2> {
	const client = new ClientV2(INFO, { versionNegotiation: { mode: "auto" } });
	closables.push(client);
	await client.connect(
		new StreamableHTTPClientTransport(new URL(url), token === undefined ? {} : { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
	);
	return client;
}

describe("npm run gateway over stdio", () => {
	const command = { command: process.execPath, args: ["--import", "tsx", "hub/serve-mcp.ts"], cwd: root, stderr: "ignore" as const };
	const v2 = (mode: "legacy" | "auto" | { pin: string }) => () => ({
		client: new ClientV2(INFO, { versionNegotiation: { mode } }),
		transport: new StdioV2(command),
	});

	test.each([
		["v1", "2025-11-25", () => ({ client: new ClientV1(INFO), transport: new StdioV1(command) })],
		["v2, legacy", "2025-11-25", v2("legacy")],
		["v2, pinned to 2026-07-28", "2026-07-28", v2({ pin: "2026-07-28" })],
	])(
		"serves the simulated board to a client of %s",
		async (_title, revision, create) => {
			// biome-ignore lint/suspicious/noExplicitAny: the clients of both libraries
			const { client, transport } = create() as { client: any; transport: any };
			closables.push(client);
			const stray: Error[] = [];
			client.onerror = (error: Error) => stray.push(error);
			await client.connect(transport);
			if (client instanceof ClientV2) expect(client.getNegotiatedProtocolVersion()).toBe(revision);
			const names = (await client.listTools()).tools.map(({ name }: { name: string }) => name);
			expect(names).toContain("self_audio_speaker_set_volume");
			expect(await client.callTool({ name: "self.audio_speaker.set_volume", arguments: { volume: 12 } })).toMatchObject({ isError: false });
			const { content } = await client.callTool({ name: "self_get_device_status", arguments: {} });
			expect(JSON.parse(content[0].text).audio_speaker.volume).toBe(12);
			expect(stray).toEqual([]);
		},
		LIMIT_MS,
	);

	test(
		"writes nothing but MCP to stdout, and ends with its input",
		async () => {
			const program = gateway();
			const say = (message: object) => program.type(JSON.stringify({ jsonrpc: "2.0", ...message }));
			say({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: INFO } });
			say({ method: "notifications/initialized" });
			program.type("this is not JSON");
			say({ id: 2, method: "tools/call", params: { name: "self_get_device_status" } });
			await program.output(/"id":2/);
			program.endInput();
			const { code, stdout } = await program.exited;
			expect(code).toBe(0);
			const messages = stdout
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line));
			for (const message of messages) expect(message.jsonrpc).toBe("2.0");
			expect(messages.filter(({ id }) => id !== undefined).map(({ id }) => id)).toEqual([1, 2]);
			expect(messages[0].result.protocolVersion).toBe("2025-06-18");
		},
		LIMIT_MS,
	);
});

describe("npm run gateway over HTTP", () => {
	test(
		"serves a device that serves MCP itself, by its token, and joins it to a simulated board",
		async () => {
			// A gateway is a device with a /mcp, too.
			const device = gateway("--http", "0", "--token", "inner", "--board", "esp_hi");
			const [, inner = ""] = await told(device, /clients +(\S+)/);
			await told(device, /device +esp_hi .* is there/);
			const outer = gateway("--http", "0", "--device", inner, "--device-token", "inner", "--board", "simulator");
			const [, url = ""] = await told(outer, /clients +(\S+)/);
			const client = await httpClient(url);
			const names = (await client.listTools()).tools.map(({ name }) => name);
			expect(names).toEqual(expect.arrayContaining(["simulator_self_get_device_status", "moddable-mcp-gateway_self_get_device_status"]));
			expect(await client.callTool({ name: "moddable-mcp-gateway_self_get_device_status", arguments: {} })).toMatchObject({ isError: false });
			device.signal("SIGTERM");
			await device.exited;
			expect(await client.callTool({ name: "moddable-mcp-gateway_self_get_device_status", arguments: {} })).toMatchObject({
				isError: true,
				content: [{ text: expect.stringMatching(/^moddable-mcp-gateway (is away|has gone away): /) }],
			});
			expect(await client.callTool({ name: "simulator_self_get_device_status", arguments: {} })).toMatchObject({ isError: false });
		},
		LIMIT_MS,
	);

	test(
		"says which device's token is wrong, and serves nothing of it",
		async () => {
			const device = gateway("--http", "0", "--token", "inner");
			const [, inner = ""] = await told(device, /clients +(\S+)/);
			const outer = gateway("--http", "0", "--device", inner, "--device-token", "other");
			await told(outer, /device +http:\/\/127\.0\.0\.1:\d+\/mcp could not be discovered: .*(401|[Uu]nauthorized)/);
			const [, url = ""] = await told(outer, /clients +(\S+)/);
			expect((await (await httpClient(url)).listTools()).tools).toEqual([]);
			expect(outer.stderr).not.toContain("other\n");
		},
		LIMIT_MS,
	);

	test(
		"takes devices that connect to it and devices behind a broker",
		async () => {
			const broker = await startAedes();
			closables.push(broker);
			const mqtt = `mqtt://${ACCOUNT.username}:${encodeURIComponent(ACCOUNT.password)}@127.0.0.1:${broker.port}`;
			const program = gateway("--http", "0", "--listen", "0", "--token", "s3cret", "--mqtt", mqtt);
			const [, listening = ""] = await told(program, /devices +(\S+),/);
			const [, url = ""] = await told(program, /clients +(\S+)/);
			await told(program, /broker .* is there/);
			expect(program.stderr).not.toContain(ACCOUNT.password);
			device("--url", listening, "--token", "s3cret", "--device-id", "02:00:00:00:00:01");
			const topics = ["--publish", DEFAULT_UP.replace("+", "desk"), "--subscribe", DEFAULT_DOWN.replace("+", "desk")];
			device("--mqtt", mqtt, ...topics, "--device-id", "02:00:00:00:00:02", "--board", "esp_hi");
			await told(program, /device +simulator .* is there by websocket/);
			await told(program, /device +esp_hi .* is there by mqtt/);
			const client = await httpClient(url, "s3cret");
			for (const name of ["simulator_self_get_device_status", "esp_hi_self_get_device_status"])
				expect(await client.callTool({ name, arguments: {} })).toMatchObject({ isError: false });
			program.signal("SIGTERM");
			expect((await program.exited).code).toBe(0);
		},
		LIMIT_MS,
	);
});

describe("npm run backend", () => {
	test(
		"takes a device, prints the line to flash, lists its functions, and is an MCP server beside it with --mcp",
		async () => {
			const backend = programs.backend("--host", "0.0.0.0", "--port", "0", "--token", "s3cret", "--mcp");
			await backend.output(/flash +npm run flash -- BOARD url=ws:\/\/[\d.]+:\d+\/xiaozhi\/v1\/ token=s3cret ssid=NAME password=SECRET/);
			const port = /devices +ws:\/\/[\d.]+:(\d+)/.exec(backend.stdout)?.[1];
			device("--url", `ws://127.0.0.1:${port}/xiaozhi/v1/`, "--token", "s3cret", "--device-id", "02:00:00:00:00:01");
			await backend.output(/simulator .* is there by websocket/);
			const headers = { Authorization: "Bearer s3cret" };
			// biome-ignore lint/suspicious/noExplicitAny: whatever the backend answers
			const functions: any = await (await fetch(`http://127.0.0.1:${port}/devices/simulator/functions`, { headers })).json();
			expect(functions[0]).toMatchObject({ type: "function", function: { name: "self_get_device_status" } });
			expect((await fetch(`http://127.0.0.1:${port}/devices`)).status).toBe(401);
			const client = await httpClient(`http://127.0.0.1:${port}/mcp`, "s3cret");
			expect(await client.callTool({ name: "self_get_device_status", arguments: {} })).toMatchObject({ isError: false });
			backend.signal("SIGINT");
			expect((await backend.exited).code).toBe(0);
		},
		LIMIT_MS,
	);
});

describe("wrong options", () => {
	test.each<[keyof typeof programs, string[], RegExp]>([
		["gateway", ["--http", "0.0.0.0:0"], /--http 0\.0\.0\.0 can be reached by others: it needs --token/],
		["backend", ["--host", "0.0.0.0"], /--host 0\.0\.0\.0 can be reached by others: it needs --token T, for example --token \S{20}/],
	])(
		"of %s %j end with 2 and say why",
		async (program, args, reason) => {
			const { code, stdout, stderr } = await programs[program](...args).exited;
			expect(stderr).toMatch(reason);
			expect([code, stdout]).toEqual([2, ""]);
		},
		LIMIT_MS,
	);

	test.each([
		[["--listen", "192.168.1.5:8000"], /--listen 192\.168\.1\.5 can be reached by others/],
		[["--http", "high"], /--http must look like 8000 or 0\.0\.0\.0:8000/],
		[["--http", "70000"], /--http must look like/],
		[["--device", "ws://h/"], /--device must look like http:\/\/HOST\/mcp/],
		[["--device", "http://me:s3cret@h/mcp"], /the token is --device-token/],
		[["--device-token", "t"], /--device-token belongs to --device/],
		[["--device", "http://a/", "--device", "http://b/", "--device", "http://c/", "--device-token", "1", "--device-token", "2"], /once for each/],
		[["--mqtt-up", "a/+"], /belong to --mqtt/],
		[["--mqtt", "mqtt://h", "--mqtt-up", "a/b"], /must have one "\+"/],
		[["--board", "nothing"], /There is no board "nothing"/],
		[["--token", "a\nb"], /--token must be of printable ASCII/],
		[["--twice"], /--twice/],
	])("of the gateway, %j, are refused with the reason", (args, reason) => {
		expect(() => parseGatewayOptions(args)).toThrow(UsageError);
		expect(() => parseGatewayOptions(args)).toThrow(reason);
		expect(() => parseGatewayOptions(args)).not.toThrow("s3cret");
	});

	test.each([
		[[], { board: "simulator", httpDevices: [] }],
		[["--listen", "8000"], { board: undefined, listen: { host: "127.0.0.1", port: 8000 } }],
		[["--listen", "[::1]:8000", "--board", "esp_hi"], { board: "esp_hi", listen: { host: "[::1]", port: 8000 } }],
		[["--http", "0.0.0.0:80", "--token", "t"], { http: { host: "0.0.0.0", port: 80 }, token: "t" }],
		[
			["--device", "http://a/mcp", "--device", "http://b/mcp", "--device-token", "1", "--device-token", "2"],
			{
				board: undefined,
				httpDevices: [
					{ url: "http://a/mcp", token: "1" },
					{ url: "http://b/mcp", token: "2" },
				],
			},
		],
		[["--device", "http://a/mcp", "--device", "http://b/mcp", "--device-token", "1"], { httpDevices: [{ token: "1" }, { token: "1" }] }],
	])("none of them: %j", (args, options) => {
		expect(parseGatewayOptions(args)).toMatchObject(options);
	});

	test.each<[keyof typeof programs, string]>([
		["gateway", "--http"],
		["backend", "--port"],
	])(
		"of %s: a port in use ends with 1 and says so",
		async (program, option) => {
			const taken = await startBackend();
			closables.push(taken);
			const { code, stdout, stderr } = await programs[program](option, String(taken.port)).exited;
			expect([code, stdout]).toEqual([1, ""]);
			expect(stderr).toContain(`port ${taken.port} on 127.0.0.1 is in use; choose another with ${option}\n`);
		},
		LIMIT_MS,
	);
});

test("the scripts of package.json start these programs", () => {
	const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
	expect([scripts.backend, scripts.gateway]).toEqual(["node --import tsx hub/serve.ts", "node --import tsx hub/serve-mcp.ts"]);
});
