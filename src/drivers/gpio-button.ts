// A button or touch pad that pulls a GPIO to one level, on Moddable's `embedded:io/digital` (ECMA-419, Digital).

import Digital from "embedded:io/digital";
import Timer from "timer";
import type { Button } from "../hardware/button.js";

export interface GpioButtonOptions {
	pin: number;
	/** Does pressing give a high level? Otherwise a low one, as with a button to ground. */
	activeHigh?: boolean;
	/** Does the board hold the level of a button that is not pressed? Otherwise the chip's own resistor does. */
	external?: boolean;
	/** Told of each change. */
	onChange: (pressed: boolean) => void;
}

/** How long a level has to stay after an edge to count: contacts bounce, and an antenna beside the wire gives short edges. */
const DEBOUNCE_MS = 20;

/** A button on a pin. */
export class GpioButton implements Button {
	readonly #input: Digital;
	readonly #pressedLevel: 0 | 1;
	readonly #onChange: (pressed: boolean) => void;
	#pressed: boolean;
	#settling: ReturnType<typeof Timer.set> | undefined;
	#closed = false;

	/** @throws what the driver throws when the pin cannot be had */
	constructor(options: GpioButtonOptions) {
		const { pin, activeHigh = false, external = false } = options;
		this.#onChange = options.onChange;
		this.#pressedLevel = activeHigh ? 1 : 0;
		this.#input = new Digital({
			pin,
			mode: external ? Digital.Input : activeHigh ? Digital.InputPullDown : Digital.InputPullUp,
			edge: Digital.Rising | Digital.Falling,
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
		if (this.#settling !== undefined) Timer.clear(this.#settling);
		this.#settling = undefined;
		this.#input.close();
	}

	#settle(): void {
		// An edge may have been on its way when the pin was closed.
		if (this.#closed || this.#settling !== undefined) return;
		this.#settling = Timer.set(() => {
			this.#settling = undefined;
			const pressed = this.#input.read() === this.#pressedLevel;
			if (pressed === this.#pressed) return;
			this.#pressed = pressed;
			this.#onChange(pressed);
		}, DEBOUNCE_MS);
	}
}
