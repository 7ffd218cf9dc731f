// The simulated board with a tool that is there only until it has been called.

import { integer } from "mcp/schema";
import type { RuntimeTools } from "mcp/server";
import { createBoard as createSimulator, type SimulatorBoard } from "../../../boards/simulator/board.js";

export function createBoard(): SimulatorBoard {
	return Object.assign(createSimulator(), {
		useTools(tools: RuntimeTools<SimulatorBoard>) {
			tools.addTool("self.guest.greet", "Greets once", { volume: integer({ minimum: 0, maximum: 100 }) }, ({ volume }) => {
				tools.removeTool("self.guest.greet");
				return `Hello at ${volume}`;
			});
		},
	});
}
