// Timers through the whole firmware on the XS engine: set by a model, kept over a restart, run without a network.

import { afterEach, expect, test } from "@jest/globals";
import { type Backend, startBackend } from "../../hub/backend.js";
import type { DeviceSession } from "../../hub/device-session.js";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";

let backend: Backend | undefined;
const devices: RunningDevice[] = [];

afterEach(async () => {
	for (const device of devices.splice(0)) await device.close();
	await backend?.close();
});

test("a lamp is turned off and a reminder is said after a restart, the lamp without a backend", async () => {
	let begun: ((session: DeviceSession) => void) | undefined;
	const beginning = new Promise<DeviceSession>((resolve) => {
		begun = resolve;
	});
	let heard: ((text: string) => void) | undefined;
	const reminded = new Promise<string>((resolve) => {
		heard = resolve;
	});
	backend = await startBackend({
		assistant(text) {
			heard?.(text);
			return "ok";
		},
		onSession: (session) => begun?.(session),
	});
	const config = { device_id: "02:00:00:00:00:01", client_id: "00000000-0000-4000-8000-000000000001" };
	const first = await runDevice({ board: "simulator", config: { ...config, url: backend.url } });
	devices.push(first);
	const session = await beginning;
	await session.initialize();
	const call = async (name: string, args: Record<string, unknown>) => ((await session.callTool(name, args)).content[0] as { text: string }).text;
	await call("self.lamp.turn_on", {});
	await expect(call("self.timer.set", { seconds: 1, tool: "self.reboot" })).rejects.toThrow("Unknown tool: self.reboot");
	const now = Date.now();
	await call("self.timer.set", { seconds: 3600, tool: "self.lamp.turn_off" });
	expect(JSON.parse(await call("self.timer.set", { seconds: 7200, say: "The oven" }))).toMatchObject({ id: 2, repeat: false, say: "The oven" });
	const { preferences } = first;
	await first.close();

	let dark: (() => void) | undefined;
	const off = new Promise<void>((resolve) => {
		dark = resolve;
	});
	const log: string[] = [];
	/** The clock at a start: shortly before a timer is due, however long the life before took. */
	const before = (seconds: number) => ({ simulatedTime: now + seconds * 1000 - 3000 });
	const second = await runDevice({
		board: "simulator",
		config: { ...config, ...before(3600) },
		preferences,
		onLog: (line) => log.push(line) && line.includes("timer 1: due") && dark?.(),
	});
	devices.push(second);
	await off;
	const kept = second.preferences;
	await second.close();
	expect(log.join("\n")).toContain("timer 1: due: self.lamp.turn_off");

	devices.push(await runDevice({ board: "simulator", config: { ...config, ...before(7200), url: backend.url }, preferences: kept }));
	expect(await reminded).toMatch(/The oven/);
}, 30_000);
