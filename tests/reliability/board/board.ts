// The simulated board with the name of a real chip, so that it can tell an image for another one.

import { createBoard as createSimulator, type SimulatorBoard } from "../../../boards/simulator/board.js";

export function createBoard(): SimulatorBoard {
	const board = createSimulator();
	Object.defineProperty(board.system, "chip", { value: "esp32s3" });
	return board;
}
