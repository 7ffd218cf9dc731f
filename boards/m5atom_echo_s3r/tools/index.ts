// The fixed tools of the EchoS3R, the common ones first.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { playMelody, playTone, setVolume } from "tools/speaker";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import { timerTools } from "tools/timer";
import type { EchoS3rBoard } from "../board.js";

export default defineTools<EchoS3rBoard>([getDeviceStatus, setVolume, playTone, playMelody, ...timerTools], systemTools(SETTING_NAMES));
