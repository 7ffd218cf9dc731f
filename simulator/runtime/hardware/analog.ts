// "embedded:io/analog": an input that is always at half of its range.

import { freePin, takePin } from "./pins.js";

const RESOLUTION = 12;

export default class Analog {
	readonly resolution: number;
	readonly #pin: number;

	/** @throws Error when the pin cannot be had */
	constructor(options: { pin: number; resolution?: number }) {
		takePin(options.pin, "analog");
		this.#pin = options.pin;
		this.resolution = options.resolution ?? RESOLUTION;
	}

	read(): number {
		return 2 ** (this.resolution - 1);
	}

	close(): void {
		freePin(this.#pin);
	}
}
