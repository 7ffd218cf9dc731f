// "simulator/restart": ends this machine and starts a fresh one with the same preferences.
import { callHost } from "./bridge.js";

/** Restarts the machine; it does not return. @throws Error directly on Node */
export function restart(): void {
	callHost(["restart"]);
}
