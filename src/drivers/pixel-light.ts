// What every light of RGB pixels has in common: it remembers colors, brightness and power, and runs animations; showing them is
// the subclass's job.

import type { Frame, RgbLight } from "../hardware/rgb-light.js";
import { clampInteger } from "./clamp.js";
import { type DriverTimers, Interval } from "./interval.js";

const BYTES_PER_PIXEL = 3;
/** The shortest time between two steps of an animation: 50 per second are smooth, and leave time for everything else. */
const MIN_INTERVAL_MS = 20;

export interface PixelLightOptions {
	timers: DriverTimers;
	/** How many pixels there are, 1 or more. */
	length: number;
	/** 0 to 100. */
	brightness: number;
}

/** The state of a light. A subclass overrides `render` and, to release its hardware, `release`. */
export abstract class PixelLight implements RgbLight {
	readonly length: number;
	colors: Uint8Array;
	/** The colors that were set. */
	readonly #still: Uint8Array;
	readonly #animation: Interval;
	#on = false;
	#brightness: number;
	/** Has any color been set? */
	#chosen = false;
	#closed = false;

	/**
	 * A light that is off, all pixels white, so that turning it on is visible.
	 * @throws RangeError for a length that is not 1 or more
	 */
	constructor({ timers, length, brightness }: PixelLightOptions) {
		if (!(Number.isInteger(length) && length > 0)) throw new RangeError(`a light must have 1 or more pixels, got ${length}`);
		this.length = length;
		this.#still = new Uint8Array(length * BYTES_PER_PIXEL).fill(255);
		this.colors = this.#still;
		this.#brightness = clampInteger(brightness, 0, 100);
		this.#animation = new Interval(timers);
	}

	get on(): boolean {
		return this.#on;
	}

	get brightness(): number {
		return this.#brightness;
	}

	setPower(on: boolean): void {
		this.#endAnimation();
		this.#on = on;
		this.#show();
	}

	setBrightness(brightness: number): void {
		this.#brightness = clampInteger(brightness, 0, 100);
		this.#show();
	}

	setAll(red: number, green: number, blue: number): void {
		this.#endAnimation();
		for (let index = 0; index < this.length; index++) this.#store(index, red, green, blue);
		this.#on = true;
		this.#show();
	}

	/** @throws RangeError for a pixel that is not there */
	setPixel(index: number, red: number, green: number, blue: number): void {
		if (!(Number.isInteger(index) && index >= 0 && index < this.length))
			throw new RangeError(`there is no pixel ${index}, the last is ${this.length - 1}`);
		this.#endAnimation();
		// The white that a light begins with was never asked for: the first pixel lights up alone.
		if (!this.#chosen) this.#still.fill(0);
		this.#store(index, red, green, blue);
		this.#on = true;
		this.#show();
	}

	animate(frame: Frame, interval: number): void {
		if (this.#closed) return;
		this.#endAnimation();
		const colors = new Uint8Array(this.length * BYTES_PER_PIXEL);
		let step = 0;
		const draw = () => {
			frame(step++, colors);
			this.#show();
		};
		this.colors = colors;
		this.#on = true;
		const next = () => {
			try {
				draw();
			} catch {
				// On the timer nothing would catch it, and a light that no longer answers is not worth asking fifty times a second.
				this.#endAnimation();
			}
		};
		draw();
		this.#animation.start(interval > MIN_INTERVAL_MS ? interval : MIN_INTERVAL_MS, next);
	}

	close(): void {
		if (this.#closed) return;
		this.setPower(false);
		this.#closed = true;
		this.release();
	}

	/** Shows `colors` at `brightness`, or nothing while `on` is false. */
	protected abstract render(): void;

	/** Releases the hardware; called once. */
	protected release(): void {}

	#store(index: number, red: number, green: number, blue: number): void {
		const offset = index * BYTES_PER_PIXEL;
		this.#still[offset] = clampInteger(red, 0, 255);
		this.#still[offset + 1] = clampInteger(green, 0, 255);
		this.#still[offset + 2] = clampInteger(blue, 0, 255);
		this.#chosen = true;
	}

	/** Goes back to the colors that were set. */
	#endAnimation(): void {
		this.#animation.stop();
		this.colors = this.#still;
	}

	#show(): void {
		if (!this.#closed) this.render();
	}
}
