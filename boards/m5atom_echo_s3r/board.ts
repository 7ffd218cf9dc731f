// M5Stack's ATOM EchoS3R: a loudspeaker behind the codec ES8311, and a button.

import { GpioAmplifier } from "drivers/amplifier";
import { ChipTemperature } from "drivers/chip-temperature";
import { Es8311 } from "drivers/es8311";
import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { GpioButton } from "drivers/gpio-button";
import { I2sSpeaker } from "drivers/i2s-speaker";
import { Parts } from "drivers/parts";
import type { Board } from "hardware/board";
import type { Speaker } from "hardware/speaker";
import AudioOut from "sdk/audio-out";
import Digital from "sdk/digital";
import SMBus from "sdk/smbus";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";

const BUTTON_PIN = 41;
const CODEC_DATA_PIN = 45;
const CODEC_CLOCK_PIN = 0;
const AMPLIFIER_PIN = 18;
const SAMPLE_RATE = 48000;
/** How long the codec gets its clock before a tone. */
const CODEC_LEAD_MS = 100;

/** What the tools of this board can use; a part that did not answer is undefined. */
export type EchoS3rBoard = Board & {
	readonly speaker: Speaker | undefined;
};

/** Opens the pins; those of I2S are in the manifest. */
export function createBoard(): EchoS3rBoard {
	const parts = new Parts();
	const settings = new PreferenceStore("moddable-mcp");
	const sensor = parts.make("chip temperature", () => new ChipTemperature(esp32));
	const system = new Esp32System({ io: esp32, chip: "esp32s3", settings, sensor });
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
	const board: EchoS3rBoard = {
		name: "m5atom_echo_s3r",
		about: "a small loudspeaker with a button",
		system,
		speaker,
		missing: parts.missing,
		close: () => parts.close(),
	};
	parts.add(
		new GpioButton({ io: Digital, timers, pin: BUTTON_PIN, onChange: (pressed) => board.onEvent?.("button_changed", { button: "button", pressed }) }),
	);
	return board;
}
