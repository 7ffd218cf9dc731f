// What every light of RGB pixels has in common: it remembers colors, brightness and power; how they are shown is the subclass's part.

import type { RgbLight } from "../hardware/hardware.js";
import { clampInteger } from "./clamp.js";

const BYTES_PER_PIXEL = 3;

/** The state of a light. A subclass overrides `render` and, to let go of its hardware, `release`. */
export abstract class PixelLight implements RgbLight {
	readonly length: number;
	/** Red, green and blue of every pixel, kept while the light is off. */
	protected readonly colors: Uint8Array;
	#on = false;
	#brightness: number;
	/** Has any color been set? */
	#chosen = false;
	#closed = false;

	/**
	 * A light that is off, all pixels white, so that turning it on is seen.
	 * @param length 1 or more pixels
	 * @param brightness 0 to 100
	 * @throws RangeError for another length
	 */
	constructor(length: number, brightness: number) {
		if (!(Number.isInteger(length) && length > 0)) throw new RangeError(`a light must have 1 or more pixels, got ${length}`);
		this.length = length;
		this.colors = new Uint8Array(length * BYTES_PER_PIXEL).fill(255);
		this.#brightness = clampInteger(brightness, 0, 100);
	}

	get on(): boolean {
		return this.#on;
	}

	get brightness(): number {
		return this.#brightness;
	}

	setPower(on: boolean): void {
		this.#on = on;
		this.#show();
	}

	setBrightness(brightness: number): void {
		this.#brightness = clampInteger(brightness, 0, 100);
		this.#show();
	}

	setAll(red: number, green: number, blue: number): void {
		for (let index = 0; index < this.length; index++) this.#store(index, red, green, blue);
		this.#on = true;
		this.#show();
	}

	/** @throws RangeError for a pixel that is not there */
	setPixel(index: number, red: number, green: number, blue: number): void {
		if (!(Number.isInteger(index) && index >= 0 && index < this.length))
			throw new RangeError(`there is no pixel ${index}, the last is ${this.length - 1}`);
		// The white that a light begins with was never asked for: the first pixel comes alone.
		if (!this.#chosen) this.colors.fill(0);
		this.#store(index, red, green, blue);
		this.#on = true;
		this.#show();
	}

	close(): void {
		if (this.#closed) return;
		this.#on = false;
		this.#show();
		this.#closed = true;
		this.release();
	}

	/** Shows `colors` at `brightness`, or darkness where `on` is false. */
	protected abstract render(): void;

	/** Lets go of the hardware; called once. */
	protected release(): void {}

	#store(index: number, red: number, green: number, blue: number): void {
		const offset = index * BYTES_PER_PIXEL;
		this.colors[offset] = clampInteger(red, 0, 255);
		this.colors[offset + 1] = clampInteger(green, 0, 255);
		this.colors[offset + 2] = clampInteger(blue, 0, 255);
		this.#chosen = true;
	}

	#show(): void {
		if (!this.#closed) this.render();
	}
}
