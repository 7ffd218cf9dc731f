// A press as a finger makes it: however short it comes in, it lasts long enough for hardware to see it.

import Time from "time";
import Timer from "timer";

/** Contacts bounce for 20 ms, and touch panels are asked every 50 ms. */
export const SHORTEST_PRESS_MS = 120;

export class Press<T> {
	readonly #onChange: (place: T | undefined) => void;
	#since: number | undefined;
	#release: ReturnType<typeof Timer.set> | undefined;

	/** @param onChange gets where it is pressed, or undefined when it is let go */
	constructor(onChange: (place: T | undefined) => void) {
		this.#onChange = onChange;
	}

	/** @param place undefined: lets go, but not before the press has lasted */
	set(place: T | undefined): void {
		if (place !== undefined) {
			if (this.#release) this.#end();
			this.#since ??= Time.ticks;
			this.#onChange(place);
		} else if (this.#since !== undefined && !this.#release) {
			const rest = SHORTEST_PRESS_MS - Time.delta(this.#since);
			if (rest > 0) this.#release = Timer.set(() => this.#end(), rest);
			else this.#end();
		}
	}

	#end(): void {
		if (this.#release) Timer.clear(this.#release);
		this.#release = undefined;
		this.#since = undefined;
		this.#onChange(undefined);
	}
}
