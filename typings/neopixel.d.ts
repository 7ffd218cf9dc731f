// Moddable's driver for WS2812 and SK6812 pixels (modules/drivers/neopixel), as far as this project uses it.

declare module "neopixel" {
	export default class NeoPixel {
		constructor(options: { length: number; pin: number; order?: string });
		/** 0 to 255, applied at `update`. */
		brightness: number;
		readonly length: number;
		/** A color as the number that `setPixel` and `fill` take; each part 0 to 255. */
		makeRGB(red: number, green: number, blue: number): number;
		setPixel(index: number, color: number): void;
		fill(color: number, index?: number, count?: number): void;
		/** Sends the pixels to the wire. */
		update(): void;
		close(): void;
	}
}
