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
	description:
		"Sets the brightness of the screen. If the current brightness is unknown and the request is relative (brighter, darker), call self.get_device_status first.",
	properties: {
		brightness: integer({ description: "The new brightness in percent: 0 is dark, 100 is the brightest", minimum: 0, maximum: 100 }),
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
	description: "Sets the color theme of the screen.",
	properties: {
		theme: string({ description: "light: dark text on a light background; dark: light text on a dark background", enum: ["light", "dark"] }),
	},
	annotations: SETS,
	needs: ["screen"],
	call({ theme }, board: WithScreen) {
		board.screen.setTheme(theme);
		return true;
	},
});
