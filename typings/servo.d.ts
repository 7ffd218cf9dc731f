// Moddable's servo driver (modules/pins/servo), as far as this project uses it.

declare module "pins/servo" {
	export default class Servo {
		/** `min` and `max` are the pulses for 0 and 180 degrees in microseconds. No pulses are sent before the first `write`. */
		constructor(options: { pin: number; min?: number; max?: number; channel?: number });
		/** In degrees; it is not clamped. Throws when the servo is closed. */
		write(degrees: number): void;
		writeMicroseconds(microseconds: number): void;
		/** Ends the pulses. */
		close(): void;
	}
}
