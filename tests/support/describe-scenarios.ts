// Runs scenarios on the XS engine or on Node, against a real server.

import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import { LogWatch } from "./launch.js";
import type { Scenario } from "./scenario.js";

/** All scenarios together; each has a limit of its own. */
const RUN_TIMEOUT_MS = 180_000;

export interface Peer {
	readonly port: number;
	close(): Promise<unknown>;
}

/** A set of scenarios and their server, to be run on either engine. */
export type Scenarios = readonly [name: string, transport: string, scenarios: readonly Scenario[], startPeer: () => Promise<Peer>, entry?: string];

/**
 * @param transport as tests/transports/firmware.ts knows it
 * @param scenarios the same that the firmware runs
 * @param entry another firmware, which knows its scenarios by itself
 */
export function describeScenarios(
	engine: "xs" | "node",
	[name, transport, scenarios, startPeer, entry = "tests/transports/firmware.ts"]: Scenarios,
): void {
	describe(`${name} on ${engine === "xs" ? "the XS engine" : "Node"}`, () => {
		const log = new LogWatch();
		let peer: Peer;
		let device: RunningDevice;

		beforeAll(async () => {
			peer = await startPeer();
			device = await runDevice({
				board: "simulator",
				engine,
				entry,
				config: { port: peer.port, transport },
				onLog: (line) => log.add(line),
			});
			await Promise.race([log.logged(/^DONE /), device.exited]);
		}, RUN_TIMEOUT_MS);

		afterAll(async () => {
			await device?.close();
			await peer?.close();
		});

		test.each(scenarios.map(({ title }, i) => ({ title, number: i + 1 })))("$title", ({ title, number }) => {
			const line = log.lines.find((line) => line.startsWith(`ok ${number} `) || line.startsWith(`not ok ${number} `));
			expect(line).toBe(`ok ${number} ${title}`);
		});
	});
}
