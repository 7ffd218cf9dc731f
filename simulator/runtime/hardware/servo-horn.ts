// The horn of a simulated servo: shows where it is, and whether it moves, which it does while new positions keep coming.

import { show } from "simulator/panel";
import Timer from "timer";

/** Positions that come closer than this after each other are one movement. */
const REST_MS = 100;
let horns = 0;

/** Shows `{pin, position, moving}`, the position in degrees, as part `servo0` and on, in the order in which they were made. */
export class ServoHorn {
	readonly #part = `servo${horns++}`;
	readonly #facts: object;
	#position: number | undefined;
	#timer: ReturnType<typeof Timer.set> | undefined;

	/** @param facts are shown as well, such as `{pin: 5}` */
	constructor(facts: object) {
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
