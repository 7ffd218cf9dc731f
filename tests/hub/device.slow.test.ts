// `npm run device` from end to end: the device alone as a process, against its peers in this one.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Backend, type BackendOptions, startBackend } from "../../hub/backend.js";
import type { DeviceSession } from "../../hub/device-session.js";
import { ACCOUNT, startAedes } from "../support/brokers.js";
import { makeCertificate } from "../support/certificates.mjs";
import { ConfigurationServer } from "../support/configuration-server.js";
import { FramedService } from "../support/framed-service.js";
import { MqttBackend } from "../support/mqtt-peer-client.js";
import { PROGRAM_LIMIT_MS, programStarter } from "../support/program.js";
import { TestBackend } from "../support/test-backend.js";

const device = programStarter("hub/device.ts");
let backend: Backend | undefined;

afterEach(async () => {
	await backend?.close();
	backend = undefined;
});

/** A backend, and the next session with it. */
async function listen(options: BackendOptions = {}) {
	let onSession: (session: DeviceSession) => void = () => {};
	const session = new Promise<DeviceSession>((resolve) => {
		onSession = resolve;
	});
	const problems: string[] = [];
	backend = await startBackend({ onSession, onProblem: (problem) => problems.push(problem), ...options });
	return { backend, session, problems };
}

