// The board that exists everywhere: simulated hardware with every capability that the interfaces know.

import type { Battery } from "hardware/battery";
import type { Board } from "hardware/board";
import type { Lamp } from "hardware/lamp";
import type { RgbLight } from "hardware/rgb-light";
import type { Screen } from "hardware/screen";
import type { Servo } from "hardware/servo";
import type { Speaker } from "hardware/speaker";
import { PreferenceStore } from "settings/preference-store";
import { SimulatedBattery } from "./hardware/battery.js";
import { SimulatedLamp } from "./hardware/lamp.js";
import { SimulatedLight } from "./hardware/light.js";
import { SimulatedScreen } from "./hardware/screen.js";
import { SimulatedServo } from "./hardware/servo.js";
import { SimulatedSpeaker } from "./hardware/speaker.js";
import { SimulatedSystem } from "./hardware/system.js";
import { STRIP_LENGTH } from "./strip-length.js";

/** What the tools of this board can count on. */
export type SimulatorBoard = Board & {
	readonly speaker: Speaker;
	readonly screen: Screen;
	readonly battery: Battery;
	readonly light: RgbLight;
	readonly lamp: Lamp;
	/** Left arm, right arm. */
	readonly servos: readonly Servo[];
};

/** Makes the parts and shows them on the panel. */
export function createBoard(): SimulatorBoard {
	const settings = new PreferenceStore("moddable-mcp");
	const system = new SimulatedSystem(settings);
	const speaker = new SimulatedSpeaker(settings);
	const screen = new SimulatedScreen(settings);
	const battery = new SimulatedBattery();
	const light = new SimulatedLight(STRIP_LENGTH);
	const lamp = new SimulatedLamp();
	const servos = [new SimulatedServo(0), new SimulatedServo(1)];
	return {
		name: "simulator",
		system,
		speaker,
		screen,
		battery,
		light,
		lamp,
		servos,
		close() {
			for (const part of [speaker, screen, light, lamp, ...servos]) part.close();
		},
	};
}
