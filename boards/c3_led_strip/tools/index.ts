// The fixed tools of the strip, the common ones first.

import { defineTools } from "mcp/tool-list";
import { SETTING_NAMES } from "settings/table";
import { lightTools, showEffect, stripAnimationTools, stripTools } from "tools/light";
import { playMelody, playTone, setVolume } from "tools/speaker";
import { getDeviceStatus } from "tools/status";
import { systemTools } from "tools/system";
import { timerTools } from "tools/timer";
import type { C3LedStripBoard } from "../board.js";
import { STRIP_LENGTH } from "../strip-length.js";

export default defineTools<C3LedStripBoard>(
	[
		getDeviceStatus,
		setVolume,
		playTone,
		playMelody,
		...lightTools,
		...stripTools(STRIP_LENGTH),
		...stripAnimationTools(STRIP_LENGTH),
		showEffect,
		...timerTools,
	],
	systemTools(SETTING_NAMES),
);
