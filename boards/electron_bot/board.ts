// ElectronBot, the robot for the desk, on an ESP32-S3 with six servos and a MAX98357A amplifier.

import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { GpioButton } from "drivers/gpio-button";
import { I2sSpeaker } from "drivers/i2s-speaker";
import { PinServo } from "drivers/pin-servo";
import { ServoBody } from "drivers/servo-body";
import type { Board } from "hardware/board";
import type { Body } from "hardware/body";
import type { Speaker } from "hardware/speaker";
import AudioOut from "sdk/audio-out";
import Digital from "sdk/digital";
import Servo from "sdk/servo";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";
import { BODY, HEAD, HOMES, JOINTS, LEFT_PITCH, LEFT_ROLL, MAXIMUMS, MINIMUMS, RIGHT_PITCH, RIGHT_ROLL, TRIM_LIMIT } from "./joints.js";

const RIGHT_PITCH_PIN = 5;
const RIGHT_ROLL_PIN = 4;
const LEFT_PITCH_PIN = 7;
const LEFT_ROLL_PIN = 15;
const BODY_PIN = 6;
const HEAD_PIN = 16;
/** In degrees per second: the arms are long for their servos. */
const MAXIMUM_SPEED = 400;
const BOOT_PIN = 0;
/** Between the joints that come to rest after a start, in milliseconds: the supply recovers. */
const START_PAUSE_MS = 200;

/** What the tools of this board can use. */
export type ElectronBotBoard = Board & {
	readonly speaker: Speaker;
	readonly body: Body;
};

/** Opens the pins; those of I2S are in the manifest. The robot goes to its rest position in `start`. */
export function createBoard(): ElectronBotBoard {
	const settings = new PreferenceStore("moddable-mcp");
	const system = new Esp32System({ io: esp32, chip: "esp32s3", settings });
	const speaker = new I2sSpeaker({ io: AudioOut, timers, settings });
	const joint = (index: number, pin: number, side: number) => {
		const home = HOMES[index] as number;
		const range = { minimum: MINIMUMS[index] as number, maximum: MAXIMUMS[index] as number };
		return { name: JOINTS[index] as string, servo: new PinServo({ io: Servo, timers, ...range, pin, angle: home, idleMs: 0 }), home, side };
	};
	const body = new ServoBody({
		joints: [
			joint(RIGHT_PITCH, RIGHT_PITCH_PIN, -1),
			joint(RIGHT_ROLL, RIGHT_ROLL_PIN, -1),
			joint(LEFT_PITCH, LEFT_PITCH_PIN, 1),
			joint(LEFT_ROLL, LEFT_ROLL_PIN, 1),
			joint(BODY, BODY_PIN, 0),
			joint(HEAD, HEAD_PIN, 0),
		],
		timers,
		trims: new PreferenceStore("electron-trims"),
		trimLimit: TRIM_LIMIT,
		startPauseMs: START_PAUSE_MS,
		maximumSpeed: MAXIMUM_SPEED,
	});
	const board: ElectronBotBoard = {
		name: "electron_bot",
		about: "ElectronBot, a desktop robot that moves its arms, its body and its head",
		system,
		speaker,
		body,
		start: (weakSupply) => body.start(weakSupply),
		close() {
			button.close();
			body.close();
			speaker.close();
		},
	};
	const onChange = (pressed: boolean) => board.onEvent?.("button_changed", { button: "boot", pressed });
	const button = new GpioButton({ io: Digital, timers, pin: BOOT_PIN, onChange });
	return board;
}
