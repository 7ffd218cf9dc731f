// What the device tells about itself, in the shape that the reference firmware reports to its configuration server.

import type { LivingBoard } from "./living-board.js";

/** What the application is called. */
export const APPLICATION_NAME = "moddable-mcp";

/** Identity, versions, memory and network link of a device; what is not known is left out. */
export function systemInformation(board: LivingBoard): { [name: string]: unknown } {
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
	return info;
}
