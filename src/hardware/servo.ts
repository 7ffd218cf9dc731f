// Positional servos.

/** A positional servo. */
export interface Servo {
	/** The smallest angle in degrees. */
	readonly minimum: number;
	/** The largest angle in degrees. */
	readonly maximum: number;
	/** The angle in degrees that the servo is at or moves to. */
	readonly angle: number;
	/**
	 * Moves to `angle`, clamped to the range; a later call replaces an unfinished move.
	 * @param angle in degrees
	 * @param speed in degrees per second; 0 or absent: at once
	 */
	setAngle(angle: number, speed?: number): void;
	close(): void;
}

/** A servo that reports its position. */
export interface FeedbackServo extends Servo {
	/** Is it on its way to `angle`? */
	readonly moving: boolean;
	/**
	 * Asks the servo for its current angle, in degrees.
	 * @throws Error when it does not answer
	 */
	readAngle(): number;
	/** Ends a move at once; the servo stays where it is. */
	stop(): void;
}
