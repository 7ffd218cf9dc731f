// A light of WS2812 pixels (WS2812B data sheet, "Composition of 24bit data": green, red, blue).

import type { NeoPixelConstructor, NeoPixels } from "../sdk/neopixel.js";
import type { DriverTimers } from "./interval.js";
import { PixelLight } from "./pixel-light.js";

export interface NeopixelLightOptions {
	/** Moddable's pixels, `sdk/neopixel`. */
	io: NeoPixelConstructor;
	timers: DriverTimers;
	/** The GPIO that the first pixel's data input is wired to. */
	pin: number;
	/** How many pixels there are. */
	length: number;
	/** The order of the colors on the wire; "GRB" by default. */
	order?: string;
	/** 0 to 100; 25 by default: WS2812 are dazzling at full power. */
	brightness?: number;
	/** What a brightness of 100 stands for, of 255; 255 by default. Less keeps dense pixels from getting hot. */
	limit?: number;
}

/** WS2812 pixels in a row. */
export class NeopixelLight extends PixelLight {
	readonly #pixels: NeoPixels;
	readonly #limit: number;

	/** @throws what the RMT driver throws when the pin or a channel is not available */
	constructor(options: NeopixelLightOptions) {
		const { io, timers, pin, length, order = "GRB", brightness = 25, limit = 255 } = options;
		super({ timers, length, brightness });
		this.#limit = limit;
		this.#pixels = new io({ pin, length, order });
		this.render();
	}

	protected override render(): void {
		const pixels = this.#pixels;
		pixels.brightness = Math.round((this.brightness * this.#limit) / 100);
		if (this.on)
			for (let index = 0, offset = 0; index < this.length; index++, offset += 3)
				pixels.setPixel(index, pixels.makeRGB(this.colors[offset] as number, this.colors[offset + 1] as number, this.colors[offset + 2] as number));
		else pixels.fill(pixels.makeRGB(0, 0, 0));
		pixels.update();
	}

	protected override release(): void {
		this.#pixels.close();
	}
}
