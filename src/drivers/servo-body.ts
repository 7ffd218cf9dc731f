// Moves the servos of a body together: motions from tables, one after the other, on one timer and never faster than allowed.

import { Timeout } from "../base/timers.js";
import type { Body, Duration, Figure, Motion, MotionRequest, Phase, Pose, Wave } from "../hardware/body.js";
import type { Servo } from "../hardware/servo.js";
import type { PreferenceStore } from "../settings/preference-store.js";
import { clamp, clampInteger } from "./clamp.js";
import { type DriverTimers, Interval } from "./interval.js";

/** A servo that can be trimmed and detached. */
export interface JointServo extends Servo {
	/** Added to every angle, in degrees. */
	trim: number;
	/** Takes the output, and sends no pulses until the next move. */
	skip(): void;
	/** Ends the pulses until the next move. */
	detach(): void;
}

export interface Joint {
	/** At most 15 characters: the trim is kept under it. */
	readonly name: string;
	readonly servo: JointServo;
	/** The rest position in degrees. */
	readonly home: number;
	/** 1: on the left side, −1: on the right, 0 or absent: neither. */
	readonly side?: number;
	/** The index of its counterpart on the other side, which is mounted the other way round; itself if there is none. */
	readonly mirror?: number;
}

export interface ServoBodyOptions {
	readonly joints: readonly Joint[];
	readonly timers: DriverTimers;
	/** Where the trims are kept, under the joints' names. */
	readonly trims: PreferenceStore;
	/** The largest trim to either side in degrees. */
	readonly trimLimit: number;
	/** In degrees per second; 500 by default: what a small servo can do. */
	readonly maximumSpeed?: number;
	/** After a start, from one joint's rise to the next one's, in milliseconds: the supply recovers. */
	readonly startPauseMs: number;
}

/** Between two positions: a servo's pulses come at 50 Hz. */
export const FRAME_MS = 20;
/** How long a joint rises: more and more of its pulses are sent, since where it stands is not known and it turns as fast as it can. */
export const RISE_MS = 400;
/** How many motions may wait behind the one that is performed. */
export const MAX_WAITING = 10;
/** The longest that one phase of a motion may take. */
const MAX_PHASE_MS = 600_000;
const HOME_MS = 500;
const DEFAULT_PERIOD_MS = 1000;
/** From the end of all motion until the servos are detached. */
const IDLE_MS = 1000;
/** The steepest point of the curve that a joint follows, against a straight line. */
const STEEPEST = Math.PI / 2;

/** The phase in which every joint goes to its rest, whatever the motion's direction. */
const HOME = "home";

/** A joint's way to an angle. */
interface Glide {
	readonly from: number;
	readonly to: number;
	/** In milliseconds. */
	readonly time: number;
	elapsed: number;
}

/** A request with everything filled in. */
interface Task {
	readonly period: number;
	readonly direction: number;
	readonly amount: number;
	readonly swing: number;
	readonly motion: Motion;
	readonly steps: number;
	/** Where in the motion it is: the part, the phase in that part, and the cycle. */
	part: "before" | "cycle" | "between" | "after" | "end";
	index: number;
	step: number;
}

/** A swing of a wave with its figures computed. */
interface Swing {
	readonly joint: number;
	readonly center: number;
	readonly amplitude: number;
	/** In radians. */
	readonly phase: number;
}

/** The wave that goes on. */
interface RunningWave {
	readonly swings: readonly Swing[];
	/** Radians per millisecond; below 0 when it runs backward in time. */
	readonly pace: number;
}

