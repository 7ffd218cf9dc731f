// "simulator/panel": shows the state of simulated hardware to whoever started the machine.
import { callHost, hosted } from "./bridge.js";

/** The parts that have been shown. */
export const shownParts = new Set<string>();

/** Shows a part's whole state, as data that JSON can carry; nobody sees it directly on Node. */
export function show(part: string, state: object): void {
	shownParts.add(part);
	if (hosted) callHost(["show", part, state]);
}
