// Keeps asking for the time until the clock is set: TLS checks dates, and a device wakes up in 1970.

import { Timeout, type Timers } from "../base/timers.js";
import config from "../sdk/config.js";
import Time from "../sdk/time.js";
import { SntpClient } from "./sntp.js";

/** Before this the clock has not been set: 2024-01-01. */
export const EARLIEST_CLOCK_MS = 1_704_067_200_000;
/** How long after a time server gave no time it is asked again. */
export const CLOCK_AGAIN_MS = 300_000;

/** Takes a time that somebody else has told, where no time server has been found: better than none. @param time in milliseconds since 1970 UTC */
export function suggestTime(time: number): void {
	if (time > EARLIEST_CLOCK_MS && Date.now() < EARLIEST_CLOCK_MS) Time.set(Math.floor(time / 1000));
}

export interface ClockOptions {
	timers: Timers;
	log(line: string): void;
}

/** Sets the clock where it is not set. */
export class Clock {
	readonly #options: ClockOptions;
	readonly #again: Timeout;
	#client: SntpClient | undefined;

	constructor(options: ClockOptions) {
		this.#options = options;
		this.#again = new Timeout(options.timers);
	}

	/** @param goOn called once, whether there is a time or not; without one it is asked for again and again */
	set(goOn: () => void): void {
		if (Date.now() > EARLIEST_CLOCK_MS) return goOn();
		const { log, timers } = this.#options;
		const server: unknown = config.sntp;
		this.#client = new SntpClient({
			server: typeof server === "string" && server ? server : undefined,
			timers,
			onDone: (problem) => {
				if (problem) {
					log(`clock: ${problem}; TLS will fail until it is set; asking again in ${CLOCK_AGAIN_MS / 1000} s`);
					this.#again.set(CLOCK_AGAIN_MS, () => this.set(() => {}));
				} else log(`clock: ${new Date().toISOString()}`);
				goOn();
			},
		});
	}

	/** Stops asking. May be called twice. */
	close(): void {
		this.#again.clear();
		this.#client?.close();
		this.#client = undefined;
	}
}
