// A body of servos that move together: motions as data, and the interface that performs them.

/**
 * A number that depends on the request: `constant + perAmount × amount + perSwing × swing`. A plain number is a constant.
 */
export type Figure = number | readonly [constant: number, perAmount: number, perSwing?: number];

/** A time in milliseconds: `constant + share × period`. A plain number is a constant. */
export type Duration = number | readonly [constant: number, share: number];

/** Joints go to angles, all in the same time; the others stay. */
export interface Pose {
	/** Pairs of a joint's index and an angle in degrees. */
	readonly angles: readonly (readonly [joint: number, angle: Figure])[];
	/** How long it takes; longer if a joint would turn too fast. */
	readonly time: Duration;
	/** How long the pose is held after that; not at all by default. */
	readonly hold?: Duration;
}

/** Joints swing as sines around a center; the others stay. */
export interface Wave {
	/** A joint's index, its center and amplitude in degrees, and its phase in degrees. */
	readonly swings: readonly (readonly [joint: number, center: Figure, amplitude: Figure, phase?: number])[];
	/** How many periods; 1 by default. */
	readonly cycles?: number;
	/** How many waves in one period; 1 by default. */
	readonly rate?: number;
	/** The period in milliseconds; the request's by default. */
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
	/** The least and the most that the request's amount may be; values outside are clamped. */
	readonly amount?: readonly [minimum: number, maximum: number];
	/** The shortest and the longest period in milliseconds; values outside are clamped. */
	readonly period?: readonly [minimum: number, maximum: number];
	/** Does the body stay as it is afterwards? Otherwise it goes back to its rest position. */
	readonly stays?: boolean;
}

/** A request to perform a motion. */
export interface MotionRequest {
	readonly motion: Motion;
	/** How often the cycle is repeated; once by default. */
	readonly steps?: number;
	/** One cycle in milliseconds; 1000 by default. */
	readonly period?: number;
	/** −1, 0 or 1; see `Motion.direction`. 1 by default. */
	readonly direction?: number;
	/** For the figures of the motion; 0 by default. */
	readonly amount?: number;
	/** For the figures of the motion; 0 by default. */
	readonly swing?: number;
}

/** Servos that make up a body. Nothing here waits for the end of a motion. */
export interface Body {
	/** The joints' names; a joint's index is its place here. */
	readonly joints: readonly string[];
	/** Does anything move, or wait to move? */
	readonly moving: boolean;
	/** Why the servos get no pulses, whatever is asked for; undefined while they do. */
	readonly off: string | undefined;
	/**
	 * Brings the joints to their rest positions after a start, one after the other.
	 * @param off why the servos must stay without pulses instead; from then on every motion throws
	 */
	start(off?: string): void;
	/**
	 * Performs motions one after the other: at once where the body is at rest or only single joints move, otherwise after
	 * what was requested before.
	 * @returns false, and nothing is performed, when too many would wait
	 */
	perform(...requests: MotionRequest[]): boolean;
	/**
	 * Turns one joint. This ends whatever the body performs; joints turned in this way continue.
	 * @param angle in degrees, clamped to the joint's range
	 * @param time in milliseconds; longer if the joint would turn too fast
	 */
	turn(joint: number, angle: number, time: number): void;
	/** Ends whatever the body performs and goes to the rest position. */
	goHome(): void;
	/** Ends whatever the body performs; every joint stays where it is. */
	stop(): void;
	/** A joint's current angle in degrees, without trim. */
	angle(joint: number): number;
	/** A joint's correction in degrees. */
	trim(joint: number): number;
	/** Sets a joint's correction, keeps it across restarts, and goes to the rest position, where its effect shows. */
	setTrim(joint: number, degrees: number): void;
	close(): void;
}
