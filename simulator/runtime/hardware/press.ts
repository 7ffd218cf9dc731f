// A press as a finger makes it: however short it comes in, it lasts long enough for hardware to see it.

import Timer from "timer";

/** Contacts bounce for 20 ms, and touch panels are asked every 50 ms. */
export const SHORTEST_PRESS_MS = 120;

export class Press<T> {
	readonly #onChange: (place: T | undefined) => void;
	#pressed = false;
	/** Runs until hardware has seen it: by its own timers, which a busy computer may keep waiting for longer than the clock says. */
	#minimum: ReturnType<typeof Timer.set> | undefined;
	/** Let go before that? */
	#letGo = false;

	/** @param onChange gets where it is pressed, or undefined when it is let go */
	constructor(onChange: (place: T | undefined) => void) {
		this.#onChange = onChange;
	}

	/** @param place undefined: lets go, but not before the press has lasted */
	set(place: T | undefined): void {
		if (place !== undefined) {
			if (this.#letGo) this.#end();
			if (!this.#pressed) this.#begin();
			this.#onChange(place);
		} else if (this.#minimum) this.#letGo = true;
		else if (this.#pressed) this.#end();
	}

	#begin(): void {
		this.#pressed = true;
		this.#minimum = Timer.set(() => {
			this.#minimum = undefined;
			if (this.#letGo) this.#end();
		}, SHORTEST_PRESS_MS);
	}

	#end(): void {
		if (this.#minimum) Timer.clear(this.#minimum);
		this.#minimum = undefined;
		this.#pressed = false;
		this.#letGo = false;
		this.#onChange(undefined);
	}
}
