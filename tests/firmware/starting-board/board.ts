// The simulated board after a brown-out, with something that moves at the start and tells what is in the record by then.

import Preference from "preference";
import { createBoard as createSimulator, type SimulatorBoard } from "../../../boards/simulator/board.js";

export function createBoard(): SimulatorBoard {
	const board = createSimulator();
	Object.defineProperty(board.system, "resetReason", { value: "brownout" });
	return Object.assign(board, {
		start(weakSupply?: string) {
			const restarts = String(Preference.get("mcp-life", "restarts"));
			trace(`moving: after ${restarts.split("\n").at(-1)}; ${weakSupply ?? "the supply is good"}\n`);
		},
	});
}
