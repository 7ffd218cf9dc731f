// The fixed tools of the robot dog: the common ones first.

import { defineTools } from "mcp/tool-list";
import { lightTools } from "tools/light";
import { robotTools } from "tools/robot";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import type { EspHiBoard } from "../board.js";
import { LEGS, TRIM_LIMIT } from "../legs.js";
import { advancedControl, basicControl, forward } from "./dog.js";

export default defineTools<EspHiBoard>(
	[getDeviceStatus, basicControl, advancedControl, forward, ...robotTools({ thing: "dog", joints: LEGS, trimLimit: TRIM_LIMIT }), ...lightTools],
	systemTools,
);
