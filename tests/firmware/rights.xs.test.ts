// Who may do what to the whole firmware, on the XS engine: main session, endpoint, framed service, and a broker that keeps messages.

import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { FramedService } from "../support/framed-service.js";
import { LogWatch } from "../support/launch.js";
import { type BackendConnection, TestBackend } from "../support/test-backend.js";

let closing: (() => unknown)[] = [];
let restarts = 0;

beforeEach(() => {
	restarts = 0;
});

afterEach(async () => {
	for (const close of closing.reverse()) await close();
	closing = [];
});

async function start(config: Record<string, unknown>): Promise<{ device: RunningDevice; log: LogWatch }> {
	const log = new LogWatch();
	const device = await runDevice({
		board: "simulator",
		engine: "xs",
		config,
		onLog: (line) => log.add(line),
		onRestart: () => restarts++,
	});
	closing.push(() => device.close());
	return { device, log };
}

async function listen(): Promise<TestBackend> {
	const backend = await TestBackend.listen();
	closing.push(() => backend.close());
	return backend;
}

/** A request over an endpoint and its reply. */
async function ask(connection: BackendConnection, method: string, params?: object) {
	connection.send({ jsonrpc: "2.0", id: "a", method, params });
	for (;;) {
		const message = await connection.next();
		if (message.id === "a") return message;
	}
}

describe("an endpoint", () => {
	test("has no user-only tools, however it asks, also where the main session has them", async () => {
		const [backend, endpoint] = [await listen(), await listen()];
		await start({ url: backend.url, endpoint: endpoint.url, owner_tools: "on" });
		const session = await backend.session();
		const connection = await endpoint.connection();
		await session.ask("tools/list", { withUserTools: true });
		const { tools } = (await ask(connection, "tools/list", { withUserTools: true })).result;
		expect(JSON.stringify(tools)).not.toContain("self.reboot");
		for (const name of ["self.settings.set", "self.upgrade_firmware", "self.reboot", "self.get_system_info"])
			expect((await ask(connection, "tools/call", { name })).error).toEqual({ code: -32602, message: `Unknown tool: ${name}` });
		expect(JSON.parse(await session.call("self.settings.get"))).toMatchObject({ token: "not set" });
	});

	test("has them where its owner named its host, but what decides about the device only over TLS", async () => {
		const [named, other] = [await listen(), await listen()];
		await start({ endpoint: `${named.url} ${other.url}`, endpoint_tools: new URL(named.url).host });
		const [connection, stranger] = [await named.connection(), await other.connection()];
		expect(JSON.parse((await ask(connection, "tools/call", { name: "self.settings.get" })).result.content[0].text)).toHaveProperty("ssid");
		const refused = await ask(connection, "tools/call", { name: "self.settings.reset" });
		expect(refused.error).toMatchObject({ code: -32000, message: expect.stringMatching(/not encrypted.*owner_tools=on/) });
		expect((await ask(stranger, "tools/call", { name: "self.settings.get" })).error.code).toBe(-32602);
	});
});

test("the main session without TLS is refused what decides about the device, and told how its owner allows it", async () => {
	const backend = await listen();
	const { device } = await start({ url: backend.url, token: "t-0123456789" });
	const session = await backend.session();
	await expect(session.call("self.settings.set", { name: "url", value: "ws://evil/" })).rejects.toThrow(
		"-32000 self.settings.set is refused: this connection is not encrypted. Its owner can allow it with owner_tools=on, on the device's set-up page or in the build",
	);
	expect(JSON.parse(await session.call("self.settings.get"))).toMatchObject({ token: "set" });
	expect(device.preferences["mcp-settings"] ?? {}).toEqual({});
});

test.each([
	["off", false],
	["on", true],
])("the framed service has the user-only tools with framed_tools %s: %p", async (framed_tools, has) => {
	const service = await FramedService.listen({ token: "framed-token" });
	closing.push(() => service.close());
	const client = service.client();
	await start({ framed_address: service.address, framed_token: "framed-token", framed_tools });
	const services = await (await client).registered();
	expect("self.get_system_info" in services).toBe(has);
	expect((await (await client).call("self.get_system_info")).success).toBe(has);
	expect((await (await client).call("self.settings.reset")).success).toBe(false);
});

test("a server that echoes the token, cut off or not, does not get it into the log or the history", async () => {
	const backend = await listen();
	const token = "eyJhbGciOiJIUzI1NiJ9.secret";
	const { log } = await start({ url: backend.url, token });
	const connection = await backend.connection();
	await connection.next();
	connection.send(`bad token ${token}`);
	connection.send(`bad token ${"x".repeat(70)} ${token}`);
	expect(await log.logged(/the server says "bad token …"/)).toBeTruthy();
	connection.socket.close(1008, `bad token ${token}`);
	const session = await backend.session();
	const { last_disconnects } = JSON.parse(await session.call("self.get_system_info"));
	expect(last_disconnects[0].reason).toContain("bad token …");
	expect(log.lines.join("\n")).not.toContain("eyJhbGci");
});

test("a peer that makes noise gets so many lines in a minute", async () => {
	const backend = await listen();
	const { log } = await start({ url: backend.url });
	const session = await backend.session();
	for (let i = 0; i < 500; i++) session.send("{");
	await session.ask("ping");
	expect(log.lines.filter((line) => line.includes("not JSON")).length).toBeLessThanOrEqual(20);
});

test("a server that asks for a restart over and over gets three", async () => {
	const backend = await listen();
	const { log } = await start({ url: backend.url });
	for (let i = 0; i < 4; i++) (await backend.session()).send({ type: "system", command: "reboot" });
	expect(await log.logged(/^main: no restart: The device has been restarted 3 times on request/)).toBeTruthy();
	expect(restarts).toBe(3);
});

test("an upgrade from a port that is no web server tells the caller that, and not what stands there", async () => {
	const backend = await listen();
	const ssh = createServer((socket) => socket.end("SSH-2.0-OpenSSH_9.2p1 Debian\r\n"));
	await new Promise<void>((resolve) => ssh.listen(0, "127.0.0.1", resolve));
	closing.push(() => ssh.close());
	const { log } = await start({ url: backend.url, owner_tools: "on" });
	const session = await backend.session();
	const { port } = ssh.address() as { port: number };
	await expect(session.call("self.upgrade_firmware", { url: `http://127.0.0.1:${port}/x.bin` })).rejects.toThrow(
		/^-32000 The server does not speak HTTP; the device's log says more$/,
	);
	expect(await log.logged(/SSH-2\.0/)).toBeTruthy();
});
