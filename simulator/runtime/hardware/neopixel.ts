// "neopixel": WS2812 pixels; each update shows what would be sent, before brightness is applied.

import { describe, show } from "simulator/panel";
import { freePin, takePin } from "./pins.js";

const DEFAULT_BRIGHTNESS = 64;
let strips = 0;

/** Shows `{on, brightness, pixels}`, brightness in percent, as part `light`, a second strip as `light2`. */
export default class NeoPixel {
	readonly length: number;
	readonly #pin: number;
	readonly #part: string;
	readonly #colors: number[];
	#brightness = DEFAULT_BRIGHTNESS;
	#closed = false;

	/** @throws RangeError or Error when length or pin cannot be had */
	constructor(options: { length: number; pin: number; order?: string }) {
		const { length, pin, order = "GRB" } = options;
		if (!(Number.isInteger(length) && length > 0)) throw new RangeError("neopixel: invalid length");
		if (!/^[RGBW]{3,4}$/.test(order)) throw new RangeError("neopixel: invalid order");
		takePin(pin, "neopixel");
		this.length = length;
		this.#pin = pin;
		this.#colors = new Array<number>(length).fill(0);
		strips++;
		this.#part = strips > 1 ? `light${strips}` : "light";
		describe(this.#part, { pin }, `pin ${pin}`);
	}

	/** 0 to 255, seen after the next update. */
	get brightness(): number {
		return this.#brightness;
	}

	set brightness(value: number) {
		this.#brightness = Math.min(255, Math.max(0, Math.round(value)));
	}

	makeRGB(red: number, green: number, blue: number): number {
		return ((red & 255) << 16) | ((green & 255) << 8) | (blue & 255);
	}

	/** @param hue 0 to 359 @param saturation 0 to 1000 @param brightness 0 to 1000 */
	makeHSB(hue: number, saturation: number, brightness: number): number {
		const part = (offset: number) => {
			const k = (offset + hue / 60) % 6;
			const value = (brightness / 1000) * (1 - (saturation / 1000) * Math.max(0, Math.min(k, 4 - k, 1)));
			return Math.round(value * 255);
		};
		return this.makeRGB(part(5), part(3), part(1));
	}

	/** Like the real one it ignores a pixel that is not there. */
	setPixel(index: number, color: number): void {
		this.#check();
		if (index >= 0 && index < this.length) this.#colors[index] = color;
	}

	getPixel(index: number): number {
		this.#check();
		return this.#colors[index] ?? 0;
	}

	fill(color: number, index = 0, count = this.length): void {
		this.#check();
		this.#colors.fill(color, index, index + count);
	}

	update(): void {
		this.#check();
		const pixels = this.#colors.map((color) => [(color >> 16) & 255, (color >> 8) & 255, color & 255]);
		const on = this.#brightness > 0 && this.#colors.some((color) => color !== 0);
		show(this.#part, { on, brightness: Math.round((this.#brightness * 100) / 255), pixels });
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		freePin(this.#pin);
	}

	#check(): void {
		if (this.#closed) throw new Error("neopixel: closed");
	}
}
