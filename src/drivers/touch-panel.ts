// A touch panel as a button with a place, on a sensor of the class Touch of ECMA-419, such as the FT6336 of M5Stack's CoreS3.

import Timer from "timer";
import type { Button } from "../hardware/button.js";

/** What a sensor of the class Touch does, as far as this driver needs it. */
export interface TouchSensor {
	/** The fingers that touch now; none or undefined where there is none. */
	sample(): readonly { readonly x: number; readonly y: number }[] | undefined;
	close(): void;
}

export interface TouchPanelOptions {
	sensor: TouchSensor;
	/** Told when a first finger comes, with its place in pixels, and when the last one has gone, with its last place. */
	onChange: (pressed: boolean, x: number, y: number) => void;
}

/** How often the sensor is asked: a tap lasts at least twice as long. */
const SAMPLE_MS = 50;

/** Asks the sensor again and again; it closes it. */
export class TouchPanel implements Button {
	readonly #sensor: TouchSensor;
	readonly #onChange: TouchPanelOptions["onChange"];
	readonly #timer: ReturnType<typeof Timer.repeat>;
	#pressed = false;
	#x = 0;
	#y = 0;
	#closed = false;

	constructor(options: TouchPanelOptions) {
		this.#sensor = options.sensor;
		this.#onChange = options.onChange;
		this.#timer = Timer.repeat(() => this.#sample(), SAMPLE_MS);
	}

	get pressed(): boolean {
		return this.#pressed;
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		Timer.clear(this.#timer);
		this.#sensor.close();
	}

	#sample(): void {
		let finger: { readonly x: number; readonly y: number } | undefined;
		try {
			finger = this.#sensor.sample()?.[0];
		} catch {
			// A sample that fails counts as no finger; the next one comes soon.
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