/** The servos of a body. They get no pulses before the first motion and a second after the last one. */
export class ServoBody implements Body {
	readonly joints: readonly string[];
	readonly #joints: readonly Joint[];
	readonly #trims: PreferenceStore;
	readonly #trimLimit: number;
	readonly #maximumSpeed: number;
	readonly #startPauseMs: number;
	/** Every joint's index and rest position. */
	readonly #home: readonly (readonly [joint: number, angle: number])[];
	readonly #positions: number[];
	readonly #glides: (Glide | undefined)[];
	readonly #waiting: MotionRequest[] = [];
	readonly #frames: Interval;
	readonly #idle: Timeout;
	/** How many joints have risen since the start, and for how long the next one does. */
	#risen = 0;
	#risingMs = 0;
	/** Of a pulse that is due. */
	#due = 0;
	#off: string | undefined;
	#task: Task | undefined;
	#wave: RunningWave | undefined;
	/** Of the task's present phase, in milliseconds. */
	#elapsed = 0;
	#duration = 0;
	#closed = false;

	/** Reads the trims; what is kept there and is not a trim counts as 0. Nothing moves yet. */
	constructor(options: ServoBodyOptions) {
		const { joints, timers, trims, trimLimit, maximumSpeed = 500, startPauseMs } = options;
		this.#frames = new Interval(timers);
		this.#idle = new Timeout(timers);
		this.joints = Object.freeze(joints.map(({ name }) => name));
		this.#joints = joints;
		this.#trims = trims;
		this.#trimLimit = trimLimit;
		this.#maximumSpeed = maximumSpeed;
		this.#startPauseMs = startPauseMs;
		this.#home = joints.map(({ home }, index) => [index, home] as const);
		this.#positions = joints.map(({ servo, home }) => clamp(home, servo.minimum, servo.maximum));
		this.#glides = joints.map(() => undefined);
		for (const { name, servo } of joints) servo.trim = trims.integer(name, -trimLimit, trimLimit, 0);
	}

	get moving(): boolean {
		return this.#frames.running;
	}

	get off(): string | undefined {
		return this.#off;
	}

	start(off?: string): void {
		this.#off = off;
		if (off === undefined) this.goHome();
	}

