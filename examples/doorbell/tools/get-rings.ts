// The tool self.bell.get_rings.

import { integer } from "mcp/schema";
import { defineTool, READS } from "mcp/tool";
import type { DoorbellBoard } from "../board.js";

/** `self.bell.get_rings` */
export const getRings = defineTool({
	name: "self.bell.get_rings",
	description: "Returns how often somebody has rung since the device was started.",
	annotations: READS,
	output: { rings: integer({ description: "How often the bell was rung", minimum: 0 }) },
	needs: ["bell"],
	call(_args: object, board: DoorbellBoard) {
		return { rings: board.bell.rings };
	},
});
