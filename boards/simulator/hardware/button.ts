// A button that a person presses on the panel.

import type { Button } from "hardware/button";
import type { OnInput, Show } from "./panel.js";

/** Shows `{pressed}`, and takes the same. */
export class SimulatedButton implements Button {
	#pressed = false;

	/** @param onChange called after each change */
	constructor({ show, onInput, onChange }: { show: Show; onInput: OnInput; onChange: (pressed: boolean) => void }) {
		show("button", { pressed: false });
		onInput("button", ({ pressed }) => {
			if ((pressed === true) === this.#pressed) return;
			this.#pressed = pressed === true;
			show("button", { pressed: this.#pressed });
			onChange(this.#pressed);
		});
	}

	get pressed(): boolean {
		return this.#pressed;
	}

	close(): void {}
}
