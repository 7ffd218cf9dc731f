// A lamp on the panel.

import type { Lamp } from "hardware/lamp";
import { show } from "simulator/panel";

/** Shows `{on}`. */
export class SimulatedLamp implements Lamp {
	#on = false;

	constructor() {
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
		show("lamp", { on: this.#on });
	}
}
