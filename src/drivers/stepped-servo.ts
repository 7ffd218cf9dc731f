// What every positional servo has in common: the range, and motion at a limited speed in small steps on a timer.

import type { Servo } from "../hardware/servo.js";
import { clamp } from "./clamp.js";
import { type DriverTimers, Interval } from "./interval.js";

/** The default time between two steps of a motion: pulses at 50 Hz cannot follow faster ones. */
const DEFAULT_STEP_MS = 20;

export interface SteppedServoOptions {
	timers: DriverTimers;
	/** The smallest angle in degrees; 0 by default. */
	minimum?: number;
	/** The largest angle in degrees; 180 by default. */
	maximum?: number;
	/** The angle in degrees to begin with; the middle of the range by default. */
	angle?: number;
	/** The time between two steps of a motion in milliseconds; 20 by default. */
	stepMs?: number;
}

/** A servo's motion. A subclass overrides `write` and, to release its hardware, `release`. */
export abstract class SteppedServo implements Servo {
	readonly minimum: number;
	readonly maximum: number;
	readonly #stepMs: number;
	readonly #motion: Interval;
	#target: number;
	#position: number;
	#closed = false;

	/** @throws RangeError for an empty range */
	constructor(options: SteppedServoOptions) {
		const { timers, minimum = 0, maximum = 180, stepMs = DEFAULT_STEP_MS } = options;
		if (!(minimum < maximum)) throw new RangeError(`a servo's minimum must be below its maximum, got ${minimum} and ${maximum}`);
		this.minimum = minimum;
		this.maximum = maximum;
		this.#stepMs = stepMs;
		this.#motion = new Interval(timers);
		// A servo that reports its position may stand outside of its range; its first move brings it back.
		this.#position = options.angle ?? (minimum + maximum) / 2;
		this.#target = clamp(this.#position, minimum, maximum);
	}

	get angle(): number {
		return this.#target;
	}

	/** The current angle in degrees; outside of the range only before the first move. */
	get position(): number {
		return this.#position;
	}

	/** Is it still on its way? */
	get moving(): boolean {
		return this.#motion.running;
	}

	setAngle(angle: number, speed = 0): void {
		if (this.#closed) return;
		this.#motion.stop();
		this.#target = clamp(angle, this.minimum, this.maximum);
		if (!(speed > 0) || this.#target === this.#position) {
			this.#position = this.#target;
			this.write(this.#position);
			return;
		}
		const step = (speed * this.#stepMs) / 1000;
		this.#motion.start(this.#stepMs, () => this.#advance(step));
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#motion.stop();
		this.release();
	}

	/** Puts the servo to `angle`, which is within the range. */
	protected abstract write(angle: number): void;

	/** Releases the hardware; called once. */
	protected release(): void {}

	#advance(step: number): void {
		const rest = this.#target - this.#position;
		if (Math.abs(rest) <= step) {
			this.#motion.stop();
			this.#position = this.#target;
		} else this.#position += rest > 0 ? step : -step;
		this.write(this.#position);
	}
}
