// Animations for lights of RGB pixels: each function returns the frame that `RgbLight.animate` calls.

import type { Frame } from "../hardware/rgb-light.js";

/** How many steps a breath has, in and out. */
const BREATH_STEPS = 40;
/** How far a rainbow turns with each step, in turns of the color wheel. */
const HUE_STEP = 1 / 64;

/** All pixels in one color, every other step dark. */
export function blink(red: number, green: number, blue: number): Frame {
	return (step, colors) => {
		const lit = step % 2 === 0;
		for (let index = 0; index < colors.length; index += 3) paint(colors, index, lit ? red : 0, lit ? green : 0, lit ? blue : 0);
	};
}

/** A run of `length` lit pixels that moves by one pixel with each step, and from the end back to the beginning. */
export function scroll(red: number, green: number, blue: number, length: number): Frame {
	return (step, colors) => {
		const count = colors.length / 3;
		colors.fill(0);
		for (let i = 0; i < length && i < count; i++) paint(colors, ((step + i) % count) * 3, red, green, blue);
	};
}

/** One color that swells and fades. */
export function breathe(red: number, green: number, blue: number): Frame {
	return (step, colors) => {
		// Squared, because eyes perceive ratios.
		const share = ((1 - Math.cos((2 * Math.PI * step) / BREATH_STEPS)) / 2) ** 2;
		for (let index = 0; index < colors.length; index += 3) paint(colors, index, red * share, green * share, blue * share);
	};
}

/** The color wheel, spread over the pixels and turning. */
export function rainbow(): Frame {
	return (step, colors) => {
		for (let index = 0; index < colors.length; index += 3) {
			const hue = (index / colors.length + step * HUE_STEP) % 1;
			paint(colors, index, wheel(hue + 1 / 3), wheel(hue), wheel(hue + 2 / 3));
		}
	};
}

/** One part of a hue, 0 to 255. */
function wheel(hue: number): number {
	const place = (hue % 1) * 6;
	const height = place < 1 ? place : place < 3 ? 1 : place < 4 ? 4 - place : 0;
	return height * 255;
}

function paint(colors: Uint8Array, index: number, red: number, green: number, blue: number): void {
	colors[index] = Math.round(red);
	colors[index + 1] = Math.round(green);
	colors[index + 2] = Math.round(blue);
}
