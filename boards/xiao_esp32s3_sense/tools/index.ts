// The fixed tools of the XIAO ESP32S3 Sense, the common ones first.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { takePhoto } from "tools/camera";
import { lampTools } from "tools/lamp";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import { timerTools } from "tools/timer";
import type { XiaoSenseBoard } from "../board.js";

export default defineTools<XiaoSenseBoard>([getDeviceStatus, takePhoto, ...lampTools, ...timerTools], systemTools(SETTING_NAMES));
