// A button that is held for long opens the set-up page: the way in for an owner whose device has lost its network.

import type { Timers } from "../mcp/server.js";

/** How long the button has to be held. */
export const LONG_PRESS_MS = 5000;

/** Watches a board's events for a button that is held. */
export class LongPress {
	readonly #timers: Timers;
	readonly #onLongPress: () => void;
	#held: unknown;
	#timer: unknown;

	constructor(timers: Timers, onLongPress: () => void) {
		this.#timers = timers;
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
		this.#timer = this.#timers.set(() => {
			this.#timer = undefined;
			this.#onLongPress();
		}, LONG_PRESS_MS);
	}

	/** Forgets a button that is held now. May be called twice. */
	close(): void {
		if (this.#timer !== undefined) this.#timers.clear(this.#timer);
		this.#timer = undefined;
		this.#held = undefined;
	}
}
