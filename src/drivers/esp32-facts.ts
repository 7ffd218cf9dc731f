// What an ESP32 reports about itself, its flash and its firmware: read on demand, so that none of it stays in RAM.
// ESP-IDF: "Misc System APIs" (chip), "SPI Flash API", "Partition Tables".

import { DESCRIPTION_BYTES, DESCRIPTION_OFFSET, type ImageInfo, imageInfo, printable } from "../base/firmware-image.js";
import type { Natives } from "../sdk/ffi.js";
import type { Flash } from "../sdk/flash.js";

/** What the chip says about itself: the members of ESP-IDF's `esp_chip_info_t`. */
export interface ChipInfo {
	/** `esp_chip_model_t`. */
	readonly model: number;
	readonly cores: number;
	/** Hundreds are the major version, the rest is the minor one. */
	readonly revision: number;
	/** A bit for each `CHIP_FEATURE_…`. */
	readonly features: number;
}

/** A part of the flash: an entry of ESP-IDF's partition table. */
export interface Partition {
	readonly label: string;
	readonly type: number;
	readonly subtype: number;
	/** In bytes from the beginning of the flash. */
	readonly address: number;
	/** In bytes. */
	readonly size: number;
}

/** The size of `esp_chip_info_t`: two integers of 32 bits, one of 16, one of 8, and a byte of padding. */
const CHIP_INFO_BYTES = 12;
/** `CONFIG_PARTITION_TABLE_OFFSET`, which no target of Moddable's changes. */
const TABLE_ADDRESS = 0x8000;
const ENTRY_BYTES = 32;
/** No more are reported: a reply has to fit into a message. */
const MAX_PARTITIONS = 16;
/** The first bytes of an entry; those of the checksum and of free entries differ. */
const ENTRY_MAGIC = 0x50aa;
/** From the beginning of an entry. */
const LABEL = Object.freeze({ offset: 12, length: 16 });
/** `ESP_PARTITION_TYPE_APP`. */
const APPLICATION = 0;
/** For a pointer that ESP-IDF takes as "the default" or "any". */
const NULL = 0;

export function readChipInfo(natives: Natives): ChipInfo {
	const info = new DataView(new ArrayBuffer(CHIP_INFO_BYTES));
	natives.esp_chip_info(info.buffer);
	return {
		model: info.getUint32(0, true),
		cores: info.getUint8(10),
		revision: info.getUint16(8, true),
		features: info.getUint32(4, true),
	};
}

/** In bytes; undefined when the flash does not say. */
export function readFlashSize(natives: Natives): number | undefined {
	const size = new Uint32Array(1);
	return natives.esp_flash_get_size(NULL, size.buffer) === 0 ? size[0] : undefined;
}

/** The first 16 partitions; undefined when there is no table, or an encrypted one. */
export function readPartitions(natives: Natives): Partition[] | undefined {
	const table = new Uint8Array(MAX_PARTITIONS * ENTRY_BYTES);
	if (natives.esp_flash_read(NULL, table.buffer, TABLE_ADDRESS, table.byteLength) !== 0) return undefined;
	const view = new DataView(table.buffer);
	const partitions: Partition[] = [];
	for (let entry = 0; entry < table.byteLength; entry += ENTRY_BYTES) {
		if (view.getUint16(entry, true) !== ENTRY_MAGIC) break;
		partitions.push({
			label: printable(table, entry + LABEL.offset, LABEL.length),
			type: view.getUint8(entry + 2),
			subtype: view.getUint8(entry + 3),
			address: view.getUint32(entry + 4, true),
			size: view.getUint32(entry + 8, true),
		});
	}
	return partitions.length ? partitions : undefined;
}

/** What the running image says about itself; undefined when it cannot be read. */
export function readImage(flash: Flash): ImageInfo | undefined {
	try {
		const partition = flash.open({ path: "running" });
		try {
			return imageInfo(new Uint8Array(partition.read(DESCRIPTION_BYTES, DESCRIPTION_OFFSET)));
		} finally {
			partition.close();
		}
	} catch {
		return undefined;
	}
}

/** The label of the partition that the firmware runs from; undefined when it is not among the first 16. */
export function readRunningLabel(natives: Natives): string | undefined {
	// Both are pointers into ESP-IDF's own list of partitions, so the same partition is the same number.
	const running = natives.esp_ota_get_running_partition();
	return readPartitions(natives)?.find(
		({ type, subtype }) => type === APPLICATION && natives.esp_partition_find_first(type, subtype, NULL) === running,
	)?.label;
}
