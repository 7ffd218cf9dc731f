// The temperature sensor inside an ESP32-S3, -C3 and their like; the first ESP32 has none that is calibrated. ESP-IDF, API
// reference, "Temperature Sensor".

import FFI from "mc/ffi";

/** `temperature_sensor_config_t`: the range in degrees, then fields that are 0 by default; larger than it is in any version. */
const CONFIGURATION = Object.freeze([-10, 80, 0, 0, 0, 0, 0, 0]);

/** The functions that it calls are declared in chip-temperature.manifest.json. */
export class ChipTemperature {
	readonly #natives: FFI;
	readonly #reading = new Float32Array(1);
	#sensor = 0;

	/** @throws Error when the sensor cannot be had */
	constructor() {
		this.#natives = new FFI();
		const handle = new Uint32Array(1);
		expectOk("install", this.#natives.temperature_sensor_install(Int32Array.from(CONFIGURATION).buffer, handle.buffer));
		this.#sensor = handle[0] as number;
		expectOk("enable", this.#natives.temperature_sensor_enable(this.#sensor));
	}

	/** In degrees Celsius, to a tenth; undefined where it cannot be read. */
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
