// The fixed tools of the simulated board, the common ones first.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { takePhoto } from "tools/camera";
import { lampTools } from "tools/lamp";
import { lightTools, stripAnimationTools, stripTools } from "tools/light";
import { setBrightness, setTheme } from "tools/screen";
import { servoTool } from "tools/servo";
import { playTone, setVolume } from "tools/speaker";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import { timerTools } from "tools/timer";
import type { SimulatorBoard } from "../board.js";
import { STRIP_LENGTH } from "../strip-length.js";

export default defineTools<SimulatorBoard>(
	[
		getDeviceStatus,
		setVolume,
		setBrightness,
		setTheme,
		playTone,
		...lightTools,
		...stripTools(STRIP_LENGTH),
		...stripAnimationTools(STRIP_LENGTH),
		servoTool({
			labels: [
				{ en: "left arm", zh: "左臂" },
				{ en: "right arm", zh: "右臂" },
			],
		}),
		...lampTools,
		takePhoto,
		...timerTools,
	],
	systemTools(SETTING_NAMES),
);
