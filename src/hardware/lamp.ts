// A lamp that is on or off.

/** A lamp that is on or off. */
export interface Lamp {
	readonly on: boolean;
	setPower(on: boolean): void;
	close(): void;
}
