// An ESP32-S3-DevKitC-1 on a breadboard with a MAX98357A amplifier, its own RGB LED and a lamp.

import { Esp32System } from "drivers/esp32-system";
import { GpioLamp } from "drivers/gpio-lamp";
import { I2sSpeaker } from "drivers/i2s-speaker";
import { NeopixelLight } from "drivers/neopixel-light";
import type { Board, Lamp, RgbLight, Speaker } from "hardware/hardware";
import { Settings } from "system/settings";

const LIGHT_PIN = 48;
const LAMP_PIN = 18;

/** What the tools of this board can count on. */
export type BreadCompactBoard = Board & {
	readonly speaker: Speaker;
	readonly light: RgbLight;
	readonly lamp: Lamp;
};

/** Takes hold of the pins; the speaker's stand in the manifest. */
export function createBoard(): BreadCompactBoard {
	const settings = new Settings("moddable-mcp");
	const system = new Esp32System({ chip: "esp32s3", settings });
	const speaker = new I2sSpeaker({ settings });
	const light = new NeopixelLight({ pin: LIGHT_PIN, length: 1 });
	const lamp = new GpioLamp({ pin: LAMP_PIN });
	return {
		name: "bread_compact",
		system,
		speaker,
		light,
		lamp,
		close() {
			for (const part of [speaker, light, lamp]) part.close();
		},
	};
}
