// The fixed tools of Otto, the common ones first.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { robotTools } from "tools/robot";
import { playTone, setVolume } from "tools/speaker";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import { timerTools } from "tools/timer";
import type { OttoBoard } from "../board.js";
import { JOINTS, TRIM_LIMIT } from "../joints.js";
import { action } from "./action.js";
import { servoSequences } from "./sequence.js";

export default defineTools<OttoBoard>(
	[
		getDeviceStatus,
		setVolume,
		playTone,
		action,
		servoSequences,
		...robotTools({ thing: "otto", joints: JOINTS, trimLimit: TRIM_LIMIT }),
		...timerTools,
	],
	systemTools(SETTING_NAMES),
);
