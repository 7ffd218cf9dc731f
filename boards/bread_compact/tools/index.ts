// The fixed tools of the breadboard, the common ones first.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { lampTools } from "tools/lamp";
import { lightTools } from "tools/light";
import { playMelody, playTone, setVolume } from "tools/speaker";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import { timerTools } from "tools/timer";
import type { BreadCompactBoard } from "../board.js";

export default defineTools<BreadCompactBoard>(
	[getDeviceStatus, setVolume, playTone, playMelody, ...lightTools, ...lampTools, ...timerTools],
	systemTools(SETTING_NAMES),
);
