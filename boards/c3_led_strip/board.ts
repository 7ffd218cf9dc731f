// An ESP32-C3 board with a strip of eight RGB LEDs, a loudspeaker behind the codec ES8311, and a button.

import { GpioAmplifier } from "drivers/amplifier";
import { ChipTemperature } from "drivers/chip-temperature";
import { Es8311 } from "drivers/es8311";
import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { GpioButton } from "drivers/gpio-button";
import { I2sSpeaker } from "drivers/i2s-speaker";
import { NeopixelLight } from "drivers/neopixel-light";
import { Parts } from "drivers/parts";
import { StateLight } from "drivers/state-light";
import type { Board } from "hardware/board";
import type { RgbLight } from "hardware/rgb-light";
import type { Speaker } from "hardware/speaker";
import AudioOut from "sdk/audio-out";
import Digital from "sdk/digital";
import NeoPixel from "sdk/neopixel";
import SMBus from "sdk/smbus";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";
import { STRIP_LENGTH } from "./strip-length.js";

const LIGHT_PIN = 5;
const BUTTON_PIN = 6;
const CODEC_DATA_PIN = 0;
const CODEC_CLOCK_PIN = 1;
const AMPLIFIER_PIN = 13;
const SAMPLE_RATE = 48000;
/** How long the codec gets its clock before a tone. */
const CODEC_LEAD_MS = 100;

/** What the tools of this board can use; a part that did not answer is undefined. */
export type C3LedStripBoard = Board & {
	readonly speaker: Speaker | undefined;
	readonly light: RgbLight;
};

/** Opens the pins; those of I2S are in the manifest. */
export function createBoard(): C3LedStripBoard {
	const parts = new Parts();
	const settings = new PreferenceStore("moddable-mcp");
	const sensor = parts.make("chip temperature", () => new ChipTemperature(esp32));
	const system = new Esp32System({ io: esp32, chip: "esp32c3", settings, sensor });
	const speaker = parts.make("speaker (codec ES8311)", () => {
		const amplifier = new Es8311({
			bus: { io: SMBus, data: CODEC_DATA_PIN, clock: CODEC_CLOCK_PIN },
			timers,
			sampleRate: SAMPLE_RATE,
			masterClock: true,
			amplifier: new GpioAmplifier({ io: Digital, pin: AMPLIFIER_PIN }),
		});
		return new I2sSpeaker({ io: AudioOut, timers, settings, sampleRate: SAMPLE_RATE, amplifier, leadMs: CODEC_LEAD_MS });
	});
	const light = parts.add(new StateLight(new NeopixelLight({ io: NeoPixel, timers, pin: LIGHT_PIN, length: STRIP_LENGTH })));
	const board: C3LedStripBoard = {
		name: "c3_led_strip",
		about: "a strip of eight RGB LEDs with a loudspeaker",
		system,
		speaker,
		light,
		missing: parts.missing,
		close: () => parts.close(),
	};
	light.follow(board);
	parts.add(
		new GpioButton({ io: Digital, timers, pin: BUTTON_PIN, onChange: (pressed) => board.onEvent?.("button_changed", { button: "button", pressed }) }),
	);
	return board;
}
