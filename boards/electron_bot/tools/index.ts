// The fixed tools of the ElectronBot, the common ones first.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { robotTools } from "tools/robot";
import { playTone, setVolume } from "tools/speaker";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import { timerTools } from "tools/timer";
import type { ElectronBotBoard } from "../board.js";
import { JOINTS, TRIM_LIMIT } from "../joints.js";
import { bodyTurn, handAction, headMove, servoMove } from "./electron.js";

export default defineTools<ElectronBotBoard>(
	[
		getDeviceStatus,
		setVolume,
		playTone,
		handAction,
		bodyTurn,
		headMove,
		servoMove,
		...robotTools({ thing: "electron", joints: JOINTS, trimLimit: TRIM_LIMIT }),
		...timerTools,
	],
	systemTools(SETTING_NAMES),
);
