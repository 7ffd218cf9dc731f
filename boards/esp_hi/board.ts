// ESP-Hi: a robot dog on an ESP32-C3 with four servos, four RGB lights and a loudspeaker at a PDM output.

import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { GpioButton } from "drivers/gpio-button";
import { I2sSpeaker } from "drivers/i2s-speaker";
import { NeopixelLight } from "drivers/neopixel-light";
import { PdmAmplifier } from "drivers/pdm-amplifier";
import { PinServo } from "drivers/pin-servo";
import { ServoBody } from "drivers/servo-body";
import type { Board } from "hardware/board";
import type { Body } from "hardware/body";
import type { RgbLight } from "hardware/rgb-light";
import type { Speaker } from "hardware/speaker";
import AudioOut from "sdk/audio-out";
import Digital from "sdk/digital";
import NeoPixel from "sdk/neopixel";
import Servo from "sdk/servo";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";
import { BACK_LEFT, BACK_RIGHT, FRONT_LEFT, FRONT_RIGHT, LEGS, TRIM_LIMIT } from "./legs.js";

/** The loudspeaker's first pin, 6, is in the manifest. */
const SPEAKER_INVERTED_PIN = 7;
const AMPLIFIER_PIN = 3;
const LIGHT_PIN = 8;
const LIGHT_LENGTH = 4;
const FRONT_LEFT_PIN = 21;
const FRONT_RIGHT_PIN = 19;
const BACK_LEFT_PIN = 20;
const BACK_RIGHT_PIN = 18;
/** A leg upright. */
const HOME = 90;
/** As far as the body lets a leg turn. */
const MINIMUM = 20;
const MAXIMUM = 160;
const BOOT_PIN = 9;
/** Between the joints that come to rest after a start, in milliseconds: the supply recovers. */
const START_PAUSE_MS = 300;

/** What the tools of this board can use. */
export type EspHiBoard = Board & {
	readonly speaker: Speaker;
	readonly body: Body;
	readonly light: RgbLight;
};

/** Opens the pins; the dog gets on its feet in `start`. */
export function createBoard(): EspHiBoard {
	const settings = new PreferenceStore("moddable-mcp");
	const system = new Esp32System({ io: esp32, chip: "esp32c3", settings });
	const speaker = new I2sSpeaker({
		io: AudioOut,
		timers,
		settings,
		amplifier: new PdmAmplifier({ io: Digital, ffi: esp32.ffi, pin: AMPLIFIER_PIN, invertedPin: SPEAKER_INVERTED_PIN }),
	});
	const light = new NeopixelLight({ io: NeoPixel, timers, pin: LIGHT_PIN, length: LIGHT_LENGTH });
	const leg = (index: number, pin: number, side: number, mirror: number) => ({
		name: LEGS[index] as string,
		servo: new PinServo({ io: Servo, timers, pin, minimum: MINIMUM, maximum: MAXIMUM, angle: HOME, idleMs: 0 }),
		home: HOME,
		side,
		mirror,
	});
	const body = new ServoBody({
		joints: [
			leg(FRONT_LEFT, FRONT_LEFT_PIN, 1, FRONT_RIGHT),
			leg(FRONT_RIGHT, FRONT_RIGHT_PIN, -1, FRONT_LEFT),
			leg(BACK_LEFT, BACK_LEFT_PIN, 1, BACK_RIGHT),
			leg(BACK_RIGHT, BACK_RIGHT_PIN, -1, BACK_LEFT),
		],
		timers,
		trims: new PreferenceStore("dog-trims"),
		trimLimit: TRIM_LIMIT,
		startPauseMs: START_PAUSE_MS,
	});
	const board: EspHiBoard = {
		name: "esp_hi",
		about: "ESP-Hi, a small robot dog with lights and a loudspeaker",
		system,
		speaker,
		body,
		light,
		start: (weakSupply) => body.start(weakSupply),
		close() {
			button.close();
			body.close();
			light.close();
			speaker.close();
		},
	};
	const onChange = (pressed: boolean) => board.onEvent?.("button_changed", { button: "boot", pressed });
	const button = new GpioButton({ io: Digital, timers, pin: BOOT_PIN, onChange });
	return board;
}
