// A strip of RGB pixels on the panel.

import { PixelLight } from "drivers/pixel-light";
import { show } from "simulator/panel";

/** Shows `{on, brightness, pixels}`, the pixels as `[red, green, blue]`, 0 to 255, before brightness is applied. */
export class SimulatedLight extends PixelLight {
	/** @param length how many pixels there are */
	constructor(length: number) {
		super(length, 100);
		this.render();
	}

	protected override render(): void {
		const pixels: number[][] = [];
		for (let offset = 0; offset < this.colors.length; offset += 3) pixels.push(Array.from(this.colors.subarray(offset, offset + 3)));
		show("light", { on: this.on, brightness: this.brightness, pixels });
	}
}
