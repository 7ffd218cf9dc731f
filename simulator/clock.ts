// The clocks that a simulated machine can run on: the real one, and one that tests move by hand.
import { nextTurn } from "./turn.js";

// A machine that has this one's globals takes them away.
const { clearTimeout, performance, setTimeout } = globalThis;

/** Where a machine's timers come from. */
export interface Clock {
	/** Milliseconds since some moment; they only rise. */
	now(): number;
	/** Calls back once, never at once. @returns what cancels it */
	set(milliseconds: number, callback: () => void): () => void;
}

const MAX_DELAY_MS = 2 ** 31 - 1;

/** The time that passes by itself. */
export const realClock: Clock = {
	now: () => performance.now(),
	set(milliseconds, callback) {
		if (milliseconds <= 0) {
			let due = true;
			nextTurn(() => due && callback());
			return () => {
				due = false;
			};
		}
		const handle = setTimeout(callback, Math.min(milliseconds, MAX_DELAY_MS));
		return () => clearTimeout(handle);
	},
};

interface Alarm {
	at: number;
	callback: () => void;
}

/** Time that stands until `advance` is called; only what is due at once runs by itself. */
export class ManualClock implements Clock {
	#now = 0;
	#alarms = new Set<Alarm>();
	#immediate = 0;

	/** Is something due at once that has not run yet? */
	get busy(): boolean {
		return this.#immediate > 0;
	}

	now(): number {
		return this.#now;
	}

	set(milliseconds: number, callback: () => void): () => void {
		if (milliseconds <= 0) {
			this.#immediate++;
			let over = false;
			const finish = () => {
				if (over) return false;
				over = true;
				this.#immediate--;
				return true;
			};
			nextTurn(() => {
				if (finish()) callback();
			});
			return finish;
		}
		const alarm = { at: this.#now + milliseconds, callback };
		this.#alarms.add(alarm);
		return () => this.#alarms.delete(alarm);
	}

	/** Lets `milliseconds` pass; after each callback `settle` is awaited, so that what it sets off is in time, too. */
	async advance(milliseconds: number, settle: () => Promise<void>): Promise<void> {
		const end = this.#now + milliseconds;
		for (;;) {
			let next: Alarm | undefined;
			for (const alarm of this.#alarms) if (alarm.at <= end && !(next && next.at <= alarm.at)) next = alarm;
			if (!next) break;
			this.#now = next.at;
			this.#alarms.delete(next);
			next.callback();
			await settle();
		}
		this.#now = end;
	}
}