describe("npm run device", () => {
	test.each(["SIGTERM", "SIGINT"] as const)(
		"connects with its token and ids, answers calls, and ends in good order on %s",
		async (signal) => {
			const { backend, session, problems } = await listen({ token: "s3cret" });
			const program = device(
				"--url",
				backend.url,
				"--token",
				"s3cret",
				"--device-id",
				"02:00:00:00:00:07",
				"--client-id",
				"5f3b1f0e-2c4d-4a6b-8c8d-9e0f1a2b3c4d",
			);
			const connected = await session;
			expect([connected.deviceId, connected.clientId]).toEqual(["02:00:00:00:00:07", "5f3b1f0e-2c4d-4a6b-8c8d-9e0f1a2b3c4d"]);
			await connected.initialize();
			expect((await connected.listTools()).length).toBeGreaterThan(8);
			expect(await connected.callTool("self.audio_speaker.set_volume", { volume: 23 })).toMatchObject({ isError: false });
			await program.output(/show speaker +volume 23/);
			program.signal(signal);
			expect(await program.exited).toMatchObject({ code: 0, stderr: "" });
			await connected.ended;
			expect(problems).toEqual([]);
			expect(program.stdout).not.toContain("s3cret");
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"has the same device id at every start",
		async () => {
			const ids: string[] = [];
			for (let round = 0; round < 2; round++) {
				const { backend, session } = await listen();
				const program = device("--url", backend.url, "--engine", "node");
				ids.push((await session).deviceId ?? "");
				await program.output(/on Node/);
				await program.close();
				await backend.close();
			}
			expect(ids[0]).toMatch(/^02(:[0-9a-f]{2}){5}$/);
			expect(ids[1]).toBe(ids[0]);
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"finds its backend through a configuration server",
		async () => {
			const { backend, session } = await listen({ token: "given" });
			const server = await ConfigurationServer.listen((_request, response) => {
				response.end(JSON.stringify({ websocket: { url: backend.url, token: "given" } }));
			});
			device("--ota", `${server.url}?key=-x`, "--device-id", "02:00:00:00:00:07");
			expect((await session).deviceId).toBe("02:00:00:00:00:07");
			expect(server.requests[0]).toMatchObject({ method: "POST", url: "/ota/?key=-x", headers: { "device-id": "02:00:00:00:00:07" } });
			await server.close();
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"ends in time while it cannot connect",
		async () => {
			const { backend } = await listen({ token: "s3cret" });
			const program = device("--url", backend.url, "--token", "wrong");
			await program.output(/401/);
			program.signal("SIGTERM");
			expect((await program.exited).code).toBe(0);
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"connects again when the backend ends the session",
		async () => {
			const sessions: DeviceSession[] = [];
			let arrived: () => void = () => {};
			const { backend } = await listen({
				onSession: (session) => {
					sessions.push(session);
					if (sessions.length === 1) session.close();
					else arrived();
				},
			});
			const again = new Promise<void>((resolve) => {
				arrived = resolve;
			});
			device("--url", backend.url);
			await again;
			expect(sessions[1]?.id).not.toBe(sessions[0]?.id);
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"holds a backend, an endpoint, a broker and a framed service together, and shows no secret",
		async () => {
			const { backend, session } = await listen({ token: "s3cret-1" });
			const broker = await startAedes();
			const topics = { fromDevice: "d/up", toDevice: "d/down" };
			const mqtt = await MqttBackend.connect(broker.port, topics, ACCOUNT);
			const framed = await FramedService.listen({ token: "s3cret-2" });
			const endpoint = await TestBackend.listen();
			try {
				const program = device(
					...["--url", backend.url, "--token", "s3cret-1", "--framed", framed.address, "--framed-token", "s3cret-2"],
					...["--mqtt", `mqtt://${ACCOUNT.username}:${encodeURIComponent(ACCOUNT.password)}@127.0.0.1:${broker.port}`],
					...["--publish", topics.fromDevice, "--subscribe", topics.toDevice],
					...["--endpoint", `${endpoint.url}?token=s3cret-3`, "--endpoint", `${endpoint.url}?token=s3cret-4`],
				);
				const connected = await session;
				await connected.initialize();
				await mqtt.hello();
				const client = await framed.client();
				await client.registered();
				const urls = [(await endpoint.connection()).request.url, (await endpoint.connection()).request.url];
				expect(urls.sort()).toEqual(["/xiaozhi/v1/?token=s3cret-3", "/xiaozhi/v1/?token=s3cret-4"]);
				await connected.callTool("self.audio_speaker.set_volume", { volume: 23 });
				const status = (await mqtt.ask("tools/call", { name: "self.get_device_status" })).result.content[0].text;
				expect(JSON.parse(status).audio_speaker.volume).toBe(23);
				expect(await client.call("self.get_device_status")).toMatchObject({ success: true, data: { audio_speaker: { volume: 23 } } });
				program.signal("SIGTERM");
				expect(await program.exited).toMatchObject({ code: 0, stderr: "" });
				expect(await mqtt.next(({ type }) => type === "goodbye")).toBeTruthy();
				expect(program.stdout).not.toMatch(/s3cret/);
			} finally {
				mqtt.close();
				await Promise.all([broker.close(), framed.close(), endpoint.close()]);
			}
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"lives with a framed service alone",
		async () => {
			const framed = await FramedService.listen({ token: "jwt" });
			const program = device("--framed", framed.address, "--token", "jwt");
			const client = await framed.client();
			expect(Object.keys(await client.registered()).length).toBeGreaterThan(8);
			program.signal("SIGTERM");
			expect((await program.exited).code).toBe(0);
			await client.closed;
			await framed.close();
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"serves MCP clients over HTTP alone",
		async () => {
			const port = await new Promise<number>((resolve) => {
				const server = createServer().listen(0, "127.0.0.1", () => {
					const found = (server.address() as { port: number }).port;
					server.close(() => resolve(found));
				});
			});
			const program = device("--http", `${port}`, "--http-token", "a-token-for-clients");
			await program.output(/MCP clients find this device/);
			expect(program.stdout).not.toContain("a-token-for-clients");
			const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
			const headers = { Authorization: "Bearer a-token-for-clients" };
			await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit: { headers } }));
			expect((await client.listTools()).tools.length).toBeGreaterThan(8);
			await client.close();
			program.signal("SIGTERM");
			expect((await program.exited).code).toBe(0);
		},
		PROGRAM_LIMIT_MS,
	);

	test(
		"reaches a server over wss:// that a CA of one's own has signed, in PEM and in DER, and no other one",
		async () => {
			const ca = makeCertificate({ name: "Own CA", authority: true });
			const secure = await TestBackend.listen({ certificate: makeCertificate({ name: "localhost", names: ["localhost"], issuer: ca }) });
			const folder = mkdtempSync(join(tmpdir(), "device-"));
			try {
				writeFileSync(join(folder, "ca.pem"), ca.pem);
				writeFileSync(join(folder, "ca.der"), ca.bytes);
				for (const file of ["ca.pem", "ca.der"]) {
					const program = device("--url", secure.url, "--ca", join(folder, file));
					const session = await secure.session();
					expect(await session.call("self.audio_speaker.set_volume", { volume: 12 })).toBe("true");
					await program.close();
				}
				const stranger = device("--url", secure.url);
				await stranger.output(/TLS failed: no CA that is trusted here has signed the server's certificate/);
			} finally {
				rmSync(folder, { recursive: true });
				await secure.close();
			}
		},
		PROGRAM_LIMIT_MS,
	);

	test.each([
		[["--url", "wss://127.0.0.1/", "--ca", "package.json"], /--ca holds no certificate/],
		[["--url", "wss://127.0.0.1/", "--ca", "absent.pem"], /--ca cannot be read/],
		[[], /--url is missing/],
		[["--endpoint", "http://h/"], /--endpoint must begin with ws:\/\/ or wss:\/\//],
		[["--endpoint", "ws://me:s3cret@h/"], /--endpoint must not hold a name or password/],
		[["--mqtt", "mqtt://h:1883"], /--mqtt needs --publish/],
		[["--mqtt", "amqp://me:s3cret@h", "--publish", "t"], /--mqtt must begin with mqtt:\/\/ or mqtts:\/\//],
		[["--publish", "t", "--url", "ws://h/"], /belong to --mqtt/],
		[["--http-token", "a-token-for-clients", "--url", "ws://h/"], /belongs to --http/],
		[["--http", "0"], /--http must be a port/],
		[["--http", "8080", "--http-token", "short"], /--http-token must be 16 to 128/],
		[["--framed", "tcp://h:1"], /--framed needs --framed-token/],
		[["--framed", "h:1", "--token", "t"], /--framed must begin with tcp:\/\/ or tls:\/\//],
		[["--framed", "tcp://h:1", "--url", "ws://h/", "--token", "t"], /--framed needs --framed-token/],
		[["--endpoint", "ws://h/", "--token", "t"], /--token belongs to/],
		[["--url", "ws://h/", "--url", "ws://h/"], /given twice/],
		[["--url", "http://127.0.0.1/"], /ws:\/\/ or wss:\/\//],
		[["--url", "ws://127.0.0.1/", "--device-id", "12"], /--device-id/],
		[["--url", "ws://127.0.0.1/", "--engine", "v8"], /--engine must be xs or node/],
		[["--url", "ws://127.0.0.1/", "--board", "nothing"], /There is no board "nothing"/],
	])(
		"ends with 2 and says why for %j",
		async (args, reason) => {
			const { code, stderr } = await device(...args).exited;
			expect(stderr).toMatch(reason);
			expect(stderr).not.toContain("s3cret");
			expect(code).toBe(2);
		},
		PROGRAM_LIMIT_MS,
	);
});
