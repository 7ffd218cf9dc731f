// A contact at a window, whose state MCP clients can watch.

import { esp32 } from "drivers/esp32";
import { Esp32System } from "drivers/esp32-system";
import { GpioButton } from "drivers/gpio-button";
import { Parts } from "drivers/parts";
import type { Board } from "hardware/board";
import Digital from "sdk/digital";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";

/** A reed contact to ground: a magnet at the closed window closes it. */
const CONTACT_PIN = 4;

/** What the tools of this board can use. */
export type WindowContactBoard = Board & {
	readonly window: { readonly open: boolean };
};

export function createBoard(): WindowContactBoard {
	const parts = new Parts();
	const system = new Esp32System({ io: esp32, chip: "esp32s3", settings: new PreferenceStore("moddable-mcp") });
	const window = { open: true };
	const board: WindowContactBoard = {
		name: "window_contact",
		about: "a contact that knows whether a window is open",
		system,
		window,
		missing: parts.missing,
		close: () => parts.close(),
	};
	const onChange = (closed: boolean) => {
		window.open = !closed;
		// An event that ends in "_changed" is in the resource board://input, under the rest of its name.
		board.onEvent?.("window_changed", { open: window.open });
	};
	parts.add(new GpioButton({ io: Digital, timers, pin: CONTACT_PIN, onChange }));
	return board;
}
