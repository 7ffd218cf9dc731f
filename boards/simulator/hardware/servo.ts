// A servo on the panel.

import type { DriverTimers } from "drivers/interval";
import { SteppedServo } from "drivers/stepped-servo";
import type { Show } from "./panel.js";

/** Often enough to look like motion, rarely enough to be readable in a log. */
const STEP_MS = 100;

export interface SimulatedServoOptions {
	show: Show;
	timers: DriverTimers;
	/** Its place among the board's servos. */
	index: number;
}

/** Shows `{angle, position, moving}` with every step of a motion; `angle` is where it goes, `position` where it is. */
export class SimulatedServo extends SteppedServo {
	readonly #index: number;

	readonly #panel: Show;

	constructor({ show, timers, index }: SimulatedServoOptions) {
		super({ timers, minimum: 0, maximum: 180, angle: 90, stepMs: STEP_MS });
		this.#index = index;
		this.#panel = show;
		this.write(this.position);
	}

	protected override write(position: number): void {
		this.#panel(`servo${this.#index}`, { angle: this.angle, position: Math.round(position * 10) / 10, moving: this.moving });
	}
}
