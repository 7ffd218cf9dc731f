// The services of the running firmware, as the owner's tools know them.

import type { Timers } from "../base/timers.js";
import type { Board } from "../hardware/board.js";
import type { DeviceServices } from "../hardware/device.js";
import { ToolError } from "../mcp/content.js";
import { listSettings, resetSettings, setSetting } from "../settings/settings.js";
import type { SettingName } from "../settings/table.js";
import type { BootLog } from "./boot-log.js";
import { deviceInformation } from "./information.js";

/** How long after `restart` the device restarts, so that an answer leaves it first. */
export const RESTART_DELAY_MS = 1000;

export interface ServicesOptions extends Pick<DeviceServices, "openSetup" | "upgrade"> {
	board: Board;
	bootLog: BootLog;
	timers: Timers;
}

export function createServices({ board, bootLog, timers, openSetup, upgrade }: ServicesOptions): DeviceServices {
	const checkRestart = () => {
		const problem = bootLog.askedProblem;
		if (problem !== undefined) throw new ToolError(problem);
	};
	return {
		settings: {
			list: listSettings,
			set: (name, value) => setSetting(name as SettingName, value),
			reset() {
				checkRestart();
				resetSettings();
			},
		},
		information: () => deviceInformation(board, bootLog),
		restart(reason) {
			checkRestart();
			// The machine may be switched off while it waits.
			bootLog.planAsked(reason);
			timers.set(() => board.system.restart(), RESTART_DELAY_MS);
		},
		openSetup,
		async upgrade(url, force) {
			checkRestart();
			return upgrade(url, force);
		},
	};
}
