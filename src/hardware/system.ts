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
	/** In degrees Celsius, where the chip has a sensor. */
	readonly temperature?: number | undefined;
	/** Model, cores, revision and features, as the platform reports them. */
	readonly chipInfo?: object | undefined;
	/** In bytes. */
	readonly flashSize?: number | undefined;
	/** How the flash is divided, as the platform reports it; at most 16 entries. */
	readonly partitions?: readonly object[] | undefined;
	/** What the running image says about its build, under the names of the device's report, such as `compile_time`. */
	readonly image?: object | undefined;
	/** Free memory in bytes, where it is known. */
	readonly freeHeap?: number | undefined;
	/** The least that was ever free since the start, in bytes, where it is known. */
	readonly minimumFreeHeap?: number | undefined;
	readonly network?: Network | undefined;
	/** Absent where the network is somebody else's business, as in a simulator. */
	readonly wifi?: Wifi | undefined;
	/** Absent where the firmware cannot be replaced. */
	readonly firmware?: FirmwareSlot | undefined;
	/** Why the machine started, in a few words, where it is known; "power on" when it was without power before. */
	readonly resetReason?: string | undefined;
	/** Restarts the machine; it does not return on hardware. */
	restart(): void;
}
