// The tools of the doorbell.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import type { DoorbellBoard } from "../board.js";
import { getRings } from "./get-rings.js";

export default defineTools<DoorbellBoard>([getDeviceStatus, getRings], systemTools(SETTING_NAMES));
