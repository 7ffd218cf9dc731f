// Something that is done again and again, on timers that are handed in.

import type { Timers } from "../base/timers.js";

/** The timers that drivers are given; Moddable's `timer` module has this shape. */
export interface DriverTimers extends Timers {
	/** Calls back every `interval` milliseconds, for the first time after one. */
	repeat(callback: () => void, interval: number): unknown;
	/** Blocks the whole machine: for the few milliseconds that a chip needs to start or to answer. */
	delay(milliseconds: number): void;
}

/** At most one repeating timer at a time: `start` replaces the one before. */
export class Interval {
	readonly #timers: DriverTimers;
	#timer: unknown;

	constructor(timers: DriverTimers) {
		this.#timers = timers;
	}

	get running(): boolean {
		return this.#timer !== undefined;
	}

	/** Calls back every `interval` milliseconds, for the first time after one. */
	start(interval: number, callback: () => void): void {
		this.stop();
		this.#timer = this.#timers.repeat(callback, interval);
	}

	/** Nothing is called back any more. */
	stop(): void {
		if (this.#timer !== undefined) this.#timers.clear(this.#timer);
		this.#timer = undefined;
	}
}
