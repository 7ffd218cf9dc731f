// The tools of the rocket.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import type { CountdownBoard } from "../board.js";
import { countDown } from "./count-down.js";

export default defineTools<CountdownBoard>([getDeviceStatus, countDown], systemTools(SETTING_NAMES));
