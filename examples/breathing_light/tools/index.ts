// The tools of the breathing light.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { lightTools } from "tools/light";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import type { BreathingLightBoard } from "../board.js";
import { breathe } from "./breathe.js";

export default defineTools<BreathingLightBoard>([getDeviceStatus, ...lightTools, breathe], systemTools(SETTING_NAMES));
