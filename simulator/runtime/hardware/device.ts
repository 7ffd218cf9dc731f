// The global `device`, which a target's setup makes on hardware: what boards take from it.

import { describe, onInput, show } from "simulator/panel";
import { Press } from "./press.js";

/** Of the displays under the panels of the targets that there are, in pixels. */
const SIZE = { width: 320, height: 240 };

interface Finger {
	readonly x: number;
	readonly y: number;
}

/** A touch panel: shows `{pressed, x, y}` as part `touch`, which takes the same as input. */
class Touch {
	#finger: Finger | undefined;

	constructor() {
		describe("touch", SIZE);
		show("touch", { pressed: false });
		const press = new Press<Finger>((finger) => {
			this.#finger = finger;
			show("touch", { pressed: finger !== undefined, ...finger });
		});
		onInput("touch", ({ pressed, x, y }) => {
			const inside = (value: unknown, size: number) => typeof value === "number" && value >= 0 && value < size;
			press.set(pressed === true && inside(x, SIZE.width) && inside(y, SIZE.height) ? { x: x as number, y: y as number } : undefined);
		});
	}

	sample(): Finger[] | undefined {
		return this.#finger && [this.#finger];
	}

	close(): void {}
}

const before = (globalThis as { device?: object }).device;
Object.assign(globalThis, { device: { ...before, sensor: { Touch } } });
