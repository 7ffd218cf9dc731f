// The firmware without each of the features that a board can leave out, on the XS engine: it starts, and says what is missing.

import { readdirSync } from "node:fs";
import { afterEach, expect, test } from "@jest/globals";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { LogWatch } from "../support/launch.js";

const FEATURES = readdirSync(new URL("../../src/features/absent", import.meta.url)).map((file) => file.replace(".ts", ""));
let device: RunningDevice | undefined;

afterEach(async () => {
	await device?.close();
	device = undefined;
});

/** Starts the firmware, and waits for a line. */
async function launch(without: readonly string[], config: Record<string, unknown>, line: string): Promise<RunningDevice> {
	const log = new LogWatch();
	device = await runDevice({
		board: "simulator",
		entry: "tests/firmware/features-entry.ts",
		without,
		config: { url: "", ...config },
		onLog: (text) => log.add(text),
	});
	await log.logged(new RegExp(line.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")));
	expect(log.lines.filter((text) => /abort|unhandled/i.test(text))).toEqual([]);
	return device;
}

const lines: Record<string, [config: Record<string, unknown>, line: string]> = {
	configuration: [{ ota_url: "http://127.0.0.1:9/" }, "start: ota_url is not asked: this firmware was built without the configuration server"],
	framed: [{ framed_address: "tcp://127.0.0.1:9", framed_token: "t" }, "this firmware was built without the framed service"],
	mqtt: [{ mqtt_endpoint: "127.0.0.1:9", mqtt_publish: "a", mqtt_subscribe: "b" }, "this firmware was built without MQTT"],
	setup: [{}, "nothing to connect to"],
	tls: [{ url: "wss://127.0.0.1:9/" }, "a wss:// address needs TLS, which this build was not given"],
	upgrade: [{}, "nothing to connect to"],
};

test.each(FEATURES)("without %s it starts, and a setting for it costs a line", async (feature) => {
	const [config, line] = lines[feature] ?? [{}, ""];
	expect(line).not.toBe("");
	await launch([feature], config, line);
});

test("without any of them it starts", async () => {
	await launch(FEATURES, {}, "nothing to connect to");
});

test.each([
	["self.system.reconfigure_wifi", {}, "This firmware was built without the set-up page"],
	["self.upgrade_firmware", { url: "http://127.0.0.1:9/" }, "This firmware was built without upgrades"],
])("without any of them %s says so", async (name, args, message) => {
	const started = await launch(FEATURES, {}, "nothing to connect to");
	expect(await started.evaluate(`call(${JSON.stringify(name)}, ${JSON.stringify(args)})`)).toBe(message);
});
