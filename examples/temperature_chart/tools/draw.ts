// The tool self.temperature.draw: a picture that is made on the device.

import { base64 } from "base/bytes";
import { image, text } from "mcp/content";
import { defineTool, READS } from "mcp/tool";
import type { TemperatureChartBoard } from "../board.js";
import { png } from "./png.js";

const WIDTH = 120;
const HEIGHT = 48;
/** The scale, in degrees. */
const LOWEST = 10;
const HIGHEST = 80;

/** `self.temperature.draw` */
export const draw = defineTool({
	name: "self.temperature.draw",
	description: "Returns a chart of the chip's temperature over the last hour, one reading a minute, as a picture.",
	annotations: READS,
	needs: ["readings"],
	call(_args: object, board: TemperatureChartBoard) {
		const readings = board.readings ?? [];
		const heights = readings.map((celsius) => Math.round(((celsius - LOWEST) * HEIGHT) / (HIGHEST - LOWEST)));
		const bar = WIDTH / 60;
		const first = WIDTH - bar * heights.length;
		const picture = png(WIDTH, HEIGHT, (x, y) => x >= first && HEIGHT - y <= (heights[Math.floor((x - first) / bar)] ?? 0));
		const newest = readings[readings.length - 1];
		return [
			text(newest === undefined ? "No readings yet." : `Now ${newest} °C; the chart goes from ${LOWEST} to ${HIGHEST} °C.`),
			image(base64(picture), "image/png"),
		];
	},
});
