// The tools of the window contact.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import type { WindowContactBoard } from "../board.js";
import { isOpen } from "./is-open.js";

export default defineTools<WindowContactBoard>([getDeviceStatus, isOpen], systemTools(SETTING_NAMES));
