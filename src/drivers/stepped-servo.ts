// What every positional servo has in common: the range, and motion at a limited speed in small steps on a timer.

import Timer from "timer";
import type { Servo } from "../hardware/servo.js";
import { clamp } from "./clamp.js";

/** The time between two steps of a motion, where no other is given: what a servo's pulses at 50 Hz can follow. */
const DEFAULT_STEP_MS = 20;

export interface SteppedServoOptions {
	/** The smallest angle in degrees; 0 where it is not given. */
	minimum?: number;
	/** The largest angle in degrees; 180 where it is not given. */
	maximum?: number;
	/** The angle in degrees to begin with; the middle of the range where it is not given. */
	angle?: number;
	/** The time between two steps of a motion in milliseconds; 20 where it is not given. */
	stepMs?: number;
}

/** A servo's motion. A subclass overrides `write` and, to let go of its hardware, `release`. */
export abstract class SteppedServo implements Servo {
	readonly minimum: number;
	readonly maximum: number;
	readonly #stepMs: number;
	#target: number;
	#position: number;
	#timer: ReturnType<typeof Timer.repeat> | undefined;
	#closed = false;

	/** @throws RangeError for an empty range */
	constructor(options: SteppedServoOptions) {
		const { minimum = 0, maximum = 180, stepMs = DEFAULT_STEP_MS } = options;
		if (!(minimum < maximum)) throw new RangeError(`a servo's minimum must be below its maximum, got ${minimum} and ${maximum}`);
		this.minimum = minimum;
		this.maximum = maximum;
		this.#stepMs = stepMs;
		// A servo that tells where it stands may stand outside of its range, and comes back from there with its first move.
		this.#position = options.angle ?? (minimum + maximum) / 2;
		this.#target = clamp(this.#position, minimum, maximum);
	}

	get angle(): number {
		return this.#target;
	}

	/** The angle in degrees that it stands at now; outside of the range only before the first move. */
	get position(): number {
		return this.#position;
	}

	/** Has it still a way to go? */
	get moving(): boolean {
		return this.#timer !== undefined;
	}

	setAngle(angle: number, speed = 0): void {
		if (this.#closed) return;
		this.#stop();
		this.#target = clamp(angle, this.minimum, this.maximum);
		if (!(speed > 0) || this.#target === this.#position) {
			this.#position = this.#target;
			this.write(this.#position);
			return;
		}
		const step = (speed * this.#stepMs) / 1000;
		this.#timer = Timer.repeat(() => this.#advance(step), this.#stepMs);
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#stop();
		this.release();
	}

	/** Puts the servo to `angle`, which is within the range. */
	protected abstract write(angle: number): void;

	/** Lets go of the hardware; called once. */
	protected release(): void {}

	#advance(step: number): void {
		const rest = this.#target - this.#position;
		if (Math.abs(rest) <= step) {
			this.#stop();
			this.#position = this.#target;
		} else this.#position += rest > 0 ? step : -step;
		this.write(this.#position);
	}

	#stop(): void {
		if (this.#timer === undefined) return;
		Timer.clear(this.#timer);
		this.#timer = undefined;
	}
}
