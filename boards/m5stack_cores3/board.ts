// M5Stack's CoreS3: a loudspeaker behind the amplifier AW88298, a touch screen, and a battery; on a StackChan base a head that
// turns, and LEDs.

import { Aw88298 } from "drivers/aw88298";
import { Axp2101Backlight, Axp2101Battery } from "drivers/axp2101";
import { ChipTemperature } from "drivers/chip-temperature";
import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { I2sSpeaker } from "drivers/i2s-speaker";
import { Parts } from "drivers/parts";
import { Py32Expander, Py32Light } from "drivers/py32-expander";
import { TextScreen } from "drivers/text-screen";
import { TouchPanel, type TouchSensor } from "drivers/touch-panel";
import type { Battery } from "hardware/battery";
import type { Board } from "hardware/board";
import type { RgbLight } from "hardware/rgb-light";
import type { Screen } from "hardware/screen";
import type { Speaker } from "hardware/speaker";
import AudioOut from "sdk/audio-out";
import Ili9341 from "sdk/ili9341";
import parseBMF from "sdk/parse-bmf";
import Poco from "sdk/poco";
import Resource from "sdk/resource";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";
import { type Head, openHead } from "./head.js";
import { BUS, openLines, openPower } from "./power.js";

const SAMPLE_RATE = 48000;
/** One of the resources of the driver text-screen. */
const FONT = "OpenSans-Semibold-28.bf4";
const BASE_LEDS = 12;
const HEAD = "head (SCServo 1 and 2)";

/** What the tools of this board can use; a part that did not answer is undefined. */
export type CoreS3Board = Board & {
	readonly speaker: Speaker | undefined;
	readonly screen: Screen | undefined;
	readonly battery: Battery | undefined;
	/** On a StackChan base. */
	readonly head: Head | undefined;
	/** The LEDs of a StackChan base. */
	readonly light: RgbLight | undefined;
};

/** The target's touch panel; the typing of `device` does not know the target. */
interface TouchDevice {
	readonly sensor: { readonly Touch: new (options: { onError(error: unknown): void }) => TouchSensor };
}

/** Sets up the chips on the internal bus; the pins of I2S are in the target's manifest. */
export function createBoard(): CoreS3Board {
	const parts = new Parts();
	const settings = new PreferenceStore("moddable-mcp");
	const sensor = parts.make("chip temperature", () => new ChipTemperature(esp32));
	const system = new Esp32System({ io: esp32, chip: "esp32s3", settings, sensor });
	const power = parts.make("power chip (AXP2101)", openPower);
	parts.make("port expander (AW9523)", openLines);
	const battery = power && parts.make("battery gauge (AXP2101)", () => new Axp2101Battery(power));
	const screen = parts.make("display (ILI9342 and AXP2101)", () => {
		const backlight = new Axp2101Backlight(expect(power), settings);
		return new TextScreen({ poco: Poco, display: new Ili9341({}), backlight, font: () => parseBMF(new Resource(FONT)), settings });
	});
	const speaker = parts.make("speaker (amplifier AW88298)", () => {
		const amplifier = new Aw88298({ bus: BUS });
		globalThis.amp = amplifier;
		return new I2sSpeaker({ io: AudioOut, timers, settings, sampleRate: SAMPLE_RATE, amplifier });
	});
	// The chips set up above power the bus of the base.
	const base = parts.make("StackChan base (expander PY32)", () => new Py32Expander({ bus: BUS, timers }));
	const light = base && parts.make("LEDs of the StackChan base", () => new Py32Light({ expander: base, timers, length: BASE_LEDS }));
	const head = base && parts.make(HEAD, () => openHead(base));
	const board: CoreS3Board = {
		name: "m5stack_cores3",
		about: "a CoreS3 with a touch screen and a loudspeaker, and on its StackChan base a head that turns and LEDs",
		system,
		speaker,
		screen,
		battery,
		head,
		light,
		missing: parts.missing,
		start(weakSupply) {
			if (weakSupply === undefined) return head?.start();
			if (!head) return;
			head.close();
			Object.assign(board, { head: undefined });
			parts.missing.push({ part: HEAD, reason: weakSupply });
		},
		close: () => parts.close(),
	};
	parts.make("touch panel (FT6336)", () => {
		const { Touch } = (device as unknown as TouchDevice).sensor;
		return new TouchPanel({
			sensor: new Touch({ onError: (error) => trace(`touch panel: ${error}\n`) }),
			timers,
			onChange: (pressed, x, y) => board.onEvent?.("touch_changed", { pressed, x, y }),
		});
	});
	return board;
}

function expect<T>(part: T | undefined): T {
	if (!part) throw new Error("the power chip is missing");
	return part;
}
