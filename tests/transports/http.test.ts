// Runs the HTTP scenarios on the XS engine and on Node, against a real server.

import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { LogWatch } from "../support/launch.js";
import { startHttpPeer } from "./http-peer.mjs";
import { httpScenarios } from "./http-scenarios.js";

/** All scenarios together; each has a limit of its own. */
const RUN_TIMEOUT_MS = 120_000;

for (const engine of ["xs", "node"] as const) {
	describe(`HTTP on ${engine === "xs" ? "the XS engine" : "Node"}`, () => {
		const log = new LogWatch();
		let peer: Awaited<ReturnType<typeof startHttpPeer>>;
		let device: RunningDevice;

		beforeAll(async () => {
			peer = await startHttpPeer();
			device = await runDevice({
				board: "simulator",
				engine,
				entry: "tests/transports/http-firmware.ts",
				config: { port: peer.port },
				onLog: (line) => log.add(line),
			});
			await Promise.race([log.logged(/^DONE /), device.exited]);
		}, RUN_TIMEOUT_MS);

		afterAll(async () => {
			await device?.close();
			await peer?.close();
		});

		test.each(httpScenarios.map(({ title }, i) => ({ title, number: i + 1 })))("$title", ({ title, number }) => {
			const line = log.lines.find((line) => line.startsWith(`ok ${number} `) || line.startsWith(`not ok ${number} `));
			expect(line).toBe(`ok ${number} ${title}`);
		});
	});
}
