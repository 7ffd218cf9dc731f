// A loudspeaker between two pins of a PDM output: the second pin carries the first one's signal inverted, which Moddable's
// audio output does not do by itself. ESP32-C3 Technical Reference Manual, "IO MUX and GPIO Matrix".

import type { NativesConstructor } from "../sdk/ffi.js";
import { GpioAmplifier, type GpioAmplifierOptions } from "./amplifier.js";

export interface PdmAmplifierOptions extends GpioAmplifierOptions {
	/** The native functions that pdm-amplifier.manifest.json declares, such as `esp32.ffi`. */
	ffi: NativesConstructor;
	/** The GPIO for the inverted signal; the other one is in the manifest as `defines.audioOut.i2s.pdm_pin`. */
	invertedPin: number;
}

/** ESP-IDF's `GPIO_MODE_OUTPUT`. */
const OUTPUT = 2;
/** ESP32-C3's number for the I2S data output in the GPIO matrix (`I2SO_SD_OUT_IDX`). */
const I2S_DATA_OUTPUT = 15;
/** ESP-IDF's `GPIO_DRIVE_CAP_0`: the pins drive an amplifier's input only. */
const WEAKEST = 0;

/** An amplifier with an enable pin and a balanced input. */
export class PdmAmplifier extends GpioAmplifier {
	/** @throws what the IO throws when the enable pin is not available */
	constructor(options: PdmAmplifierOptions) {
		super(options);
		const natives = new options.ffi();
		natives.gpio_set_direction(options.invertedPin, OUTPUT);
		natives.esp_rom_gpio_connect_out_signal(options.invertedPin, I2S_DATA_OUTPUT, 1, 0);
		natives.gpio_set_drive_capability(options.invertedPin, WEAKEST);
	}
}
