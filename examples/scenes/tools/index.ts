// The tools of the light with scenes.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import type { ScenesBoard } from "../board.js";
import { deleteScene, listScenes, saveScene } from "./scene.js";

export default defineTools<ScenesBoard>([getDeviceStatus, saveScene, listScenes, deleteScene], systemTools(SETTING_NAMES));
