// The fixed tools of the CoreS3, the common ones first.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { setBrightness, setTheme } from "tools/screen";
import { playMelody, playTone, setVolume } from "tools/speaker";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import { timerTools } from "tools/timer";
import type { CoreS3Board } from "../board.js";
import { getHeadAngles, setHeadAngles, setLedColor, stopHead } from "./robot.js";

export default defineTools<CoreS3Board>(
	[getDeviceStatus, setVolume, setBrightness, setTheme, playTone, playMelody, setHeadAngles, getHeadAngles, stopHead, setLedColor, ...timerTools],
	systemTools(SETTING_NAMES),
);
