// The chip and what runs on it.

import type { FirmwareSlot } from "./firmware.js";
import type { Network } from "./network.js";
import type { Wifi } from "./wifi.js";

/** The chip and what runs on it. */
export interface System {
	/** The firmware's version. */
	readonly version: string;
	/** The chip's name, such as "esp32s3". */
	readonly chip: string;
	/** The network address as `aa:bb:cc:dd:ee:ff`. */
	readonly macAddress: string;
	/** This device's UUID, made once and kept. */
	readonly uuid: string;
	/** In degrees Celsius, if the chip has a sensor. */
	readonly temperature?: number | undefined;
	/** Model, cores, revision and features, as the platform reports them. */
	readonly chipInfo?: object | undefined;
	/** In bytes. */
	readonly flashSize?: number | undefined;
	/** How the flash is divided, as the platform reports it; at most 16 entries. */
	readonly partitions?: readonly object[] | undefined;
	/** What the running image says about its build, under the names of the device's system information, such as `compile_time`. */
	readonly image?: object | undefined;
	/** Free memory in bytes, if known. */
	readonly freeHeap?: number | undefined;
	/** The least free memory since the start, in bytes, if known. */
	readonly minimumFreeHeap?: number | undefined;
	readonly network?: Network | undefined;
	/** Absent if something else manages the network, as in a simulator. */
	readonly wifi?: Wifi | undefined;
	/** Absent if the firmware cannot be replaced. */
	readonly firmware?: FirmwareSlot | undefined;
	/** Why the machine started, in a few words, if known; "power on" after it had no power. */
	readonly resetReason?: string | undefined;
	/** Restarts the machine; does not return on hardware. */
	restart(): void;
}
