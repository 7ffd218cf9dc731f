// A button or touch pad that pulls a GPIO to one level (ECMA-419, Digital).

import { Timeout, type Timers } from "../base/timers.js";
import type { Button } from "../hardware/button.js";
import type { DigitalConstructor, DigitalPin } from "../sdk/digital.js";

export interface GpioButtonOptions {
	/** Moddable's digital IO, `sdk/digital`. */
	io: DigitalConstructor;
	timers: Timers;
	pin: number;
	/** Does pressing give a high level? Otherwise a low one, as with a button to ground. */
	activeHigh?: boolean;
	/** Does the board have its own pull resistor? Otherwise the one inside the chip is used. */
	external?: boolean;
	/** Called after each change. */
	onChange: (pressed: boolean) => void;
}

/** How long after an edge the level is read: contacts bounce, and a nearby antenna causes short edges. */
const DEBOUNCE_MS = 20;

/** A button on a pin. */
export class GpioButton implements Button {
	readonly #input: DigitalPin;
	readonly #pressedLevel: 0 | 1;
	readonly #onChange: (pressed: boolean) => void;
	readonly #debounce: Timeout;
	#pressed: boolean;
	#closed = false;

	/** @throws what the IO throws when the pin is not available */
	constructor({ io, timers, pin, activeHigh = false, external = false, onChange }: GpioButtonOptions) {
		this.#onChange = onChange;
		this.#debounce = new Timeout(timers);
		this.#pressedLevel = activeHigh ? 1 : 0;
		this.#input = new io({
			pin,
			mode: external ? io.Input : activeHigh ? io.InputPullDown : io.InputPullUp,
			edge: io.Rising | io.Falling,
			onReadable: () => this.#settle(),
		});
		this.#pressed = this.#input.read() === this.#pressedLevel;
	}

	get pressed(): boolean {
		return this.#pressed;
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#debounce.clear();
		this.#input.close();
	}

	#settle(): void {
		// An edge may have been on its way when the pin was closed.
		if (this.#closed || this.#debounce.pending) return;
		this.#debounce.set(DEBOUNCE_MS, () => {
			const pressed = this.#input.read() === this.#pressedLevel;
			if (pressed === this.#pressed) return;
			this.#pressed = pressed;
			this.#onChange(pressed);
		});
	}
}
