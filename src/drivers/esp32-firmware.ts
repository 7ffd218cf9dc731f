// The slot for the next firmware of an ESP32, on ECMA-419's update in Moddable (ESP-IDF, "Over The Air Updates").

import type { FirmwareSlot, FirmwareWriter } from "../hardware/firmware.js";
import type { Natives } from "../sdk/ffi.js";
import type { Flash } from "../sdk/flash.js";
import type { FirmwareUpdate, Updates } from "../sdk/update.js";
import { readRunningLabel } from "./esp32-facts.js";

/** Moddable's name for the slot that the firmware does not run from. */
const NEXT_SLOT = "nextota";
/** `ESP_OTA_IMG_PENDING_VERIFY`: the bootloader has started the image for the first time and waits for it to be confirmed. */
const PENDING_VERIFY = 1;

export interface Esp32FirmwareOptions {
	natives: Natives;
	flash: Flash;
	update: Updates;
}

/**
 * Needs a partition table with two slots; the manifest has it made (`ota.autosplit`). `onTrial` is true only where the bootloader
 * was built with `CONFIG_BOOTLOADER_APP_ROLLBACK_ENABLE`; `rollBack` works with any.
 */
export class Esp32Firmware implements FirmwareSlot {
	readonly #natives: Natives;
	readonly #flash: Flash;
	readonly #update: Updates;

	constructor({ natives, flash, update }: Esp32FirmwareOptions) {
		this.#natives = natives;
		this.#flash = flash;
		this.#update = update;
	}

	/** 0 if there is no second slot. */
	get size(): number {
		try {
			const partition = this.#flash.open({ path: NEXT_SLOT });
			const { size } = partition.status();
			partition.close();
			return size;
		} catch {
			return 0;
		}
	}

	get running(): string | undefined {
		return readRunningLabel(this.#natives);
	}

	get onTrial(): boolean {
		const state = new Uint32Array(1);
		return (
			this.#natives.esp_ota_get_state_partition(this.#natives.esp_ota_get_running_partition(), state.buffer) === 0 && state[0] === PENDING_VERIFY
		);
	}

	confirm(): void {
		const code = this.#natives.esp_ota_mark_app_valid_cancel_rollback();
		if (code !== 0) throw new Error(`ESP-IDF's error ${code}`);
	}

	rollBack(): void {
		// It returns only when it fails.
		throw new Error(`ESP-IDF's error ${this.#natives.esp_ota_mark_app_invalid_rollback_and_reboot()}`);
	}

	open(byteLength: number): FirmwareWriter {
		const partition = this.#flash.open({ path: NEXT_SLOT });
		let update: FirmwareUpdate | undefined;
		try {
			update = this.#update.open({ partition, byteLength });
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
