// The codec ES8311 (Everest Semiconductor, data sheet and user guide: registers 0x00 to 0x45) as an amplifier behind an I2S
// output: 16 bits in Philips format, slave, loudness by its DAC volume register.

import type { Amplifier } from "./amplifier.js";
import { clampInteger } from "./clamp.js";
import type { DriverTimers } from "./interval.js";
import { type I2cBus, openRegisters, type Registers } from "./registers.js";

export interface Es8311Options {
	bus: I2cBus;
	timers: DriverTimers;
	/** The I2C address; 0x18 by default. */
	address?: number;
	/** In hertz; the same as that of the I2S output. */
	sampleRate: number;
	/** Is its MCLK pin wired? Otherwise it derives its clock from BCLK. */
	masterClock: boolean;
	/** What drives the loudspeaker; the codec closes it. */
	amplifier?: Amplifier | undefined;
}

const DEFAULT_ADDRESS = 0x18;
const RESET_MS = 20;

const RESET = 0x00;
const CLOCK_SOURCE = 0x01;
const CLOCK_MULTIPLIER = 0x02;
const ANALOG_POWER = 0x0d;
const DAC_POWER = 0x12;
const DAC_VOLUME = 0x32;
/** The volume register's value for 0 dB; each step is half a decibel, and 0 is silence. */
const FULL_VOLUME = 0xbf;

/** An ES8311 for playback only. Its amplifier is on while something sounds; the codec itself stays awake. */
export class Es8311 implements Amplifier {
	readonly #registers: Registers;
	readonly #amplifier: Amplifier | undefined;
	#closed = false;

	/** @throws Error when nothing answers at the address, or the bus is not available */
	constructor(options: Es8311Options) {
		const { bus, address = DEFAULT_ADDRESS } = options;
		this.#amplifier = options.amplifier;
		try {
			this.#registers = openRegisters({ bus, address }, (registers) => setUp(registers, options));
		} catch (error) {
			this.#amplifier?.close();
			throw error;
		}
	}

	/** @throws Error when the codec no longer answers */
	setLevel(decibels: number): void {
		if (!this.#closed) this.#registers.writeUint8(DAC_VOLUME, clampInteger(FULL_VOLUME + 2 * decibels, 0, FULL_VOLUME));
	}

	setPower(on: boolean): void {
		this.#amplifier?.setPower(on);
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#amplifier?.close();
		try {
			this.#registers.writeUint8(DAC_VOLUME, 0);
			this.#registers.writeUint8(DAC_POWER, 0x02);
			this.#registers.writeUint8(ANALOG_POWER, 0xfa);
		} catch {
			// A codec that no longer answers cannot be switched off either.
		}
		this.#registers.close();
	}
}

function setUp(registers: Registers, { timers, sampleRate, masterClock }: Es8311Options): void {
	registers.writeUint8(RESET, 0x1f);
	timers.delay(RESET_MS);
	registers.writeUint8(RESET, 0x00);
	registers.writeUint8(RESET, 0x80);
	// All clocks on. The codec needs 256 clocks per sample: MCLK has them, BCLK has 32 and is multiplied by 8.
	registers.writeUint8(CLOCK_SOURCE, masterClock ? 0x3f : 0xbf);
	registers.writeUint8(CLOCK_MULTIPLIER, masterClock ? 0x00 : 0x18);
	registers.writeUint8(0x03, 0x10);
	// The DAC's oversampling: low sample rates need more.
	registers.writeUint8(0x04, sampleRate < 22050 ? 0x20 : 0x10);
	registers.writeUint8(0x05, 0x00);
	registers.writeUint8(0x06, 0x03);
	registers.writeUint8(0x07, 0x00);
	registers.writeUint8(0x08, 0xff);
	// Input: I2S, 16 bits. Output: the same, muted.
	registers.writeUint8(0x09, 0x0c);
	registers.writeUint8(0x0a, 0x4c);
	registers.writeUint8(0x10, 0x1f);
	registers.writeUint8(0x11, 0x7f);
	registers.writeUint8(ANALOG_POWER, 0x01);
	registers.writeUint8(0x0e, 0x02);
	registers.writeUint8(DAC_POWER, 0x00);
	// Output to the headphone driver, no equalizer.
	registers.writeUint8(0x13, 0x10);
	registers.writeUint8(0x37, 0x08);
	registers.writeUint8(DAC_VOLUME, 0);
}
