// "simulator/panel": shows the state of simulated hardware to whoever started the machine.
import { callHost, hosted } from "./bridge.js";

const shown = new Set<string>();

/** Shows a part's whole state, as data that JSON can carry; nobody sees it directly on Node. */
export function show(part: string, state: object): void {
	shown.add(part);
	if (hosted) callHost(["show", part, state]);
}

/** Has a part been shown? */
export function isShown(part: string): boolean {
	return shown.has(part);
}
