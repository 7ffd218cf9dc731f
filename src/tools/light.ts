// Tools for a board with an RGB light as a whole; `stripTools` adds those for a light of many pixels.

import type { RgbLight } from "../hardware/rgb-light.js";
import { integer, string } from "../mcp/schema.js";
import { defineTool, type MayLack, READS, SETS, type Tool } from "../mcp/tool.js";
import { blink, breathe, rainbow, scroll } from "./animations.js";

interface WithLight {
	readonly light: RgbLight;
}

/** How many brightness levels above 0 a strip has, as in the reference firmware. */
const LEVELS = 8;

const red = integer({ description: "The red part: 0 is none, 255 is the most", minimum: 0, maximum: 255 });
const green = integer({ description: "The green part: 0 is none, 255 is the most", minimum: 0, maximum: 255 });
const blue = integer({ description: "The blue part: 0 is none, 255 is the most", minimum: 0, maximum: 255 });

/** `self.light.get_power` */
export const getPower = defineTool({
	name: "self.light.get_power",
	description: "Returns whether the light is on.",
	annotations: READS,
	needs: ["light"],
	call(_args: object, board: WithLight) {
		return board.light.on;
	},
});

/** `self.light.turn_on` */
export const turnOn = defineTool({
	name: "self.light.turn_on",
	description: "Turns the light on, in its last color.",
	annotations: SETS,
	needs: ["light"],
	call(_args: object, board: WithLight) {
		board.light.setPower(true);
		return true;
	},
});

/** `self.light.turn_off` */
export const turnOff = defineTool({
	name: "self.light.turn_off",
	description: "Turns the light off.",
	annotations: SETS,
	needs: ["light"],
	call(_args: object, board: WithLight) {
		board.light.setPower(false);
		return true;
	},
});

/** `self.light.set_rgb` */
export const setRgb = defineTool({
	name: "self.light.set_rgb",
	description: "Sets the color of the whole light and turns it on.",
	properties: { r: red, g: green, b: blue },
	annotations: SETS,
	needs: ["light"],
	call({ r, g, b }, board: WithLight) {
		board.light.setAll(r, g, b);
		return true;
	},
});

/** The tools of every light: get_power, turn_on, turn_off, set_rgb. */
export const lightTools: readonly Tool<MayLack<WithLight>>[] = Object.freeze([getPower, turnOn, turnOff, setRgb]);

/** `self.led_strip.get_brightness` */
export const getStripBrightness = defineTool({
	name: "self.led_strip.get_brightness",
	description: "Returns the brightness level of the LED strip, from 0 (dark) to 8 (brightest).",
	annotations: READS,
	needs: ["light"],
	call(_args: object, board: WithLight) {
		return Math.round((board.light.brightness * LEVELS) / 100);
	},
});

/** `self.led_strip.set_brightness` */
export const setStripBrightness = defineTool({
	name: "self.led_strip.set_brightness",
	description: "Sets the brightness level of the LED strip. The colors stay as they are.",
	properties: {
		level: integer({ description: "The brightness level: 0 is dark, 8 is the brightest", minimum: 0, maximum: LEVELS }),
	},
	annotations: SETS,
	needs: ["light"],
	call({ level }, board: WithLight) {
		board.light.setBrightness((level * 100) / LEVELS);
		return true;
	},
});

/** `self.led_strip.set_all_color` */
export const setAllColor = defineTool({
	name: "self.led_strip.set_all_color",
	description: "Sets all LEDs of the strip to one color and turns the strip on.",
	properties: { red, green, blue },
	annotations: SETS,
	needs: ["light"],
	call(args, board: WithLight) {
		board.light.setAll(args.red, args.green, args.blue);
		return true;
	},
});

/**
 * The tools of a strip: get_brightness, set_brightness, set_single_color, set_all_color. Call it at module level.
 * @param length how many LEDs the strip has
 */
export function stripTools(length: number): readonly Tool<MayLack<WithLight>>[] {
	const setSingleColor = defineTool({
		name: "self.led_strip.set_single_color",
		description: "Sets the color of one LED of the strip and turns the strip on. The other LEDs stay as they are.",
		properties: {
			index: integer({ description: `Which LED: 0 is the first, ${length - 1} is the last`, minimum: 0, maximum: length - 1 }),
			red,
			green,
			blue,
		},
		annotations: SETS,
		needs: ["light"],
		call: setSinglePixel,
	});
	return Object.freeze([getStripBrightness, setStripBrightness, setSingleColor, setAllColor]);
}

const interval = integer({
	description: "Milliseconds from one step to the next; less is faster, 0 is as fast as possible",
	minimum: 0,
	maximum: 1000,
});

/** `self.led_strip.blink` */
export const blinkStrip = defineTool({
	name: "self.led_strip.blink",
	description: "Makes the whole LED strip blink in one color until the next command for the strip.",
	properties: { red, green, blue, interval },
	annotations: SETS,
	needs: ["light"],
	call(args, board: WithLight) {
		board.light.animate(blink(args.red, args.green, args.blue), args.interval);
		return true;
	},
});

/** `self.led_strip.show_effect` */
export const showEffect = defineTool({
	name: "self.led_strip.show_effect",
	description: "Shows a moving effect on the LED strip until the next command for the strip. The color is used by breathe only.",
	properties: {
		effect: string({ description: "breathe: one color brightens and fades; rainbow: all colors run along the strip", enum: ["breathe", "rainbow"] }),
		red: integer({ description: "The red part of the color, for breathe", minimum: 0, maximum: 255, default: 255 }),
		green: integer({ description: "The green part of the color, for breathe", minimum: 0, maximum: 255, default: 255 }),
		blue: integer({ description: "The blue part of the color, for breathe", minimum: 0, maximum: 255, default: 255 }),
		interval: integer({ description: "Milliseconds from one step to the next; less is faster", minimum: 0, maximum: 1000, default: 50 }),
	},
	annotations: SETS,
	needs: ["light"],
	call(args, board: WithLight) {
		board.light.animate(args.effect === "breathe" ? breathe(args.red, args.green, args.blue) : rainbow(), args.interval);
		return true;
	},
});

/**
 * The animations of a strip as in the reference firmware: blink, and scroll where there are 2 LEDs or more. Call it at module
 * level.
 * @param length how many LEDs the strip has
 */
export function stripAnimationTools(length: number): readonly Tool<MayLack<WithLight>>[] {
	if (length < 2) return Object.freeze([blinkStrip]);
	const scrollStrip = defineTool({
		name: "self.led_strip.scroll",
		description: "Makes a run of lit LEDs move along the LED strip until the next command for the strip.",
		properties: {
			red,
			green,
			blue,
			length: integer({ description: "How many LEDs are lit at once", minimum: 1, maximum: length - 1 }),
			interval,
		},
		annotations: SETS,
		needs: ["light"],
		call: scrollPixels,
	});
	return Object.freeze([blinkStrip, scrollStrip]);
}

function scrollPixels(args: { red: number; green: number; blue: number; length: number; interval: number }, board: WithLight): boolean {
	board.light.animate(scroll(args.red, args.green, args.blue, args.length), args.interval);
	return true;
}

function setSinglePixel(args: { index: number; red: number; green: number; blue: number }, board: WithLight): boolean {
	board.light.setPixel(args.index, args.red, args.green, args.blue);
	return true;
}
