// A strip of RGB pixels on the panel.

import type { DriverTimers } from "drivers/interval";
import { PixelLight } from "drivers/pixel-light";
import type { Show } from "./panel.js";

export interface SimulatedLightOptions {
	show: Show;
	timers: DriverTimers;
	/** How many pixels there are. */
	length: number;
}

/** Shows `{on, brightness, pixels}`, the pixels as `[red, green, blue]`, 0 to 255, before brightness is applied, black while it is off. */
export class SimulatedLight extends PixelLight {
	readonly #panel: Show;

	constructor({ show, timers, length }: SimulatedLightOptions) {
		super({ timers, length, brightness: 100 });
		this.#panel = show;
		this.render();
	}

	protected override render(): void {
		const pixels: number[][] = [];
		for (let offset = 0; offset < this.colors.length; offset += 3)
			pixels.push(this.on ? Array.from(this.colors.subarray(offset, offset + 3)) : [0, 0, 0]);
		this.#panel("light", { on: this.on, brightness: this.brightness, pixels });
	}
}
