// User-only tools about the device itself; a model neither sees nor needs them.

import Timer from "timer";
import type { Board } from "../hardware/hardware.js";
import { defineTool, type Tool } from "../mcp/tool.js";

/** What the application is called in the system information. */
const APPLICATION_NAME = "moddable-mcp";
/** From the answer to the restart, so that the answer leaves the device first. */
export const RESTART_DELAY_MS = 1000;

/** `self.get_system_info`, in the shape that the reference firmware reports to its configuration server. */
export const getSystemInfo = defineTool({
	name: "self.get_system_info",
	description:
		"Gives the device's identity and versions: network address, UUID, chip, application, board, network link, free memory, and parts that did not answer.",
	annotations: { readOnlyHint: true, idempotentHint: true },
	call(_args: object, board: Board) {
		const { version, macAddress, uuid, chip, minimumFreeHeap, freeHeap, network } = board.system;
		const info: { [name: string]: unknown } = { version: 2, mac_address: macAddress, uuid, chip_model_name: chip };
		// As a text: so the reference has it.
		if (minimumFreeHeap !== undefined) info.minimum_free_heap_size = String(minimumFreeHeap);
		if (freeHeap !== undefined) info.free_heap_size = freeHeap;
		info.application = { name: APPLICATION_NAME, version };
		const about: { [name: string]: unknown } = { type: board.name, name: board.name };
		if (network?.ssid !== undefined) about.ssid = network.ssid;
		if (network?.rssi !== undefined) about.rssi = network.rssi;
		if (network?.ip !== undefined) about.ip = network.ip;
		about.mac = macAddress;
		info.board = about;
		const missing = board.missing ?? [];
		if (missing.length) info.missing = missing.map(({ part, reason }) => ({ part, reason }));
		return info;
	},
});

/** `self.reboot`: answers, then restarts. */
export const reboot = defineTool({
	name: "self.reboot",
	description: "Restarts the device one second after the answer. The connection is lost and comes back by itself.",
	annotations: { destructiveHint: true },
	call(_args: object, board: Board) {
		Timer.set(() => board.system.restart(), RESTART_DELAY_MS);
		return true;
	},
});

/** The user-only tools of every board. */
export const systemTools: readonly Tool<Board>[] = Object.freeze([getSystemInfo, reboot]);
