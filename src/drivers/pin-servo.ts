// A hobby servo on a pin, on Moddable's `pins/servo` (LEDC, 50 Hz; ESP-IDF Programming Guide, "LED Control").
//
// All servos share LEDC timer 0. On chips without high-speed LEDC (ESP32-S3, ESP32-C3) `embedded:io/pwm` can take the same
// timer and would change their frequency: a board uses one or the other.

import PulseServo from "pins/servo";
import Timer from "timer";
import { clamp } from "./clamp.js";
import { SteppedServo, type SteppedServoOptions } from "./stepped-servo.js";

/** The angles that the shortest and the longest pulse stand for. */
const PULSE_MINIMUM = 0;
const PULSE_MAXIMUM = 180;
/** After a move, until the servo gets no pulses any more and rests, where no other time is given. */
const DEFAULT_IDLE_MS = 1000;

export interface PinServoOptions extends SteppedServoOptions {
	pin: number;
	/** The pulse for 0 degrees in microseconds; 500 where it is not given. */
	minimumPulse?: number;
	/** The pulse for 180 degrees in microseconds; 2500 where it is not given. */
	maximumPulse?: number;
	/** Added to every angle, in degrees; 0 where it is not given. */
	trim?: number;
	/** How long after a move the pulses end, in milliseconds; 1000 where it is not given, 0: only by `detach`. */
	idleMs?: number;
}

/**
 * A servo that takes hold of its pin with the first move and lets it go when it has been idle. A servo knows its place
 * only from the pulses, so the first move is as fast as the servo can.
 */
export class PinServo extends SteppedServo {
	readonly #pulses: { pin: number; min: number; max: number };
	readonly #idleMs: number;
	#trim: number;
	#output: PulseServo | undefined;
	#idle: ReturnType<typeof Timer.set> | undefined;

	/** @throws RangeError for an empty range of angles or pulses, or one that the servo has not */
	constructor(options: PinServoOptions) {
		super(options);
		const { pin, minimumPulse = 500, maximumPulse = 2500, trim = 0, idleMs = DEFAULT_IDLE_MS } = options;
		if (!(minimumPulse > 0 && minimumPulse < maximumPulse))
			throw new RangeError(`a servo's shortest pulse must be below its longest, got ${minimumPulse} and ${maximumPulse}`);
		if (this.minimum < PULSE_MINIMUM || this.maximum > PULSE_MAXIMUM)
			throw new RangeError(`a servo turns from ${PULSE_MINIMUM} to ${PULSE_MAXIMUM} degrees, not from ${this.minimum} to ${this.maximum}`);
		this.#pulses = { pin, min: minimumPulse, max: maximumPulse };
		this.#trim = trim;
		this.#idleMs = idleMs;
	}

	/** Does it get pulses? */
	get attached(): boolean {
		return this.#output !== undefined;
	}

	get trim(): number {
		return this.#trim;
	}

	/** Takes effect with the next move, or at once where the servo gets pulses. */
	set trim(degrees: number) {
		this.#trim = degrees;
		if (this.#output) this.write(this.position);
	}

	/** Ends the pulses: the servo holds nothing, and is quiet. The next move brings them back. */
	detach(): void {
		this.#endIdle();
		// The SDK's typing leaves out `close`.
		(this.#output as { close?(): void } | undefined)?.close?.();
		this.#output = undefined;
	}

	/** @throws what the driver throws when no LEDC channel is left */
	protected override write(angle: number): void {
		this.#output ??= new PulseServo(this.#pulses);
		this.#output.write(clamp(angle + this.#trim, PULSE_MINIMUM, PULSE_MAXIMUM));
		if (this.#idleMs <= 0) return;
		if (this.#idle !== undefined) Timer.schedule(this.#idle, this.#idleMs);
		else
			this.#idle = Timer.set(() => {
				this.#idle = undefined;
				this.detach();
			}, this.#idleMs);
	}

	protected override release(): void {
		this.detach();
	}

	#endIdle(): void {
		if (this.#idle !== undefined) Timer.clear(this.#idle);
		this.#idle = undefined;
	}
}
