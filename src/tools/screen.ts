// Tools of a board with a screen.

import type { Backlight, Screen } from "../hardware/screen.js";
import { integer, string } from "../mcp/schema.js";
import { defineTool, SETS } from "../mcp/tool.js";

interface WithBacklight {
	readonly screen: Backlight;
}

interface WithScreen {
	readonly screen: Screen;
}

/** `self.screen.set_brightness` */
export const setBrightness = defineTool({
	name: "self.screen.set_brightness",
	title: { zh: "屏幕：设置亮度" },
	description: {
		en: "Sets the brightness of the screen. If the current brightness is unknown and the request is relative (brighter, darker), call self.get_device_status first.",
		zh: "设置屏幕亮度。如果不知道当前亮度，而要求是相对的（更亮、更暗），请先调用 self.get_device_status。",
	},
	properties: {
		brightness: integer({
			description: { en: "The new brightness in percent: 0 is dark, 100 is the brightest", zh: "新的亮度，百分比：0 为暗，100 为最亮" },
			minimum: 0,
			maximum: 100,
		}),
	},
	annotations: SETS,
	needs: ["screen"],
	call({ brightness }, board: WithBacklight) {
		board.screen.setBrightness(brightness);
		return true;
	},
});

/** `self.screen.set_theme` */
export const setTheme = defineTool({
	name: "self.screen.set_theme",
	title: { zh: "屏幕：设置主题" },
	description: { en: "Sets the color theme of the screen.", zh: "设置屏幕的主题颜色。" },
	properties: {
		theme: string({
			description: {
				en: "light: dark text on a light background; dark: light text on a dark background",
				zh: "light：浅色背景深色文字；dark：深色背景浅色文字",
			},
			enum: ["light", "dark"],
		}),
	},
	annotations: SETS,
	needs: ["screen"],
	call({ theme }, board: WithScreen) {
		board.screen.setTheme(theme);
		return true;
	},
});
