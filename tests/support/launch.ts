// Starts the firmware of tests/firmware/entry.ts on a simulated machine of this process.

import { type RunDeviceOptions, runDevice } from "../../simulator/run-device.js";
import type { Firmware, Launcher } from "../firmware/sessions.js";

/** A log that can be waited on. */
export class LogWatch {
	readonly lines: string[] = [];
	readonly #waiting = new Set<{ pattern: RegExp; resolve: (line: string) => void }>();

	add(line: string): void {
		this.lines.push(line);
		for (const waiting of this.#waiting)
			if (waiting.pattern.test(line)) {
				this.#waiting.delete(waiting);
				waiting.resolve(line);
			}
	}

	/** Settles with the first line that matches, also one of the past. */
	logged(pattern: RegExp): Promise<string> {
		const past = this.lines.find((line) => pattern.test(line));
		if (past !== undefined) return Promise.resolve(past);
		return new Promise((resolve) => this.#waiting.add({ pattern, resolve }));
	}
}

/**
 * The firmware on the XS engine of the registry, or on Node.
 * @param resources what is in its flash
 * @param more what else it is started with
 */
export function createLauncher(
	engine: "xs" | "node",
	resources: Readonly<Record<string, Uint8Array>> = {},
	more: Pick<RunDeviceOptions, "make"> = {},
): Launcher {
	return {
		async launch(url): Promise<Firmware> {
			const watch = new LogWatch();
			const device = await runDevice({
				...more,
				board: "simulator",
				engine,
				entry: "tests/firmware/entry.ts",
				resources,
				config: typeof url === "string" ? { url, token: "test-token", device_id: "02:00:00:00:00:01" } : url,
				onLog: (line) => watch.add(line),
			});
			return { log: watch.lines, logged: (pattern) => watch.logged(pattern), close: () => device.close() };
		},
	};
}
