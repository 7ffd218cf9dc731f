// "mc/ffi": the functions of ESP-IDF that the drivers call, for a chip that is only simulated.

import Net from "net";
import { restart } from "simulator/restart";
import { CHIP_INFO, confirm, FLASH_BYTES, isPending, PARTITIONS, rollBack, runningSlot } from "simulator/slots";

/** ESP-IDF's answer when all is well. */
const OK = 0;
/** ESP-IDF's answer when it is not. */
const FAIL = -1;
/** States of an image (`esp_ota_img_states_t`). */
const PENDING_VERIFY = 1;
const VALID = 2;
/** Where the partition table is. */
const TABLE_ADDRESS = 0x8000;
const ENTRY_BYTES = 32;
/** In degrees Celsius. */
const TEMPERATURE = 42.5;
const FREE_HEAP_BYTES = 150_000;
/** A locally administered address, where the configuration has none. */
const ADDRESS = "02:00:00:00:00:00";

/** A function that is not here is the same clear error as a module that is not there. */
class Functions {
	esp_chip_info(info: ArrayBuffer): void {
		const view = new DataView(info);
		view.setUint32(0, CHIP_INFO.model, true);
		view.setUint32(4, CHIP_INFO.features, true);
		view.setUint16(8, CHIP_INFO.revision, true);
		view.setUint8(10, CHIP_INFO.cores);
	}

	esp_flash_get_size(_chip: number, size: ArrayBuffer): number {
		new Uint32Array(size)[0] = FLASH_BYTES;
		return OK;
	}

	/** Knows the partition table; the rest is empty. */
	esp_flash_read(_chip: number, bytes: ArrayBuffer, address: number, length: number): number {
		const view = new DataView(bytes);
		for (let i = 0; i < length; i++) view.setUint8(i, 0xff);
		if (address !== TABLE_ADDRESS) return OK;
		PARTITIONS.forEach(({ label, type, subtype, address, size }, index) => {
			const entry = index * ENTRY_BYTES;
			view.setUint16(entry, 0x50aa, true);
			view.setUint8(entry + 2, type);
			view.setUint8(entry + 3, subtype);
			view.setUint32(entry + 4, address, true);
			view.setUint32(entry + 8, size, true);
			for (let i = 12; i < ENTRY_BYTES; i++) view.setUint8(entry + i, label.charCodeAt(i - 12) || 0);
		});
		return OK;
	}

	esp_get_free_heap_size(): number {
		return FREE_HEAP_BYTES;
	}

	esp_get_minimum_free_heap_size(): number {
		return FREE_HEAP_BYTES;
	}

	/** A pointer to a partition is its place in the table, from 1 on. */
	esp_ota_get_running_partition(): number {
		return PARTITIONS.findIndex(({ label }) => label === runningSlot()) + 1;
	}

	esp_ota_get_state_partition(_partition: number, state: ArrayBuffer): number {
		new Uint32Array(state)[0] = isPending() ? PENDING_VERIFY : VALID;
		return OK;
	}

	esp_ota_mark_app_invalid_rollback_and_reboot(): number {
		try {
			rollBack();
			return OK;
		} catch {
			return FAIL;
		}
	}

	esp_ota_mark_app_valid_cancel_rollback(): number {
		confirm();
		return OK;
	}

	esp_partition_find_first(type: number, subtype: number, _label: number): number {
		return PARTITIONS.findIndex((partition) => partition.type === type && partition.subtype === subtype) + 1;
	}

	esp_read_mac(address: ArrayBuffer, _type: number): number {
		const octets = (Net.get("MAC") ?? ADDRESS).split(":").map((octet) => Number.parseInt(octet, 16));
		new Uint8Array(address).set(octets.slice(0, 6));
		return 0;
	}

	/** Power on. */
	esp_reset_reason(): number {
		return 1;
	}

	esp_restart(): void {
		restart();
	}

	esp_rom_gpio_connect_out_signal(_pin: number, _signal: number, _invertOutput: number, _invertEnable: number): void {}

	gpio_set_direction(_pin: number, _mode: number): number {
		return OK;
	}

	gpio_set_drive_capability(_pin: number, _strength: number): number {
		return OK;
	}

	temperature_sensor_install(_configuration: ArrayBuffer, handle: ArrayBuffer): number {
		new Uint32Array(handle)[0] = 1;
		return OK;
	}

	temperature_sensor_uninstall(_handle: number): number {
		return OK;
	}

	temperature_sensor_enable(_handle: number): number {
		return OK;
	}

	temperature_sensor_disable(_handle: number): number {
		return OK;
	}

	temperature_sensor_get_celsius(_handle: number, reading: ArrayBuffer): number {
		new Float32Array(reading)[0] = TEMPERATURE;
		return OK;
	}
}

export default class FFI extends Functions {
	constructor() {
		super();
		// biome-ignore lint/correctness/noConstructorReturn: only a proxy can tell of a name that is missing
		return new Proxy(this, {
			get(functions, name) {
				const value = Reflect.get(functions, name);
				if (value === undefined && typeof name === "string") throw new Error(`the board calls ${name}, which the simulator does not have`);
				return value;
			},
		});
	}
}
