// A battery whose level never changes.

import type { Battery } from "hardware/battery";
import type { Show } from "./panel.js";

/** Shows `{level, charging}` once. */
export class SimulatedBattery implements Battery {
	readonly level: number = 85;
	readonly charging: boolean = false;

	constructor(show: Show) {
		show("battery", { level: this.level, charging: this.charging });
	}
}
