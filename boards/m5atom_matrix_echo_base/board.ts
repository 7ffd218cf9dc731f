// M5Stack's ATOM Matrix, 25 RGB LEDs and a button, on its Atomic Echo Base with loudspeaker and codec ES8311.

import { EchoBaseAmplifier } from "drivers/echo-base-amplifier";
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

const LIGHT_PIN = 27;
const BUTTON_PIN = 39;
const BASE_DATA_PIN = 25;
const BASE_CLOCK_PIN = 21;
const SAMPLE_RATE = 48000;
/** Of 255: M5Stack's own library goes no higher, because brighter LEDs make the cover too hot. */
const LIGHT_LIMIT = 40;
/** How long the codec gets its clock before a tone. */
const CODEC_LEAD_MS = 100;

/** What the tools of this board can use; a part that did not answer is undefined. */
export type MatrixBoard = Board & {
	readonly speaker: Speaker | undefined;
	readonly light: RgbLight;
};

/** Opens the pins; those of I2S are in the manifest. */
export function createBoard(): MatrixBoard {
	const parts = new Parts();
	const settings = new PreferenceStore("moddable-mcp");
	const system = new Esp32System({ io: esp32, chip: "esp32", settings });
	const speaker = parts.make("speaker (Echo Base with codec ES8311)", () => {
		const bus = { io: SMBus, data: BASE_DATA_PIN, clock: BASE_CLOCK_PIN };
		const amplifier = new Es8311({ bus, timers, sampleRate: SAMPLE_RATE, masterClock: false, amplifier: new EchoBaseAmplifier({ bus }) });
		return new I2sSpeaker({ io: AudioOut, timers, settings, sampleRate: SAMPLE_RATE, amplifier, leadMs: CODEC_LEAD_MS, swapped: true });
	});
	const light = parts.add(
		new StateLight(new NeopixelLight({ io: NeoPixel, timers, pin: LIGHT_PIN, length: STRIP_LENGTH, brightness: 50, limit: LIGHT_LIMIT })),
	);
	const board: MatrixBoard = {
		name: "m5atom_matrix_echo_base",
		about: "a matrix of 25 RGB LEDs with a loudspeaker",
		system,
		speaker,
		light,
		missing: parts.missing,
		close: () => parts.close(),
	};
	light.follow(board);
	// GPIO 39 has no pull-up inside the chip; the board has one.
	const onChange = (pressed: boolean) => board.onEvent?.("button_changed", { button: "button", pressed });
	parts.add(new GpioButton({ io: Digital, timers, pin: BUTTON_PIN, external: true, onChange }));
	return board;
}
