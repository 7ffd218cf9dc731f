// A button held down opens the set-up page: the way in for an owner whose device has lost its network.

import { Timeout, type Timers } from "../base/timers.js";

/** How long the button has to be held. */
export const LONG_PRESS_MS = 5000;

/** Watches a board's events for a button that is held. */
export class LongPress {
	readonly #timeout: Timeout;
	readonly #onLongPress: () => void;
	#held: unknown;

	constructor(timers: Timers, onLongPress: () => void) {
		this.#timeout = new Timeout(timers);
		this.#onLongPress = onLongPress;
	}

	/** Takes an event of the board; only `button_changed {button, pressed}` matters. */
	see(event: string, { button, pressed }: { readonly [key: string]: unknown }): void {
		if (event !== "button_changed") return;
		if (pressed !== true) {
			if (button === this.#held) this.close();
			return;
		}
		this.close();
		this.#held = button;
		this.#timeout.set(LONG_PRESS_MS, this.#onLongPress);
	}

	/** Forgets a button that is being held. May be called twice. */
	close(): void {
		this.#timeout.clear();
		this.#held = undefined;
	}
}
