// Time as it is handed in: one-shot timers, and a time limit that can be set again and cleared.

/** One-shot timers; Moddable's `timer` module has this shape. */
export interface Timers {
	/** Calls back once after `delay` milliseconds. */
	set(callback: () => void, delay: number): unknown;
	/** Forgets a timer; undefined is allowed. */
	clear(timer: unknown): void;
}

/** At most one timer at a time: `set` replaces the one before. */
export class Timeout {
	// Not `#`: there are many of these, and that takes a slot more of each.
	private readonly timers: Timers;
	private timer: unknown;

	constructor(timers: Timers) {
		this.timers = timers;
	}

	/** Is a callback still to come? */
	get pending(): boolean {
		return this.timer !== undefined;
	}

	/** Calls back once after `delay` milliseconds, instead of whatever was set before. */
	set(delay: number, callback: () => void): void {
		this.clear();
		this.timer = this.timers.set(() => {
			this.timer = undefined;
			callback();
		}, delay);
	}

	/** Nothing is called back any more. */
	clear(): void {
		if (this.timer !== undefined) this.timers.clear(this.timer);
		this.timer = undefined;
	}
}
