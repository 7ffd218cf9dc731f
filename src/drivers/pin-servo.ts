// A hobby servo on a pin (LEDC, 50 Hz; ESP-IDF Programming Guide, "LED Control").
//
// All servos share LEDC timer 0. On chips without high-speed LEDC (ESP32-S3, ESP32-C3) `embedded:io/pwm` can take the same
// timer and would change their frequency: a board uses one or the other.

import { Timeout } from "../base/timers.js";
import type { ServoConstructor, ServoPulses } from "../sdk/servo.js";
import { clamp } from "./clamp.js";
import { SteppedServo, type SteppedServoOptions } from "./stepped-servo.js";

/** The angles that the shortest and the longest pulse stand for. */
const PULSE_MINIMUM = 0;
const PULSE_MAXIMUM = 180;
/** The default time from a move to the end of the pulses, after which the servo rests. */
const DEFAULT_IDLE_MS = 1000;

export interface PinServoOptions extends SteppedServoOptions {
	/** Moddable's servo, `sdk/servo`. */
	io: ServoConstructor;
	pin: number;
	/** The pulse for 0 degrees in microseconds; 500 by default. */
	minimumPulse?: number;
	/** The pulse for 180 degrees in microseconds; 2500 by default. */
	maximumPulse?: number;
	/** Added to every angle, in degrees; 0 by default. */
	trim?: number;
	/** How long after a move the pulses end, in milliseconds; 1000 by default, 0: only by `detach`. */
	idleMs?: number;
}

/**
 * A servo that takes its pin with the first move and releases it when it has been idle. A servo learns its position only from
 * the pulses, so the first move is as fast as the servo can turn.
 */
export class PinServo extends SteppedServo {
	readonly #io: ServoConstructor;
	readonly #pulses: { pin: number; min: number; max: number };
	readonly #idleMs: number;
	readonly #idle: Timeout;
	#trim: number;
	#output: ServoPulses | undefined;

	/** @throws RangeError for an empty range of angles or pulses, or one that the servo does not have */
	constructor(options: PinServoOptions) {
		super(options);
		const { io, timers, pin, minimumPulse = 500, maximumPulse = 2500, trim = 0, idleMs = DEFAULT_IDLE_MS } = options;
		if (!(minimumPulse > 0 && minimumPulse < maximumPulse))
			throw new RangeError(`a servo's shortest pulse must be below its longest, got ${minimumPulse} and ${maximumPulse}`);
		if (this.minimum < PULSE_MINIMUM || this.maximum > PULSE_MAXIMUM)
			throw new RangeError(`a servo turns from ${PULSE_MINIMUM} to ${PULSE_MAXIMUM} degrees, not from ${this.minimum} to ${this.maximum}`);
		this.#io = io;
		this.#pulses = { pin, min: minimumPulse, max: maximumPulse };
		this.#trim = trim;
		this.#idleMs = idleMs;
		this.#idle = new Timeout(timers);
	}

	/** Does it get pulses? */
	get attached(): boolean {
		return this.#output !== undefined;
	}

	get trim(): number {
		return this.#trim;
	}

	/** Takes effect with the next move, or at once while the servo gets pulses. */
	set trim(degrees: number) {
		this.#trim = degrees;
		if (this.#output) this.write(this.position);
	}

	/** Takes the pin, and sends no pulses until the next move. @throws as a move does */
	skip(): void {
		this.#output ??= new this.#io(this.#pulses);
		this.#output.writeMicroseconds(0);
	}

	/** Ends the pulses: the servo holds nothing, and is quiet. The next move brings them back. */
	detach(): void {
		this.#idle.clear();
		this.#output?.close();
		this.#output = undefined;
	}

	/** @throws what the IO throws when no LEDC channel is left */
	protected override write(angle: number): void {
		this.#output ??= new this.#io(this.#pulses);
		this.#output.write(clamp(angle + this.#trim, PULSE_MINIMUM, PULSE_MAXIMUM));
		if (this.#idleMs > 0) this.#idle.set(this.#idleMs, () => this.detach());
	}

	protected override release(): void {
		this.detach();
	}
}
