// The simulated machine on Node, and how a device is started; run-device.xs.slow.test.ts has XS.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";
import { bundleFirmware } from "../../simulator/bundle.js";
import { HostUdp, MAX_WAITING_DATAGRAMS } from "../../simulator/host-udp.js";
import { runDevice } from "../../simulator/run-device.js";
import { freeUdpPort, UdpPeer } from "../support/udp-peer.js";
import { describeDevice, ends, MODULES } from "./device-suite.js";

describe("a device on Node", () => describeDevice("node"));

describe("starting a device", () => {
	const WORKER = "MODDABLE_MCP_XSNAP_WORKER";
	const given = process.env[WORKER];
	afterEach(() => {
		if (given === undefined) delete process.env[WORKER];
		else process.env[WORKER] = given;
	});

	test.each([
		["is missing", "/nowhere/xsnap-worker", "/nowhere/xsnap-worker"],
		["does not start", fileURLToPath(import.meta.url), "could not be started"],
		["is something else", "/bin/true", "ended by exit code 0"],
	])("runs on Node and says why when the worker %s", async (_, worker, reason) => {
		process.env[WORKER] = worker;
		const options = { board: "simulator", entry: MODULES, config: {} };
		const device = await runDevice(options);
		expect(device.engine).toBe("node");
		expect(device.engineReason).toContain(reason);
		expect(await device.evaluate("1")).toBe(1);
		await device.close();
		await expect(runDevice({ ...options, engine: "xs" })).rejects.toThrow(reason);
	});

	test("refuses an unknown board, and firmware that does not build, in words", async () => {
		await expect(runDevice({ board: "nosuch", config: {} })).rejects.toThrow('there is no board "nosuch"');
		const board = mkdtempSync(path.join(tmpdir(), "moddable-mcp-"));
		writeFileSync(path.join(board, "board.ts"), 'export * from "./parts.js";');
		writeFileSync(path.join(board, "parts.ts"), 'import "piu/MC"; export const createBoard = 1;');
		await expect(bundleFirmware({ board })).rejects.toThrow(/parts\.ts imports "piu\/MC", which the simulator does not have/);
		rmSync(board, { recursive: true });
	});

	test("bundles once for a board and an entry", () => {
		expect(bundleFirmware({ board: "simulator", entry: MODULES })).toBe(bundleFirmware({ board: "simulator", entry: MODULES }));
	});
});

test("of a flood of datagrams a machine keeps the last ones, and no more than it can hold", async () => {
	const port = await freeUdpPort();
	const flood = MAX_WAITING_DATAGRAMS + 50;
	const sender = await UdpPeer.open();
	ends.push(() => sender.close());
	let come = 0;
	let onWhole = () => {};
	const whole = new Promise<void>((resolve) => {
		onWhole = resolve;
	});
	const udp = new HostUdp(port, () => {
		udp.look();
		if (++come === flood) onWhole();
	});
	ends.push(() => udp.close());
	for (let i = 0; i < flood; i++) await sender.send(Uint8Array.of(i), port);
	await whole;
	const kept: unknown[] = [];
	for (let datagram = udp.read(); datagram; datagram = udp.read()) kept.push(datagram.bytes[0]);
	expect(kept).toEqual(Array.from({ length: MAX_WAITING_DATAGRAMS }, (_, i) => i + 50));
});
