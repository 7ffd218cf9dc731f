// "mc/ffi": the functions of ESP-IDF that the drivers call, for a chip that is only simulated.

import Net from "net";
import { restart } from "simulator/restart";

/** ESP-IDF's answer when all is well. */
const OK = 0;
/** In degrees Celsius. */
const TEMPERATURE = 42.5;
const FREE_HEAP_BYTES = 150_000;
/** A locally administered address, where the configuration has none. */
const ADDRESS = "02:00:00:00:00:00";

/** A function that is not here is the same clear error as a module that is not there. */
class Functions {
	esp_get_free_heap_size(): number {
		return FREE_HEAP_BYTES;
	}

	esp_get_minimum_free_heap_size(): number {
		return FREE_HEAP_BYTES;
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