	/** @throws Error when the servos are off, and what they throw when their outputs are not available; then nothing moves */
	perform(...requests: MotionRequest[]): boolean {
		if (this.#closed) return true;
		const free = MAX_WAITING - this.#waiting.length + (this.#task ? 0 : 1);
		if (requests.length > free) return false;
		this.#wake();
		this.#waiting.push(...requests);
		if (!this.#task && this.#hasRisen) this.#nextPhase();
		return true;
	}

	turn(joint: number, angle: number, time: number): void {
		if (this.#closed || !this.#joints[joint]) return;
		if (this.#task) this.#glides.fill(undefined);
		this.#endTask();
		this.#wake();
		this.#glide([[joint, angle]], time);
	}

	goHome(): void {
		if (this.#closed) return;
		this.stop();
		this.#wake();
		this.#glide(this.#home, HOME_MS);
	}

	stop(): void {
		this.#endTask();
		this.#glides.fill(undefined);
		if (this.#frames.running) this.#rest();
	}

	angle(joint: number): number {
		return this.#positions[joint] ?? Number.NaN;
	}

	trim(joint: number): number {
		return this.#joints[joint]?.servo.trim ?? Number.NaN;
	}

	setTrim(joint: number, degrees: number): void {
		const part = this.#joints[joint];
		if (this.#closed || !part) return;
		const trim = clampInteger(degrees, -this.#trimLimit, this.#trimLimit);
		this.#trims.set(part.name, trim);
		part.servo.trim = trim;
		if (this.#off === undefined) this.goHome();
	}

	close(): void {
		if (this.#closed) return;
		this.stop();
		this.#closed = true;
		this.#idle.clear();
		for (const { servo } of this.#joints) servo.close();
	}

	get #hasRisen(): boolean {
		return this.#risen === this.#joints.length;
	}

	/** Gives every servo that has risen pulses for the place where it stands, and starts the frames. */
	#wake(): void {
		if (this.#off !== undefined) throw new Error(`the servos are off: ${this.#off}`);
		if (this.#frames.running) return;
		this.#idle.clear();
		try {
			this.#joints.forEach(({ servo }, index) => {
				if (index < this.#risen) servo.setAngle(this.#positions[index] as number);
				else servo.skip();
			});
		} catch (error) {
			for (const { servo } of this.#joints) servo.detach();
			throw error;
		}
		this.#risingMs = 0;
		this.#due = 0;
		this.#frames.start(FRAME_MS, () => this.#frame());
	}

	/** One frame of a joint's rise. */
	#rise(): void {
		this.#risingMs += FRAME_MS;
		const { servo } = this.#joints[this.#risen] as Joint;
		if (this.#risingMs <= RISE_MS) {
			this.#due += this.#risingMs / RISE_MS;
			if (this.#due < 1) return servo.skip();
			this.#due--;
			servo.setAngle(this.#positions[this.#risen] as number);
		} else if (this.#risingMs > RISE_MS + this.#startPauseMs) {
			this.#risen++;
			this.#risingMs = 0;
			this.#due = 0;
			if (this.#hasRisen && !this.#task) this.#nextPhase();
		}
	}

	/** Everything has come to rest. */
	#rest(): void {
		this.#frames.stop();
		this.#idle.set(IDLE_MS, () => {
			for (const { servo } of this.#joints) servo.detach();
		});
	}

	#endTask(): void {
		this.#waiting.length = 0;
		this.#task = undefined;
		this.#wave = undefined;
	}

	#frame(): void {
		if (!this.#hasRisen) return this.#rise();
		if (this.#task) {
			this.#elapsed += FRAME_MS;
			if (this.#elapsed > this.#duration) {
				// What goes beyond belongs to the next phase, so that waves join without a jump.
				this.#elapsed -= this.#duration;
				this.#nextPhase();
			}
		}
		const furthest = (this.#maximumSpeed * FRAME_MS) / 1000;
		this.#glides.forEach((glide, joint) => {
			if (!glide) return;
			glide.elapsed += FRAME_MS;
			const done = glide.elapsed >= glide.time;
			if (done) this.#glides[joint] = undefined;
			const share = done ? 1 : (1 - Math.cos((Math.PI * glide.elapsed) / glide.time)) / 2;
			this.#move(joint, glide.from + (glide.to - glide.from) * share);
		});
		if (this.#wave)
			for (const { joint, center, amplitude, phase } of this.#wave.swings) {
				const angle = this.#withinRange(joint, center + amplitude * Math.sin(this.#wave.pace * this.#elapsed + phase));
				const position = this.#positions[joint] as number;
				this.#move(joint, clamp(angle, position - furthest, position + furthest));
			}
		if (!this.#task && this.#glides.every((glide) => glide === undefined)) this.#rest();
	}

	#move(joint: number, angle: number): void {
		if (angle === this.#positions[joint]) return;
		this.#positions[joint] = angle;
		(this.#joints[joint] as Joint).servo.setAngle(angle);
	}

	/** Starts what comes next of the present task, or the next task, or leaves the body to its last glides. */
	#nextPhase(): void {
		this.#wave = undefined;
		for (;;) {
			let task = this.#task;
			if (!task) {
				const request = this.#waiting.shift();
				if (!request) return;
				task = this.#task = prepare(request);
				this.#elapsed = 0;
			}
			const phase = nextOf(task);
			if (phase === undefined) {
				this.#task = undefined;
				continue;
			}
			if (phase === HOME) this.#duration = this.#glide(this.#home, HOME_MS);
			else if ("angles" in phase) this.#startPose(phase, task);
			else this.#startWave(phase, task);
			return;
		}
	}

	#startPose(pose: Pose, task: Task): void {
		const angles: [number, number][] = [];
		for (const [index, figure] of pose.angles) {
			const joint = this.#actual(index, task);
			if (joint === undefined) continue;
			const angle = figureOf(figure, task);
			angles.push([joint, joint === index ? angle : 180 - angle]);
		}
		this.#duration = this.#glide(angles, durationOf(pose.time, task)) + durationOf(pose.hold ?? 0, task);
	}

	#startWave(wave: Wave, task: Task): void {
		const { cycles = 1, rate = 1, period = task.period } = wave;
		const swings: Swing[] = [];
		for (const [index, center, amplitude, phase = 0] of wave.swings) {
			const joint = this.#actual(index, task);
			if (joint === undefined) continue;
			this.#glides[joint] = undefined;
			const swapped = joint !== index;
			const middle = figureOf(center, task);
			swings.push({
				joint,
				center: swapped ? 180 - middle : middle,
				amplitude: figureOf(amplitude, task) * (swapped ? -1 : 1),
				phase: (phase * Math.PI) / 180,
			});
		}
		const reversed = task.motion.direction === "reverse" && task.direction < 0;
		this.#wave = { swings, pace: ((reversed ? -2 : 2) * Math.PI * rate) / period };
		this.#duration = Math.max(FRAME_MS, cycles * period);
	}

	/** The joint that a table's joint stands for in this direction; undefined where it does not take part. */
	#actual(index: number, { motion, direction }: Task): number | undefined {
		const { side = 0, mirror = index } = this.#joints[index] as Joint;
		if (motion.direction === "mirror" && direction < 0) return mirror;
		if (motion.direction === "side" && side * direction < 0) return undefined;
		return index;
	}

	/** Sends joints on their way, all for the same time. Gives that time, which is longer than asked for where one would be too fast. */
	#glide(angles: readonly (readonly [joint: number, angle: number])[], time: number): number {
		let longest = clamp(time, FRAME_MS, MAX_PHASE_MS);
		for (const [joint, angle] of angles) {
			const way = Math.abs(this.#withinRange(joint, angle) - (this.#positions[joint] as number));
			longest = Math.max(longest, (way * STEEPEST * 1000) / this.#maximumSpeed);
		}
		for (const [joint, angle] of angles)
			this.#glides[joint] = { from: this.#positions[joint] as number, to: this.#withinRange(joint, angle), time: longest, elapsed: 0 };
		return longest;
	}

	#withinRange(joint: number, angle: number): number {
		const { servo } = this.#joints[joint] as Joint;
		return clamp(angle, servo.minimum, servo.maximum);
	}
}

function prepare(request: MotionRequest): Task {
	const { motion, steps = 1, period = DEFAULT_PERIOD_MS, direction = 1, amount = 0, swing = 0 } = request;
	return {
		motion,
		period: clamp(motion.period ? clamp(period, ...motion.period) : period, FRAME_MS, MAX_PHASE_MS),
		// Without a direction there is no side to leave out.
		direction: direction === 0 && motion.direction !== "side" ? 1 : direction,
		amount: motion.amount ? clamp(amount, ...motion.amount) : amount,
		swing,
		steps,
		part: "before",
		index: 0,
		step: 0,
	};
}

/** What comes next of a task's motion; undefined when it is over. */
function nextOf(task: Task): Phase | typeof HOME | undefined {
	const { motion, steps } = task;
	while (task.part !== "end") {
		const phase = motion[task.part]?.[task.index++];
		if (phase) return phase;
		task.index = 0;
		if (task.part === "before" || task.part === "between") task.part = "cycle";
		else if (task.part === "cycle") task.part = ++task.step < steps ? "between" : "after";
		else {
			task.part = "end";
			if (!motion.stays) return HOME;
		}
	}
}

function figureOf(figure: Figure, { amount, swing }: Task): number {
	if (typeof figure === "number") return figure;
	const [constant, perAmount, perSwing = 0] = figure;
	return constant + perAmount * amount + perSwing * swing;
}

function durationOf(duration: Duration, { period }: Task): number {
	return typeof duration === "number" ? duration : duration[0] + duration[1] * period;
}
