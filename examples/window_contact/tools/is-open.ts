// The tool self.window.is_open.

import { boolean } from "mcp/schema";
import { defineTool, READS } from "mcp/tool";
import type { WindowContactBoard } from "../board.js";

/** `self.window.is_open` */
export const isOpen = defineTool({
	name: "self.window.is_open",
	description: "Returns whether the window is open.",
	annotations: READS,
	output: { open: boolean({ description: "Is the window open?" }) },
	needs: ["window"],
	call(_args: object, board: WindowContactBoard) {
		return { open: board.window.open };
	},
});
