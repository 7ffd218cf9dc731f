// A light of one or many RGB pixels.

/**
 * Draws one step of an animation.
 * @param step counts from 0
 * @param colors red, green and blue of every pixel, 0 to 255, as the previous step left them; all black at first
 */
export type Frame = (step: number, colors: Uint8Array) => void;

/** A light of one or many RGB pixels. */
export interface RgbLight {
	/** How many pixels there are. */
	readonly length: number;
	readonly on: boolean;
	/** 0 to 100, an integer. */
	readonly brightness: number;
	/** Red, green and blue of every pixel, 0 to 255, as they are shown at full brightness; kept while the light is off. */
	readonly colors: Uint8Array;
	setPower(on: boolean): void;
	/** @param brightness 0 to 100 */
	setBrightness(brightness: number): void;
	/** Sets every pixel; each part 0 to 255. Turns the light on. */
	setAll(red: number, green: number, blue: number): void;
	/**
	 * Sets the pixel at `index`, 0 to length − 1. Turns the light on.
	 * @throws RangeError for a pixel that does not exist
	 */
	setPixel(index: number, red: number, green: number, blue: number): void;
	/**
	 * Turns the light on and calls `frame` at once and then every `interval`, until colors are set, the light is turned on or off,
	 * or another animation begins. The colors that were set before come back then.
	 * @param interval between two steps in milliseconds, at least 20
	 */
	animate(frame: Frame, interval: number): void;
	close(): void;
}
