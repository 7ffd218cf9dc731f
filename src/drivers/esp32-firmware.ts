// The slot for the next firmware of an ESP32, on ECMA-419's update in Moddable (ESP-IDF, "Over The Air Updates").

import flash from "embedded:storage/flash";
import Update from "embedded:update";
import type { FirmwareSlot, FirmwareWriter } from "../hardware/hardware.js";

/** Moddable's name for the slot that the firmware does not run from. */
const NEXT_SLOT = "nextota";

/** Needs a partition table with two slots; the manifest has it made (`ota.autosplit`). */
export class Esp32Firmware implements FirmwareSlot {
	/** 0 where there is no second slot. */
	get size(): number {
		try {
			const partition = flash.open({ path: NEXT_SLOT });
			const { size } = partition.status();
			partition.close();
			return size;
		} catch {
			return 0;
		}
	}

	open(byteLength: number): FirmwareWriter {
		const partition = flash.open({ path: NEXT_SLOT });
		let update: ReturnType<typeof Update.open> | undefined;
		try {
			update = Update.open({ partition, byteLength });
		} finally {
			if (!update) partition.close();
		}
		let open = true;
		return {
			write: (bytes) => update.write(bytes),
			complete: () => update.complete(),
			close() {
				if (!open) return;
				open = false;
				update.close();
				partition.close();
			},
		};
	}
}
