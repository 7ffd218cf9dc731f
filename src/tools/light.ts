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

const red = integer({
	description: { en: "The red part: 0 is none, 255 is the most", zh: "红色分量：0 为无，255 为最大" },
	minimum: 0,
	maximum: 255,
});
const green = integer({
	description: { en: "The green part: 0 is none, 255 is the most", zh: "绿色分量：0 为无，255 为最大" },
	minimum: 0,
	maximum: 255,
});
const blue = integer({
	description: { en: "The blue part: 0 is none, 255 is the most", zh: "蓝色分量：0 为无，255 为最大" },
	minimum: 0,
	maximum: 255,
});

/** `self.light.get_power` */
export const getPower = defineTool({
	name: "self.light.get_power",
	title: { zh: "彩灯：是否亮着" },
	description: { en: "Returns whether the light is on.", zh: "返回彩灯是否亮着。" },
	annotations: READS,
	needs: ["light"],
	call(_args: object, board: WithLight) {
		return board.light.on;
	},
});

/** `self.light.turn_on` */
export const turnOn = defineTool({
	name: "self.light.turn_on",
	title: { zh: "彩灯：打开" },
	description: { en: "Turns the light on, in its last color.", zh: "打开彩灯，用上次的颜色。" },
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
	title: { zh: "彩灯：关闭" },
	description: { en: "Turns the light off.", zh: "关闭彩灯。" },
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
	title: { zh: "彩灯：设置颜色" },
	description: { en: "Sets the color of the whole light and turns it on.", zh: "设置整个彩灯的颜色，并打开它。" },
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
	title: { zh: "灯带：亮度" },
	description: {
		en: "Returns the brightness level of the LED strip, from 0 (dark) to 8 (brightest).",
		zh: "返回灯带的亮度等级，从 0（暗）到 8（最亮）。",
	},
	annotations: READS,
	needs: ["light"],
	call(_args: object, board: WithLight) {
		return Math.round((board.light.brightness * LEVELS) / 100);
	},
});

/** `self.led_strip.set_brightness` */
export const setStripBrightness = defineTool({
	name: "self.led_strip.set_brightness",
	title: { zh: "灯带：设置亮度" },
	description: { en: "Sets the brightness level of the LED strip. The colors stay as they are.", zh: "设置灯带的亮度等级，颜色保持不变。" },
	properties: {
		level: integer({
			description: { en: "The brightness level: 0 is dark, 8 is the brightest", zh: "亮度等级：0 为暗，8 为最亮" },
			minimum: 0,
			maximum: LEVELS,
		}),
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
	title: { zh: "灯带：设置全部颜色" },
	description: { en: "Sets all LEDs of the strip to one color and turns the strip on.", zh: "把灯带的所有灯珠设为同一颜色，并打开灯带。" },
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
		title: { zh: "灯带：设置单颗颜色" },
		description: {
			en: "Sets the color of one LED of the strip and turns the strip on. The other LEDs stay as they are.",
			zh: "设置灯带中一颗灯珠的颜色，并打开灯带；其他灯珠保持不变。",
		},
		properties: {
			index: integer({
				description: { en: `Which LED: 0 is the first, ${length - 1} is the last`, zh: `哪一颗灯珠：0 为第一颗，${length - 1} 为最后一颗` },
				minimum: 0,
				maximum: length - 1,
			}),
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
	description: {
		en: "Milliseconds from one step to the next; less is faster, 0 is as fast as possible",
		zh: "每一步之间的毫秒数；越小越快，0 为尽可能快",
	},
	minimum: 0,
	maximum: 1000,
});

/** `self.led_strip.blink` */
export const blinkStrip = defineTool({
	name: "self.led_strip.blink",
	title: { zh: "灯带：闪烁" },
	description: {
		en: "Makes the whole LED strip blink in one color until the next command for the strip.",
		zh: "让整条灯带以一种颜色闪烁，直到对灯带的下一个命令。",
	},
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
	title: { zh: "灯带：动态效果" },
	description: {
		en: "Shows a moving effect on the LED strip until the next command for the strip. The color is used by breathe only.",
		zh: "在灯带上显示动态效果，直到对灯带的下一个命令。颜色只用于 breathe。",
	},
	properties: {
		effect: string({
			description: {
				en: "breathe: one color brightens and fades; rainbow: all colors run along the strip",
				zh: "breathe：一种颜色渐亮渐暗；rainbow：所有颜色沿灯带流动",
			},
			enum: ["breathe", "rainbow"],
		}),
		red: integer({
			description: { en: "The red part of the color, for breathe", zh: "颜色的红色分量，用于 breathe" },
			minimum: 0,
			maximum: 255,
			default: 255,
		}),
		green: integer({
			description: { en: "The green part of the color, for breathe", zh: "颜色的绿色分量，用于 breathe" },
			minimum: 0,
			maximum: 255,
			default: 255,
		}),
		blue: integer({
			description: { en: "The blue part of the color, for breathe", zh: "颜色的蓝色分量，用于 breathe" },
			minimum: 0,
			maximum: 255,
			default: 255,
		}),
		interval: integer({
			description: { en: "Milliseconds from one step to the next; less is faster", zh: "每一步之间的毫秒数；越小越快" },
			minimum: 0,
			maximum: 1000,
			default: 50,
		}),
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
		title: { zh: "灯带：流动" },
		description: {
			en: "Makes a run of lit LEDs move along the LED strip until the next command for the strip.",
			zh: "让一段亮着的灯珠沿灯带移动，直到对灯带的下一个命令。",
		},
		properties: {
			red,
			green,
			blue,
			length: integer({ description: { en: "How many LEDs are lit at once", zh: "同时亮几颗灯珠" }, minimum: 1, maximum: length - 1 }),
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
