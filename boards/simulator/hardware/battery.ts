// A battery whose level a person changes on the panel.

import type { Battery } from "hardware/battery";
import type { OnInput, Show } from "./panel.js";

/** Shows `{level, charging}`, and takes the same. */
export class SimulatedBattery implements Battery {
	readonly #panel: Show;
	#level = 85;
	#charging = false;

	constructor({ show, onInput }: { show: Show; onInput: OnInput }) {
		this.#panel = show;
		this.#show();
		onInput("battery", ({ level, charging }) => {
			if (typeof level === "number" && level >= 0 && level <= 100) this.#level = Math.round(level);
			if (typeof charging === "boolean") this.#charging = charging;
			this.#show();
		});
	}

	get level(): number {
		return this.#level;
	}

	get charging(): boolean {
		return this.#charging;
	}

	#show(): void {
		this.#panel("battery", { level: this.#level, charging: this.#charging });
	}
}
