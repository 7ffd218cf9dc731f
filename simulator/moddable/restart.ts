// Restarts the app in Moddable's simulator: the panel reloads it, which ends this machine and starts a new one.

import { show } from "simulator/panel";
import Timer from "timer";

/** How long the panel may take before its silence is told. */
const RESTART_LIMIT_MS = 3000;

/** Asks the panel for a new start. It returns; the machine ends shortly afterwards. */
export function restart(): void {
	show("system", { restart: true });
	Timer.set(() => trace("restart: the simulator did not reload the app; is it running with this project's panel?\n"), RESTART_LIMIT_MS);
}
