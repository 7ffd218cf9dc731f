// Seeed's XIAO ESP32S3 Sense: a camera OV2640, the small yellow light of the module as a lamp, and the boot button.

import { ChipTemperature } from "drivers/chip-temperature";
import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { GpioButton } from "drivers/gpio-button";
import { GpioLamp } from "drivers/gpio-lamp";
import { JpegCamera } from "drivers/jpeg-camera";
import { Parts } from "drivers/parts";
import type { Board } from "hardware/board";
import type { Camera } from "hardware/camera";
import type { Lamp } from "hardware/lamp";
import SensorCamera from "sdk/camera";
import Digital from "sdk/digital";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";

const LAMP_PIN = 21;
const BOOT_PIN = 0;

/** What the tools of this board can use; a part that did not answer is undefined. */
export type XiaoSenseBoard = Board & {
	readonly lamp: Lamp;
	readonly camera: Camera | undefined;
};

/** Opens the pins; those of the camera are in the target's manifest. */
export function createBoard(): XiaoSenseBoard {
	const parts = new Parts();
	const settings = new PreferenceStore("moddable-mcp");
	const sensor = parts.make("chip temperature", () => new ChipTemperature(esp32));
	const system = new Esp32System({ io: esp32, chip: "esp32s3", settings, sensor });
	const lamp = parts.add(new GpioLamp({ io: Digital, pin: LAMP_PIN, activeLow: true }));
	const camera = parts.make("camera (OV2640)", () => new JpegCamera({ io: SensorCamera, timers, width: 640, height: 480 }));
	const board: XiaoSenseBoard = {
		name: "xiao_esp32s3_sense",
		about: "a small camera with a lamp",
		system,
		lamp,
		camera,
		missing: parts.missing,
		close: () => parts.close(),
	};
	parts.add(
		new GpioButton({ io: Digital, timers, pin: BOOT_PIN, onChange: (pressed) => board.onEvent?.("button_changed", { button: "boot", pressed }) }),
	);
	return board;
}
