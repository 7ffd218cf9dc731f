// The tools of the thermometer.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import type { TemperatureChartBoard } from "../board.js";
import { draw } from "./draw.js";

export default defineTools<TemperatureChartBoard>([getDeviceStatus, draw], systemTools(SETTING_NAMES));
