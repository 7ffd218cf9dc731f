// Every kind of peer at once sends the whole firmware, on the XS engine, whatever fast-check thinks of: tests/fuzz/traffic.ts.

import { readdirSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import mqttPacket from "mqtt-packet";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { LOG_WINDOW_MS, MAX_LINES } from "../../src/base/limited-log.js";
import { bent, message } from "../fuzz/traffic.js";
import { type FramedClient, FramedService } from "../support/framed-service.js";
import { type BackendConnection, type Message, TestBackend } from "../support/test-backend.js";

/** Twenty thousand, or as many as the variable HOSTILE_MESSAGES says. */
const MESSAGES = Number(process.env.HOSTILE_MESSAGES ?? 20_000);
const SEED = Number(process.env.HOSTILE_SEED ?? 1);
const ROUND = 50;
/** What is left in memory when names of peers do not stay: 200 KB of keys would be over 10,000 slots. */
const MAX_SLOTS = 400;
/** No stack has more. */
const STACK_LINES = 20;
const TOKENS = { token: "session-token-0123456789", framed_token: "framed-token-0123456789", query: "endpoint-token-0123456789" };
const MODERN = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} } };

/** A broker of one client, which publishes whatever it is told to. */
class HostileBroker {
	readonly port: number;
	readonly #server: Server;
	readonly #waiting: { matches: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];
	#socket: Socket | undefined;
	#nextId = 0;

	static listen(): Promise<HostileBroker> {
		return new Promise((resolve) => {
			const server = createServer();
			server.listen(0, "127.0.0.1", () => resolve(new HostileBroker(server)));
		});
	}

	private constructor(server: Server) {
		this.#server = server;
		this.port = (server.address() as { port: number }).port;
		server.on("connection", (socket) => {
			this.#socket = socket;
			const parser = mqttPacket.parser();
			socket.on("data", (data) => parser.parse(data));
			socket.on("error", () => {});
			parser.on("packet", (packet) => {
				if (packet.cmd === "connect") socket.write(Buffer.from([0x20, 2, 0, 0]));
				else if (packet.cmd === "subscribe")
					socket.write(mqttPacket.generate({ cmd: "suback", messageId: packet.messageId as number, granted: [0] }));
				else if (packet.cmd === "pingreq") socket.write(mqttPacket.generate({ cmd: "pingresp" }));
				else if (packet.cmd === "publish") this.#published(JSON.parse(packet.payload.toString()));
			});
		});
	}

	send(payload: Buffer | string, { topic = "down", retain = false } = {}): void {
		this.#socket?.write(mqttPacket.generate({ cmd: "publish", topic, payload, qos: 0, dup: false, retain }));
	}

	async ask(method: string, params: object): Promise<Message> {
		const id = `good-${this.#nextId++}`;
		const reply = this.#next(({ payload }) => payload?.id === id);
		this.send(JSON.stringify({ type: "mcp", payload: { jsonrpc: "2.0", id, method, params } }));
		return (await reply).payload;
	}

	close(): void {
		this.#socket?.destroy();
		this.#server.close();
	}

	#next(matches: (message: Message) => boolean): Promise<Message> {
		return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
	}

	#published(message: Message): void {
		if (message.type === "hello") return this.send('{"type":"hello","transport":"udp","session_id":"s"}');
		const at = this.#waiting.findIndex(({ matches }) => matches(message));
		if (at >= 0) this.#waiting.splice(at, 1)[0]?.resolve(message);
	}
}

let backend: TestBackend;
let endpoint: TestBackend;
let broker: HostileBroker;
let service: FramedService;
let device: RunningDevice;
let session: BackendConnection;
let raw: BackendConnection;
let framed: FramedClient;
const log: string[] = [];

beforeAll(async () => {
	[backend, endpoint, broker, service] = await Promise.all([
		TestBackend.listen(),
		TestBackend.listen(),
		HostileBroker.listen(),
		FramedService.listen({ token: TOKENS.framed_token }),
	]);
	device = await runDevice({
		board: "simulator",
		engine: "xs",
		entry: "tests/firmware/entry.ts",
		config: {
			url: backend.url,
			token: TOKENS.token,
			endpoint: `${endpoint.url}?token=${TOKENS.query}`,
			mqtt_endpoint: `mqtt://127.0.0.1:${broker.port}`,
			mqtt_publish: "up",
			mqtt_subscribe: "down",
			framed_address: service.address,
			framed_token: TOKENS.framed_token,
		},
		onLog: (line) => log.push(line),
	});
	const client = service.client();
	session = await backend.session();
	raw = await endpoint.connection();
	framed = await client;
	await framed.registered();
});

afterAll(async () => {
	await device?.close();
	broker?.close();
	await Promise.all([backend?.close(), endpoint?.close(), service?.close()]);
});

/** Calls for what only the owner may do; `self.reboot` is not among those that the main session sends, since it may. */
const owners = fc.constantFrom(
	{ method: "tools/list", params: { withUserTools: true } },
	{ method: "tools/call", params: { name: "self.settings.set", arguments: { name: "url", value: "ws://evil/" } } },
	{ method: "tools/call", params: { name: "self.settings.set", arguments: { name: "owner_tools", value: "on" } } },
	{ method: "tools/call", params: { name: "self.settings.reset" } },
	{ method: "tools/call", params: { name: "self.upgrade_firmware", arguments: { url: "http://127.0.0.1:1/evil.bin" } } },
);
const request = fc.oneof(
	{ weight: 4, arbitrary: message },
	{ weight: 1, arbitrary: owners.map((call) => ({ jsonrpc: "2.0", id: 1, ...call })) as fc.Arbitrary<unknown> },
);
const types = fc.constantFrom("mcp", "hello", "listen", "tts", "iot", "", 5, null);
const envelope = fc.oneof(
	request.map((payload) => ({ type: "mcp", payload })),
	fc.tuple(types, request, request).map(([type, session_id, payload]) => ({ type, session_id, payload })),
	fc.constantFrom("reboot", "reboot ", 5, null).map((command) => ({ type: "System", command })),
);

