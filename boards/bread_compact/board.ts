// An ESP32-S3-DevKitC-1 on a breadboard with a MAX98357A amplifier, its own RGB LED, a lamp and four buttons.

import { ChipTemperature } from "drivers/chip-temperature";
import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { GpioButton } from "drivers/gpio-button";
import { GpioLamp } from "drivers/gpio-lamp";
import { I2sSpeaker } from "drivers/i2s-speaker";
import { NeopixelLight } from "drivers/neopixel-light";
import { Parts } from "drivers/parts";
import type { Board } from "hardware/board";
import type { Lamp } from "hardware/lamp";
import type { RgbLight } from "hardware/rgb-light";
import type { Speaker } from "hardware/speaker";
import AudioOut from "sdk/audio-out";
import Digital from "sdk/digital";
import NeoPixel from "sdk/neopixel";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";

const LIGHT_PIN = 48;
const LAMP_PIN = 18;
const BOOT_PIN = 0;
const TALK_PIN = 47;
const LOUDER_PIN = 40;
const QUIETER_PIN = 39;
/** How much a volume key changes the volume. */
const VOLUME_STEP = 10;

/** What the tools of this board can use. */
export type BreadCompactBoard = Board & {
	readonly speaker: Speaker;
	readonly light: RgbLight;
	readonly lamp: Lamp;
};

/** Opens the pins; those of the speaker are in the manifest. */
export function createBoard(): BreadCompactBoard {
	const parts = new Parts();
	const settings = new PreferenceStore("moddable-mcp");
	const sensor = parts.make("chip temperature", () => new ChipTemperature(esp32));
	const system = new Esp32System({ io: esp32, chip: "esp32s3", settings, sensor });
	const speaker = parts.add(new I2sSpeaker({ io: AudioOut, timers, settings }));
	const light = parts.add(new NeopixelLight({ io: NeoPixel, timers, pin: LIGHT_PIN, length: 1 }));
	const lamp = parts.add(new GpioLamp({ io: Digital, pin: LAMP_PIN }));
	const board: BreadCompactBoard = {
		name: "bread_compact",
		about: "a small device with a loudspeaker, an RGB light and a lamp",
		system,
		speaker,
		light,
		lamp,
		missing: parts.missing,
		close: () => parts.close(),
	};
	const report = (button: string, pressed: boolean) => board.onEvent?.("button_changed", { button, pressed });
	const talk = (pressed: boolean) => {
		report("talk", pressed);
		// Wakes the assistant, as the reference's wake word does.
		if (pressed) board.say?.("Hello");
	};
	parts.add(new GpioButton({ io: Digital, timers, pin: BOOT_PIN, onChange: (pressed) => report("boot", pressed) }));
	parts.add(new GpioButton({ io: Digital, timers, pin: TALK_PIN, onChange: talk }));
	const volumeKey = (pin: number, change: number) =>
		new GpioButton({ io: Digital, timers, pin, onChange: (pressed) => pressed && speaker.setVolume(speaker.volume + change) });
	parts.add(volumeKey(LOUDER_PIN, VOLUME_STEP));
	parts.add(volumeKey(QUIETER_PIN, -VOLUME_STEP));
	return board;
}
