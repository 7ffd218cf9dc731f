// An ESP32-S3-DevKitC-1 whose LED has scenes, each a tool that is there only while the scene is.

import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { NeopixelLight } from "drivers/neopixel-light";
import { Parts } from "drivers/parts";
import type { Board } from "hardware/board";
import type { RgbLight } from "hardware/rgb-light";
import type { RuntimeTools } from "mcp/server";
import NeoPixel from "sdk/neopixel";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";
import { Scenes } from "./scenes.js";

const LIGHT_PIN = 48;

/** What the tools of this board can use. */
export type ScenesBoard = Board & {
	readonly light: RgbLight;
	readonly scenes: Scenes;
};

export function createBoard(): ScenesBoard {
	const parts = new Parts();
	const settings = new PreferenceStore("moddable-mcp");
	const system = new Esp32System({ io: esp32, chip: "esp32s3", settings });
	const light = parts.add(new NeopixelLight({ io: NeoPixel, timers, pin: LIGHT_PIN, length: 1 }));
	const scenes = new Scenes(light, settings);
	return {
		name: "scenes",
		about: "a light whose scenes are tools",
		system,
		light,
		scenes,
		missing: parts.missing,
		useTools: (tools: RuntimeTools<never>) => scenes.useTools(tools),
		close: () => parts.close(),
	};
}
