// "pins/servo": a hobby servo on a pin. Like the real one it does not clamp, so that a position outside of its range shows.

import { freePin, takePin } from "./pins.js";
import { hornAt, type ServoHorn } from "./servo-horn.js";

/** The pulses that Moddable gives for 0 and 180 degrees where a board says nothing else, in microseconds. */
const MIN_US = 543;
const MAX_US = 2441;
/** How many channels the smallest chip of the family has (ESP32-C3, LEDC). */
const MAX_SERVOS = 8;
let open = 0;

export interface ServoOptions {
	pin: number;
	/** The pulse for 0 degrees in microseconds. */
	min?: number;
	/** The pulse for 180 degrees in microseconds. */
	max?: number;
}

export default class Servo {
	readonly #pin: number;
	readonly #min: number;
	readonly #max: number;
	readonly #horn: ServoHorn;
	#closed = false;

	/** @throws Error or RangeError when the pin or a channel cannot be had */
	constructor(options: ServoOptions) {
		const { pin, min = MIN_US, max = MAX_US } = options;
		if (open >= MAX_SERVOS) throw new RangeError("all servo channels are already taken");
		takePin(pin, "servo");
		open++;
		this.#pin = pin;
		this.#min = min;
		this.#max = max;
		this.#horn = hornAt({ pin });
	}

	/** @throws TypeError for what is no number; Error after close */
	write(degrees: number): void {
		this.#check(degrees);
		this.#horn.turn(degrees);
	}

	/** @throws TypeError for what is no number; Error after close */
	writeMicroseconds(microseconds: number): void {
		this.#check(microseconds);
		// No pulses: a servo stays where it is.
		if (microseconds === 0) this.#horn.rest();
		else this.#horn.turn(((microseconds - this.#min) * 180) / (this.#max - this.#min));
	}

	/** No pulses any more; the horn stays where it is. */
	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		open--;
		freePin(this.#pin);
		this.#horn.rest();
	}

	#check(value: number): void {
		if (this.#closed) throw new Error("closed");
		if (!Number.isFinite(value)) throw new TypeError(`servo: ${value} is no position`);
	}
}
