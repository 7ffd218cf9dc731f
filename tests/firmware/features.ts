// Starts the firmware without some of the features that a board can leave out.

import { readdirSync } from "node:fs";
import { afterEach, expect } from "@jest/globals";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { LogWatch } from "../support/launch.js";

/** Everything that can be left out. */
export const FEATURES = readdirSync(new URL("../../src/features/absent", import.meta.url)).map((file) => file.replace(".ts", ""));
let device: RunningDevice | undefined;

afterEach(async () => {
	await device?.close();
	device = undefined;
});

/** Starts the firmware, and waits for a line. It is closed after the test. */
export async function launch(without: readonly string[], config: Record<string, unknown>, line: string): Promise<RunningDevice> {
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
