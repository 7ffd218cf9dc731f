// The fixed tools of the robot dog, the common ones first.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { lightTools } from "tools/light";
import { robotTools } from "tools/robot";
import { playMelody, playTone, setVolume } from "tools/speaker";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import { timerTools } from "tools/timer";
import type { EspHiBoard } from "../board.js";
import { LEGS, TRIM_LIMIT } from "../legs.js";
import { advancedControl, basicControl, forward } from "./dog.js";

export default defineTools<EspHiBoard>(
	[
		getDeviceStatus,
		setVolume,
		playTone,
		playMelody,
		basicControl,
		advancedControl,
		forward,
		...robotTools({ thing: "dog", joints: LEGS, trimLimit: TRIM_LIMIT }),
		...lightTools,
		...timerTools,
	],
	systemTools(SETTING_NAMES),
);
