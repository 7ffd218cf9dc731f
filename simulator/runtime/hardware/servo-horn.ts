// The horn of a simulated servo: shows where it was sent and where it is, and whether it is moving, that is, on its way or sent on.

import { describe, show } from "simulator/panel";
import Time from "time";
import Timer from "timer";

/** Positions that come closer than this after each other are one movement. */
const REST_MS = 100;
/** How often a horn on its way is shown where nothing new comes. */
const STEP_MS = 40;
/** In degrees per millisecond: a small servo takes 0.12 s for 60 degrees. */
const SPEED = 0.5;
// Made when it is needed, because a module that lives in flash cannot change what it made there.
let horns: Map<string, ServoHorn> | undefined;

/** Where a servo is: at a pin, or on a bus. */
export interface HornFacts {
	pin?: number;
	id?: number;
}

/**
 * The horn at a place; a driver that lets go of its servo and takes it again finds it where it was.
 * @param facts tell the place
 */
export function hornAt(facts: HornFacts): ServoHorn {
	horns ??= new Map();
	const place = "pin" in facts ? `pin ${facts.pin}` : `id ${facts.id}`;
	const horn = horns.get(place) ?? new ServoHorn(`servo${horns.size}`, facts, place);
	horns.set(place, horn);
	return horn;
}

/** Shows `{angle, position, moving}`, in degrees, as part `servo0` and on, in the order in which they were made. */
export class ServoHorn {
	readonly #part: string;
	/** From the servo's degrees to those that the board speaks of. */
	readonly #zero: number;
	readonly #scale: number;
	#angle: number | undefined;
	#position = 0;
	/** When the position was true. */
	#at = 0;
	/** When the last angle came. */
	#sent = 0;
	#timer: ReturnType<typeof Timer.set> | undefined;

	constructor(part: string, facts: HornFacts, place: string) {
		this.#part = part;
		const { zero = 0, scale = 1 } = describe(part, facts, place) as { zero?: number; scale?: number };
		this.#zero = zero;
		this.#scale = scale;
	}

	/** @param angle in degrees */
	turn(angle: number): void {
		if (angle === this.#angle) return;
		const now = Time.ticks;
		const first = this.#angle === undefined;
		if (first) this.#position = angle;
		else this.#follow(now);
		this.#angle = angle;
		this.#at = now;
		this.#sent = now;
		if (!first) this.#wait();
		this.#show();
	}

	/** Ends a movement: without pulses the horn stays where it is. */
	rest(): void {
		if (this.#timer === undefined) return;
		this.#follow(Time.ticks);
		Timer.clear(this.#timer);
		this.#timer = undefined;
		this.#show();
	}

	/** The motor turns as fast as it can to where it was sent. */
	#follow(now: number): void {
		const way = (this.#angle ?? this.#position) - this.#position;
		const reach = Time.delta(this.#at, now) * SPEED;
		this.#position += Math.abs(way) <= reach ? way : Math.sign(way) * reach;
		this.#at = now;
	}

	#wait(): void {
		if (this.#timer !== undefined) Timer.clear(this.#timer);
		this.#timer = Timer.set(() => {
			const now = Time.ticks;
			this.#follow(now);
			if (this.#position !== this.#angle || Time.delta(this.#sent, now) < REST_MS) this.#wait();
			else this.#timer = undefined;
			this.#show();
		}, STEP_MS);
	}

	#show(): void {
		const shown = (degrees: number) => Math.round((degrees - this.#zero) * this.#scale * 10) / 10;
		show(this.#part, { angle: shown(this.#angle ?? 0), position: shown(this.#position), moving: this.#timer !== undefined });
	}
}
