// Otto, the walking robot, on an ESP32-S3 with six servos and a MAX98357A amplifier.

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
import { HOMES, JOINTS, LEFT_FOOT, LEFT_HAND, LEFT_LEG, RIGHT_FOOT, RIGHT_HAND, RIGHT_LEG, TRIM_LIMIT } from "./joints.js";

const LEFT_LEG_PIN = 17;
const RIGHT_LEG_PIN = 39;
const LEFT_FOOT_PIN = 18;
const RIGHT_FOOT_PIN = 38;
const LEFT_HAND_PIN = 8;
const RIGHT_HAND_PIN = 12;
const BOOT_PIN = 0;
/** Between the joints that come to rest after a start, in milliseconds: the supply recovers. */
const START_PAUSE_MS = 200;

/** What the tools of this board can use. */
export type OttoBoard = Board & {
	readonly speaker: Speaker;
	readonly body: Body;
};

/** Opens the pins; those of I2S are in the manifest. Otto stands up in `start`. */
export function createBoard(): OttoBoard {
	const settings = new PreferenceStore("moddable-mcp");
	const system = new Esp32System({ io: esp32, chip: "esp32s3", settings });
	const speaker = new I2sSpeaker({ io: AudioOut, timers, settings });
	const joint = (index: number, pin: number, side: number, mirror: number) => {
		const home = HOMES[index] as number;
		return { name: JOINTS[index] as string, servo: new PinServo({ io: Servo, timers, pin, angle: home, idleMs: 0 }), home, side, mirror };
	};
	const body = new ServoBody({
		joints: [
			joint(LEFT_LEG, LEFT_LEG_PIN, 1, RIGHT_LEG),
			joint(RIGHT_LEG, RIGHT_LEG_PIN, -1, LEFT_LEG),
			joint(LEFT_FOOT, LEFT_FOOT_PIN, 1, RIGHT_FOOT),
			joint(RIGHT_FOOT, RIGHT_FOOT_PIN, -1, LEFT_FOOT),
			joint(LEFT_HAND, LEFT_HAND_PIN, 1, RIGHT_HAND),
			joint(RIGHT_HAND, RIGHT_HAND_PIN, -1, LEFT_HAND),
		],
		timers,
		trims: new PreferenceStore("otto-trims"),
		trimLimit: TRIM_LIMIT,
		startPauseMs: START_PAUSE_MS,
	});
	const board: OttoBoard = {
		name: "otto",
		about: "Otto, a small walking robot with two legs and two hands",
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