/** A call of a framed service, mostly well-formed. */
const calls = fc.record(
	{
		call_id: fc.oneof(fc.integer(), fc.string({ maxLength: 40 }), fc.jsonValue({ maxDepth: 1 })),
		method: fc.constantFrom<unknown>("test.echo", "test.throws", "self.get_device_status", "self.settings.set", "self.reboot", "__proto__", 5, null),
		params: fc.oneof(fc.record({ text: fc.string() }), fc.jsonValue({ maxDepth: 3 })),
	},
	{ requiredKeys: [] },
);

/** What one peer sends, and how it asks for something good. */
const peers: readonly { share: number; bytes: fc.Arbitrary<Buffer>; send(bytes: Buffer): void; echo(): Promise<unknown> }[] = [
	{
		share: 0.4,
		bytes: bent(envelope),
		send: (bytes) => session.send(bytes),
		echo: async () => (await session.ask("tools/call", { name: "test.echo", arguments: { text: "音" }, ...MODERN })).result.content[0].text,
	},
	{
		share: 0.3,
		bytes: bent(request),
		send: (bytes) => raw.send(bytes),
		async echo() {
			const id = `good-${Math.random()}`;
			raw.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "test.echo", arguments: { text: "音" }, ...MODERN } });
			for (;;) {
				const reply = await raw.next();
				if (reply.id === id) return reply.result.content[0].text;
			}
		},
	},
	{
		share: 0.2,
		bytes: bent(envelope),
		send(bytes) {
			// A third of it is what must never be executed.
			const kind = bytes.length % 3;
			broker.send('{"type":"system","command":"reboot"}', kind ? { retain: true } : { topic: "other" });
			if (bytes.length) broker.send(bytes);
		},
		echo: async () => (await broker.ask("tools/call", { name: "test.echo", arguments: { text: "音" }, ...MODERN })).result.content[0].text,
	},
	{
		share: 0.1,
		bytes: bent(
			fc.oneof(
				calls.map((data) => ({ type: "call", data })),
				fc.tuple(types, request).map(([type, data]) => ({ type, data })),
			),
		),
		// The end mark would only cut the frame.
		send: (bytes) => framed.send(6, "mcp00001", bytes.toString("latin1").replaceAll("##", "")),
		echo: async () => JSON.stringify(await framed.call("test.echo", { text: "音" })),
	},
];

async function heapSlots(): Promise<number> {
	await device.collectGarbage();
	for (const { echo } of peers) await echo();
	return device.meter().heapSlots as number;
}

const descriptors = () => readdirSync("/proc/self/fd").length;

/** Sends so many messages, each peer its share, and asks each for something good after every few. */
async function attack(count: number, seed: number): Promise<number> {
	let sent = 0;
	for (const [i, { share, bytes, send, echo }] of peers.entries()) {
		for (let left = Math.round(count * share), round = 0; left > 0; left -= ROUND, round++) {
			for (const message of fc.sample(bytes, { numRuns: Math.min(left, ROUND), seed: seed * 1_000_003 + i * 10_007 + round })) {
				send(message);
				sent++;
			}
			expect(await echo()).toContain("音");
		}
	}
	return sent;
}

test(`survives ${MESSAGES} hostile messages: it serves on, and memory, settings, descriptors and log are bounded`, async () => {
	// Peers that came before the first measurement are warm.
	await attack(Math.min(2000, MESSAGES), SEED);
	const measure = async () => ({
		slots: await heapSlots(),
		// The record of starts is the device's own: a minute after its start it writes that this one was good.
		preferences: JSON.stringify({ ...device.preferences, "mcp-life": undefined }),
		descriptors: descriptors(),
		lines: log.length,
		at: Date.now(),
	});
	const before = await measure();
	const sent = await attack(MESSAGES, SEED + 1);
	const after = await measure();
	const lines = after.lines - before.lines;
	const seconds = (after.at - before.at) / 1000;
	console.log(
		[
			`${sent} messages in ${seconds.toFixed(0)} s`,
			`heap slots ${before.slots} -> ${after.slots}`,
			`keys kept ${Object.values(JSON.parse(after.preferences)).flatMap((domain) => Object.keys(domain as object)).length}`,
			`descriptors ${before.descriptors} -> ${after.descriptors}`,
			`log lines ${before.lines} -> ${after.lines}`,
		].join("; "),
	);
	expect(after.slots - before.slots).toBeLessThan(MAX_SLOTS);
	expect(after.preferences).toBe(before.preferences);
	expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
	// Each peer and the server itself: so many a minute, one that counts the rest, and what is left of the last stack.
	const minutes = Math.ceil((after.at - before.at) / LOG_WINDOW_MS) + 1;
	expect(lines).toBeLessThanOrEqual(minutes * (peers.length + 1) * (MAX_LINES + 1 + STACK_LINES));
	expect(log.filter((line) => /abort|unhandled|restart/i.test(line))).toEqual([]);
	for (const secret of Object.values(TOKENS)) expect(log.join("\n")).not.toContain(secret);
}, 3_600_000);
