// A stand-in for Moddable's `pins/servo` that records the pulses and refuses what the real one refuses.

/** As many as an ESP32-S3 has LEDC channels. */
const CHANNELS = 8;

/** Every fake that was made, newest last. */
export const servos: FakeServo[] = [];

/** What the servo on a pin got last: degrees, or undefined while it gets no pulses. */
export function pulses(pin: number): number | undefined {
	const servo = servos.findLast((made) => made.options.pin === pin);
	return servo && !servo.closed ? servo.degrees : undefined;
}

/** Every angle that the servo on a pin ever got, through all its lives. */
export function trail(pin: number): number[] {
	return servos.filter((made) => made.options.pin === pin).flatMap(({ history }) => history);
}

export class FakeServo {
	readonly options: { pin: number; min?: number; max?: number };
	degrees: number | undefined;
	readonly history: number[] = [];
	closed = false;
	/** Set to refuse the next servo, as the driver does when its channels are gone. */
	static refuse = false;

	constructor(options: { pin: number; min?: number; max?: number }) {
		const living = servos.filter((made) => !made.closed);
		if (FakeServo.refuse || living.length >= CHANNELS) throw new RangeError("all servo channels are already taken");
		if (living.some((made) => made.options.pin === options.pin)) throw new Error(`pin ${options.pin} has a servo already`);
		this.options = options;
		servos.push(this);
	}
	write(degrees: number): void {
		if (this.closed) throw new Error("closed");
		if (!(degrees >= 0 && degrees <= 180)) throw new Error(`${degrees} degrees would be sent to the pin unclamped`);
		this.degrees = degrees;
		this.history.push(degrees);
	}
	writeMicroseconds(microseconds: number): void {
		if (this.closed) throw new Error("closed");
		if (microseconds !== 0) throw new Error("only 0 is used");
		this.degrees = undefined;
	}
	close(): void {
		this.closed = true;
	}
}
