// "simulator/turns" in Moddable's simulator: calls back often enough that nobody sees the difference from after each event.

import Timer from "timer";

const TURN_MS = 100;

/** Registers who is called from now on, until the machine ends. */
export function onTurn(callback: () => void): void {
	Timer.repeat(callback, TURN_MS);
}
