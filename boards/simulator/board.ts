// A board for any computer: simulated hardware with every capability that there is an interface for.

import { JpegCamera } from "drivers/jpeg-camera";
import type { Battery } from "hardware/battery";
import type { Board } from "hardware/board";
import type { Camera } from "hardware/camera";
import type { Lamp } from "hardware/lamp";
import type { RgbLight } from "hardware/rgb-light";
import type { Screen } from "hardware/screen";
import type { Servo } from "hardware/servo";
import type { Speaker } from "hardware/speaker";
import SensorCamera from "sdk/camera";
import config from "sdk/config";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";
import { onInput, show } from "simulator/panel";
import { restart } from "simulator/restart";
import { SimulatedBattery } from "./hardware/battery.js";
import { SimulatedButton } from "./hardware/button.js";
import { SimulatedLamp } from "./hardware/lamp.js";
import { SimulatedLight } from "./hardware/light.js";
import { SimulatedScreen } from "./hardware/screen.js";
import { SimulatedServo } from "./hardware/servo.js";
import { SimulatedSpeaker } from "./hardware/speaker.js";
import { SimulatedSystem } from "./hardware/system.js";
import { STRIP_LENGTH } from "./strip-length.js";

/** What the tools of this board can use. */
export type SimulatorBoard = Board & {
	readonly speaker: Speaker;
	readonly screen: Screen;
	readonly battery: Battery;
	readonly light: RgbLight;
	readonly lamp: Lamp;
	readonly camera: Camera;
	/** Left arm, right arm. */
	readonly servos: readonly Servo[];
};

/** Makes the parts and shows them on the panel. */
export function createBoard(): SimulatorBoard {
	const settings = new PreferenceStore("moddable-mcp");
	const system = new SimulatedSystem({ show, timers, settings, config, restart });
	const speaker = new SimulatedSpeaker({ show, timers, settings });
	const screen = new SimulatedScreen({ show, settings });
	const battery = new SimulatedBattery({ show, onInput });
	const light = new SimulatedLight({ show, timers, length: STRIP_LENGTH });
	const lamp = new SimulatedLamp(show);
	const camera = new JpegCamera({ io: SensorCamera, timers, width: 320, height: 240 });
	const servos = [new SimulatedServo({ show, timers, index: 0 }), new SimulatedServo({ show, timers, index: 1 })];
	const board: SimulatorBoard = {
		name: "simulator",
		about: "a simulated board with a light, an LED strip, a lamp, two servos, a screen, a camera and a loudspeaker",
		system,
		speaker,
		screen,
		battery,
		light,
		lamp,
		camera,
		servos,
		close() {
			for (const part of [speaker, screen, light, lamp, camera, ...servos]) part.close();
		},
	};
	new SimulatedButton({ show, onInput, onChange: (pressed) => board.onEvent?.("button_changed", { button: "button", pressed }) });
	return board;
}
