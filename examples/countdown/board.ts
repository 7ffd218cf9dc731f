// An ESP32-S3-DevKitC-1 that counts down with its LED.

import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { NeopixelLight } from "drivers/neopixel-light";
import { Parts } from "drivers/parts";
import type { Board } from "hardware/board";
import type { RgbLight } from "hardware/rgb-light";
import NeoPixel from "sdk/neopixel";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";

const LIGHT_PIN = 48;

export type CountdownBoard = Board & {
	readonly light: RgbLight;
};

export function createBoard(): CountdownBoard {
	const parts = new Parts();
	const system = new Esp32System({ io: esp32, chip: "esp32s3", settings: new PreferenceStore("moddable-mcp") });
	const light = parts.add(new NeopixelLight({ io: NeoPixel, timers, pin: LIGHT_PIN, length: 1 }));
	return {
		name: "countdown",
		about: "a rocket on its pad, with one light",
		system,
		light,
		missing: parts.missing,
		close: () => parts.close(),
	};
}
