// A body of servos that move together: what a motion looks like as data, and the interface that performs it.

/**
 * A number that follows the request: `constant + perAmount × amount + perSwing × swing`. A plain number is a constant.
 */
export type Figure = number | readonly [constant: number, perAmount: number, perSwing?: number];

/** A time in milliseconds: `constant + share × period`. A plain number is a constant. */
export type Duration = number | readonly [constant: number, share: number];

/** Joints go to angles, all in the same time; the others stay. */
export interface Pose {
	/** Pairs of a joint's index and an angle in degrees. */
	readonly angles: readonly (readonly [joint: number, angle: Figure])[];
	/** How long the way takes; longer where a joint would turn too fast. */
	readonly time: Duration;
	/** How long the pose is held after that; not at all where it is not given. */
	readonly hold?: Duration;
}

/** Joints swing as sines around a center; the others stay. */
export interface Wave {
	/** A joint's index, its center and amplitude in degrees, and how far it is ahead of the others in degrees of the wave. */
	readonly swings: readonly (readonly [joint: number, center: Figure, amplitude: Figure, phase?: number])[];
	/** How many periods; 1 where it is not given. */
	readonly cycles?: number;
	/** How many waves in one period; 1 where it is not given. */
	readonly rate?: number;
	/** The period in milliseconds; the request's where it is not given. */
	readonly period?: number;
}

/** One stretch of a motion. */
export type Phase = Pose | Wave;

/** A motion as data, fit to live in flash: `before`, then `cycle` as often as there are steps, then `after`. */
export interface Motion {
	readonly before?: readonly Phase[];
	readonly cycle?: readonly Phase[];
	/** Between two cycles. */
	readonly between?: readonly Phase[];
	readonly after?: readonly Phase[];
	/**
	 * What the request's direction −1 does: `reverse` runs waves backward in time, `mirror` swaps left and right. With
	 * `side`, 1 moves the left side only, −1 the right side only, and 0 both. Elsewhere 0 counts as 1.
	 */
	readonly direction?: "reverse" | "mirror" | "side";
	/** The least and the most that the request's amount may be; what is outside is brought inside. */
	readonly amount?: readonly [minimum: number, maximum: number];
	/** The shortest and the longest period in milliseconds; what is outside is brought inside. */
	readonly period?: readonly [minimum: number, maximum: number];
	/** Does the body stay as it is afterwards? Otherwise it goes back to its rest. */
	readonly stays?: boolean;
}

/** How a motion is asked for. */
export interface MotionRequest {
	readonly motion: Motion;
	/** How often the cycle is repeated; once where it is not given. */
	readonly steps?: number;
	/** One cycle in milliseconds; 1000 where it is not given. */
	readonly period?: number;
	/** −1, 0 or 1; see `Motion.direction`. 1 where it is not given. */
	readonly direction?: number;
	/** For the figures of the motion; 0 where it is not given. */
	readonly amount?: number;
	/** For the figures of the motion; 0 where it is not given. */
	readonly swing?: number;
}

/** Servos that make up a body. Nothing here waits for the end of a motion. */
export interface Body {
	/** The joints' names; a joint's index is its place here. */
	readonly joints: readonly string[];
	/** Does anything move, or wait to move? */
	readonly moving: boolean;
	/**
	 * Performs motions one after the other: at once where the body is at rest or only single joints move, otherwise after
	 * what has been asked for already.
	 * @returns false, and nothing is performed, where too many would wait
	 */
	perform(...requests: MotionRequest[]): boolean;
	/**
	 * Turns one joint. It ends whatever the body performs; joints that were turned like this go on.
	 * @param angle in degrees, clamped to the joint's range
	 * @param time in milliseconds; longer where the joint would turn too fast
	 */
	turn(joint: number, angle: number, time: number): void;
	/** Ends whatever the body performs and goes to the rest position. */
	goHome(): void;
	/** Ends whatever the body performs; every joint stays where it is. */
	stop(): void;
	/** Where a joint stands now, in degrees without trim. */
	angle(joint: number): number;
	/** A joint's correction in degrees. */
	trim(joint: number): number;
	/** Corrects a joint, keeps that across restarts, and goes to the rest position, where it can be seen. */
	setTrim(joint: number, degrees: number): void;
	close(): void;
}
