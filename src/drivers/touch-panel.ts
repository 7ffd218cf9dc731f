// A touch panel as a button with a position, on a sensor of ECMA-419's class Touch, such as the FT6336 of M5Stack's CoreS3.

import type { Button } from "../hardware/button.js";
import { type DriverTimers, Interval } from "./interval.js";

/** As much of a Touch sensor as this driver needs. */
export interface TouchSensor {
	/** The fingers that touch it now; undefined or empty when there are none. */
	sample(): readonly { readonly x: number; readonly y: number }[] | undefined;
	close(): void;
}

export interface TouchPanelOptions {
	/** The panel closes it. */
	sensor: TouchSensor;
	timers: DriverTimers;
	/** Called when the first finger comes, with its position in pixels, and when the last one has gone, with its last position. */
	onChange: (pressed: boolean, x: number, y: number) => void;
}

/** How often the sensor is read: a tap lasts at least twice as long. */
const SAMPLE_MS = 50;

/** Polls the sensor. */
export class TouchPanel implements Button {
	readonly #sensor: TouchSensor;
	readonly #onChange: TouchPanelOptions["onChange"];
	readonly #samples: Interval;
	#pressed = false;
	#x = 0;
	#y = 0;
	#closed = false;

	constructor({ sensor, timers, onChange }: TouchPanelOptions) {
		this.#sensor = sensor;
		this.#onChange = onChange;
		this.#samples = new Interval(timers);
		this.#samples.start(SAMPLE_MS, () => this.#sample());
	}

	get pressed(): boolean {
		return this.#pressed;
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#samples.stop();
		this.#sensor.close();
	}

	#sample(): void {
		let finger: { readonly x: number; readonly y: number } | undefined;
		try {
			finger = this.#sensor.sample()?.[0];
		} catch {
			// A sample that fails counts as no finger; the next one is soon.
		}
		if (finger) {
			this.#x = finger.x;
			this.#y = finger.y;
		}
		const pressed = finger !== undefined;
		if (pressed === this.#pressed) return;
		this.#pressed = pressed;
		this.#onChange(pressed, this.#x, this.#y);
	}
}
