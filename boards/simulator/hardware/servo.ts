// A servo on the panel.

import { SteppedServo } from "drivers/stepped-servo";
import { show } from "simulator/panel";

/** Often enough to look like motion, seldom enough to be read in a log. */
const STEP_MS = 100;

/** Shows `{index, angle, position, moving}` with every step of a motion; `angle` is where it goes, `position` where it is. */
export class SimulatedServo extends SteppedServo {
	readonly #index: number;

	/** @param index its place among the board's servos */
	constructor(index: number) {
		super({ minimum: 0, maximum: 180, angle: 90, stepMs: STEP_MS });
		this.#index = index;
		this.write(this.position);
	}

	protected override write(position: number): void {
		show(`servo${this.#index}`, { index: this.#index, angle: this.angle, position: Math.round(position * 10) / 10, moving: this.moving });
	}
}
