// The temperature sensor inside an ESP32-S3, -C3 and similar chips; that of the first ESP32 is not calibrated. ESP-IDF, API
// reference, "Temperature Sensor".

import type { Natives, NativesConstructor } from "../sdk/ffi.js";

/** `temperature_sensor_config_t`: the range in degrees, then fields that are 0 by default; larger than in any version of ESP-IDF. */
const CONFIGURATION = Object.freeze([-10, 80, 0, 0, 0, 0, 0, 0]);

export interface ChipTemperatureOptions {
	/** The native functions that chip-temperature.manifest.json declares, such as `esp32.ffi`. */
	ffi: NativesConstructor;
}

export class ChipTemperature {
	readonly #natives: Natives;
	readonly #reading = new Float32Array(1);
	#sensor = 0;

	/** @throws Error when the sensor is not available */
	constructor({ ffi }: ChipTemperatureOptions) {
		this.#natives = new ffi();
		const handle = new Uint32Array(1);
		expectOk("install", this.#natives.temperature_sensor_install(Int32Array.from(CONFIGURATION).buffer, handle.buffer));
		this.#sensor = handle[0] as number;
		expectOk("enable", this.#natives.temperature_sensor_enable(this.#sensor));
	}

	/** In degrees Celsius, to a tenth; undefined when it cannot be read. */
	get celsius(): number | undefined {
		if (!this.#sensor || this.#natives.temperature_sensor_get_celsius(this.#sensor, this.#reading.buffer) !== 0) return undefined;
		return Math.round((this.#reading[0] as number) * 10) / 10;
	}

	close(): void {
		if (!this.#sensor) return;
		this.#natives.temperature_sensor_disable(this.#sensor);
		this.#natives.temperature_sensor_uninstall(this.#sensor);
		this.#sensor = 0;
	}
}

function expectOk(what: string, code: number): void {
	if (code !== 0) throw new Error(`temperature sensor: ${what} failed with ESP-IDF's error ${code}`);
}
