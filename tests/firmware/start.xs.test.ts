// What moves by itself moves only when the start is in the record, and not at all after two brown-outs in a row.

import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "@jest/globals";
import { type Preferences, type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { LogWatch } from "../support/launch.js";

let device: RunningDevice | undefined;
afterEach(() => device?.close());

async function start(preferences: Preferences): Promise<{ lines: string[]; preferences: Preferences }> {
	const log = new LogWatch();
	const board = fileURLToPath(new URL("starting-board", import.meta.url));
	device = await runDevice({ board, engine: "xs", config: {}, preferences, onLog: (line) => log.add(line) });
	await log.logged(/^moving: /);
	await device.close();
	return { lines: log.lines.filter((line) => /^moving: |servos/.test(line)), preferences: device.preferences };
}

test("a board moves once its start is recorded, and two brown-outs in a row keep its servos off", async () => {
	const first = await start({});
	expect(first.lines).toEqual(["moving: after brownout; the supply is good"]);
	const second = await start(first.preferences);
	const why = "2 brown-outs in a row; charge it or use a stronger supply, then switch it off and on";
	expect(second.lines).toEqual([`moving: after brownout; ${why}`, expect.stringMatching(/^main: simulator leaves its servos off: 2 brown-outs/)]);
});
