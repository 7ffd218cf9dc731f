// A battery that stands still.

import type { Battery } from "hardware/battery";
import { show } from "simulator/panel";

/** Shows `{level, charging}` once. */
export class SimulatedBattery implements Battery {
	readonly level: number = 85;
	readonly charging: boolean = false;

	constructor() {
		show("battery", { level: this.level, charging: this.charging });
	}
}
