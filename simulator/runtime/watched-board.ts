// The board that the firmware gets in a simulated machine: its own, on simulated hardware, with somebody who looks at it.
import "./hardware/device.js";
import { createBoard as create } from "board/unwatched";
import { watchBoard } from "./board-watch.js";

/** Makes the board; what it throws, this throws. */
export function createBoard(): ReturnType<typeof create> {
	return watchBoard(create());
}
