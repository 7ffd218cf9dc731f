// "embedded:io/pwm": pulse width modulation as in ECMA-419; at servo rates it turns a servo's horn.

import { show } from "simulator/panel";
import { freePin, takePin } from "./pins.js";
import { hornAt, type ServoHorn } from "./servo-horn.js";

const DEFAULT_HZ = 1024;
/** Pulses as seldom as these are for servos. */
const MAX_SERVO_HZ = 400;
const RESOLUTION = 10;
/** What a hobby servo takes for 0 and for 180 degrees, in microseconds. */
const MIN_US = 500;
const MAX_US = 2500;

/** Shows `{hz, duty}`, the duty in percent, as part `pwm<pin>`, or a servo's angles as `ServoHorn` does. */
export default class PWM {
	readonly resolution: number;
	readonly hz: number;
	readonly #pin: number;
	readonly #horn: ServoHorn | undefined;
	#closed = false;

	/** @throws Error or RangeError when rate or pin cannot be had */
	constructor(options: { pin: number; hz?: number; resolution?: number; port?: number }) {
		const { pin, hz = DEFAULT_HZ, resolution = RESOLUTION } = options;
		if (!(hz > 0)) throw new RangeError("pwm: invalid hz");
		takePin(pin, "pwm");
		this.#pin = pin;
		this.hz = hz;
		this.resolution = resolution;
		if (hz <= MAX_SERVO_HZ) this.#horn = hornAt({ pin });
	}

	/** @param value 0 to 2 to the power of `resolution`, less 1 @throws RangeError outside of that */
	write(value: number): void {
		if (this.#closed) throw new Error("pwm: closed");
		const top = 2 ** this.resolution - 1;
		if (!(value >= 0 && value <= top)) throw new RangeError(`pwm: ${value} is not from 0 to ${top}`);
		const duty = value / top;
		// No pulses: a servo stays where it is.
		if (this.#horn) value > 0 ? this.#horn.turn(((duty * 1e6) / this.hz - MIN_US) * (180 / (MAX_US - MIN_US))) : this.#horn.rest();
		else show(`pwm${this.#pin}`, { hz: this.hz, duty: Math.round(duty * 1000) / 10 });
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		freePin(this.#pin);
		this.#horn?.rest();
	}
}
