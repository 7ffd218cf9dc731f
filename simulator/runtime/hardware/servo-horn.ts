// The horn of a simulated servo: shows its position, and whether it is moving, that is, whether new positions keep coming.

import { show } from "simulator/panel";
import Timer from "timer";

/** Positions that come closer than this after each other are one movement. */
const REST_MS = 100;
// Made when it is needed, because a module that lives in flash cannot change what it made there.
let horns: Map<string, ServoHorn> | undefined;

/**
 * The horn at a place; a driver that lets go of its servo and takes it again finds it where it was.
 * @param facts tell the place and are shown as well, such as `{pin: 5}`
 */
export function hornAt(facts: object): ServoHorn {
	horns ??= new Map();
	const place = JSON.stringify(facts);
	const horn = horns.get(place) ?? new ServoHorn(`servo${horns.size}`, facts);
	horns.set(place, horn);
	return horn;
}

/** Shows `{pin, position, moving}`, the position in degrees, as part `servo0` and on, in the order in which they were made. */
export class ServoHorn {
	readonly #part: string;
	readonly #facts: object;
	#position: number | undefined;
	#timer: ReturnType<typeof Timer.set> | undefined;

	constructor(part: string, facts: object) {
		this.#part = part;
		this.#facts = facts;
	}

	/** @param position in degrees */
	turn(position: number): void {
		if (position === this.#position) return;
		const first = this.#position === undefined;
		this.#position = position;
		if (this.#timer !== undefined) Timer.clear(this.#timer);
		this.#timer = undefined;
		if (!first) this.#timer = Timer.set(() => this.rest(), REST_MS);
		this.#show();
	}

	/** Ends a movement where the horn is. */
	rest(): void {
		if (this.#timer === undefined) return;
		Timer.clear(this.#timer);
		this.#timer = undefined;
		this.#show();
	}

	#show(): void {
		show(this.#part, { ...this.#facts, position: Math.round((this.#position ?? 0) * 10) / 10, moving: this.#timer !== undefined });
	}
}
