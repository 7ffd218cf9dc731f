// A button at the door that tells the assistant when somebody rings.

import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { GpioButton } from "drivers/gpio-button";
import { Parts } from "drivers/parts";
import type { Board } from "hardware/board";
import Digital from "sdk/digital";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";

/** The board's own boot button. */
const BELL_PIN = 0;

/** What the tools of this board can use. */
export type DoorbellBoard = Board & {
	readonly bell: { readonly rings: number };
};

export function createBoard(): DoorbellBoard {
	const parts = new Parts();
	const system = new Esp32System({ io: esp32, chip: "esp32s3", settings: new PreferenceStore("moddable-mcp") });
	let rings = 0;
	const board: DoorbellBoard = {
		name: "doorbell",
		about: "a doorbell that tells the assistant when somebody rings",
		system,
		bell: {
			get rings() {
				return rings;
			},
		},
		missing: parts.missing,
		close: () => parts.close(),
	};
	const ring = (pressed: boolean) => {
		board.onEvent?.("button_changed", { button: "bell", pressed });
		if (!pressed) return;
		rings++;
		board.say?.("Somebody is ringing at the door.");
	};
	parts.add(new GpioButton({ io: Digital, timers, pin: BELL_PIN, onChange: ring }));
	return board;
}
