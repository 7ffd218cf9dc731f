// Moddable's hobby servo: pulses at 50 Hz on a pin.

import PinsServo from "pins/servo";

export interface ServoPulses {
	/** In degrees; not clamped. */
	write(degrees: number): void;
	/** 0 is no pulse; the pin stays taken. */
	writeMicroseconds(microseconds: number): void;
	/** Ends the pulses. */
	close(): void;
}

/** `min` and `max` are the pulses for 0 and 180 degrees in microseconds. Throws when no channel is left. */
export type ServoConstructor = new (options: { pin: number; min?: number; max?: number }) => ServoPulses;

// The SDK's typing leaves out `close`.
const Servo = PinsServo as unknown as ServoConstructor;
export default Servo;
