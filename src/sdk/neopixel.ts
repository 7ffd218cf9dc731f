// Moddable's driver for WS2812 and SK6812 pixels.

import ModuleNeoPixel from "neopixel";

export interface NeoPixels {
	/** 0 to 255, applied at `update`. */
	brightness: number;
	/** A color as the number that `setPixel` and `fill` take; each part 0 to 255. */
	makeRGB(red: number, green: number, blue: number): number;
	setPixel(index: number, color: number): void;
	fill(color: number): void;
	/** Sends the pixels to the wire. */
	update(): void;
	close(): void;
}

export type NeoPixelConstructor = new (options: { length: number; pin: number; order?: string }) => NeoPixels;

const NeoPixel = ModuleNeoPixel as unknown as NeoPixelConstructor;
export default NeoPixel;
