// A start without a time of day, on the XS engine: the time server is asked before anybody else, and whatever it does, the start goes on.

import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { LogWatch } from "../support/launch.js";
import { TestBackend } from "../support/test-backend.js";
import { UdpPeer } from "../support/udp-peer.js";
import { kiss, timeReply } from "../system/datagram-peer.js";

const LONG_MS = 20_000;

let timeServer: UdpPeer;
let backend: TestBackend;
let device: RunningDevice;
let log: LogWatch;

beforeEach(async () => {
	backend = await TestBackend.listen();
	timeServer = await UdpPeer.open();
});

afterEach(async () => {
	await device?.close();
	await timeServer.close();
	await backend.close();
});

async function start(config: Record<string, unknown> = {}, clock?: "manual"): Promise<void> {
	log = new LogWatch();
	device = await runDevice({
		board: "simulator",
		engine: "xs",
		config: {
			url: backend.url,
			wifi: "simulated",
			ssid: "Home",
			password: "correct horse",
			sntp: `127.0.0.1:${timeServer.port}`,
			simulatedTime: 0,
			...config,
		},
		clock,
		onLog: (line) => log.add(line),
	});
}

const deviceYear = () => device.evaluate("new Date().getUTCFullYear()");
const order = (...patterns: RegExp[]) => {
	const found = patterns.map((pattern) => log.lines.findIndex((line) => pattern.test(line)));
	expect(found).not.toContain(-1);
	expect(found).toEqual([...found].sort((a, b) => a - b));
};

describe("a device whose clock is not set", () => {
	test(
		"sets it by the time server of its build before it connects",
		async () => {
			await start();
			const { bytes, port } = await timeServer.next();
			expect(await deviceYear()).toBe(1970);
			expect(log.lines.join("\n")).not.toContain("connects to");
			await timeServer.send(timeReply(bytes), port);
			await backend.session();
			expect(await deviceYear()).toBe(2025);
			order(/^wifi: connected to "Home"$/, /^clock: 2025-10-09T08:53:/, /connects to/);
		},
		LONG_MS,
	);

	test(
		"connects without a time when the server is silent, and asks again later until it has one",
		async () => {
			await start({}, "manual");
			await device.advance(300);
			const asked = [await timeServer.next()];
			for (let i = 0; i < 3; i++) {
				await device.advance(2000);
				asked.push(await timeServer.next());
			}
			expect(new Set(asked.map(({ bytes }) => bytes.readUInt32BE(40))).size).toBe(4);
			expect(log.lines.join("\n")).not.toContain("clock:");
			await device.advance(2000);
			await backend.session();
			expect(log.lines).toContain("clock: the time server does not answer; TLS will fail until it is set; asking again in 300 s");
			expect(await deviceYear()).toBe(1970);
			await device.advance(300_000);
			const { bytes, port } = await timeServer.next();
			await timeServer.send(timeReply(bytes), port);
			await log.logged(/^clock: 2025-/);
			expect(await deviceYear()).toBe(2025);
			await device.advance(900_000);
			expect(timeServer.waiting).toBe(0);
		},
		LONG_MS,
	);

	test(
		"connects at once when the server refuses, or its address cannot be used",
		async () => {
			await start();
			const { bytes, port } = await timeServer.next();
			await timeServer.send(kiss(bytes, "DENY"), port);
			await backend.session();
			order(/^clock: the time server refuses: DENY; TLS will fail/, /connects to/);
			await device.close();
			await start({ sntp: "time.example:70000" });
			await backend.session();
			order(/^clock: the port of the time server's address must be a number from 1 to 65535; TLS will fail/, /connects to/);
		},
		LONG_MS,
	);

	test(
		"waits no longer for the time when it is told to close",
		async () => {
			await start();
			await timeServer.next();
			await device.close();
			expect(await device.exited).toEqual({ ok: true, reason: "closed" });
		},
		LONG_MS,
	);
});

test(
	"a device whose clock is set asks no time server",
	async () => {
		await start({ simulatedTime: Date.now() });
		await backend.session();
		expect(timeServer.waiting).toBe(0);
		expect(log.lines.join("\n")).not.toContain("clock:");
	},
	LONG_MS,
);
