// A simulated board that connects to a backend of this process.

import { type RunDeviceOptions, type RunningDevice, runDevice } from "../simulator/run-device.js";
import { defaultMacAddress, uuidOf } from "./options.js";

export interface SimulatedBoardOptions extends Pick<RunDeviceOptions, "onLog" | "onDescribe" | "onShow" | "onRestart"> {
	/** A folder's name in boards/, or a path. */
	board: string;
	/** Where it connects to. */
	url: string;
	/** The backend's, where it wants one. */
	token?: string | undefined;
	/** Of the build: "en" or "zh". */
	language?: string | undefined;
}

/** The id that a simulated board has on this machine, unless it is told otherwise. */
export const simulatedId = () => defaultMacAddress();

/** @throws Error as `runDevice` */
export function runSimulatedBoard({ url, token, language, ...options }: SimulatedBoardOptions): Promise<RunningDevice> {
	const id = simulatedId();
	// Backend and device are on one computer: TLS would protect nothing.
	const config = { url, device_id: id, client_id: uuidOf(id), owner_tools: "on", token, language };
	return runDevice({ ...options, engine: "auto", config });
}
