// A lamp on the panel.

import type { Lamp } from "hardware/lamp";
import type { Show } from "./panel.js";

/** Shows `{on}`. */
export class SimulatedLamp implements Lamp {
	readonly #panel: Show;
	#on = false;

	constructor(show: Show) {
		this.#panel = show;
		this.#show();
	}

	get on(): boolean {
		return this.#on;
	}

	setPower(on: boolean): void {
		this.#on = on;
		this.#show();
	}

	close(): void {
		if (this.#on) this.setPower(false);
	}

	#show(): void {
		this.#panel("lamp", { on: this.#on });
	}
}
