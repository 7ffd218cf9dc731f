// What the device tells about itself, in the shape that the reference firmware reports to its configuration server.

import type { Board } from "../hardware/board.js";
import type { BootLog } from "./boot-log.js";

/** What the application is called. */
export const APPLICATION_NAME = "moddable-mcp";

/** Identity, versions, flash, memory and network link of a device; what is not known is undefined, so that JSON leaves it out. */
export function systemInformation({ name, system }: Board): { [name: string]: unknown } {
	const { version, macAddress, uuid, chip, chipInfo, firmware, flashSize, minimumFreeHeap, freeHeap, image, network, partitions } = system;
	const slot = firmware?.running;
	return {
		version: 2,
		flash_size: flashSize,
		// A string, as in the reference.
		minimum_free_heap_size: minimumFreeHeap === undefined ? undefined : String(minimumFreeHeap),
		free_heap_size: freeHeap,
		mac_address: macAddress,
		uuid,
		chip_model_name: chip,
		chip_info: chipInfo,
		application: {
			name: APPLICATION_NAME,
			version,
			...image,
		},
		partition_table: partitions,
		ota: slot === undefined ? undefined : { label: slot },
		board: {
			type: name,
			name,
			ssid: network?.ssid,
			rssi: network?.rssi,
			channel: network?.channel,
			ip: network?.ip,
			mac: macAddress,
		},
	};
}

/** `systemInformation`, the parts that did not answer, and the history of restarts and disconnects. */
export function deviceInformation(board: Board, bootLog?: BootLog): { [name: string]: unknown } {
	const info = systemInformation(board);
	if (board.missing?.length) info.missing = board.missing.map(({ part, reason }) => ({ part, reason }));
	if (bootLog) {
		info.safe_mode = bootLog.safeMode;
		info.last_restarts = [...bootLog.restarts];
		info.last_disconnects = [...bootLog.disconnects];
	}
	return info;
}
