// The amplifier AW88298 (Awinic, data sheet: registers 0x04 system control, 0x05, 0x06 I2S control, 0x0C volume, 0x61 boost)
// of M5Stack's CoreS3: mono from the left slot, the loudness in its own attenuator.

import type { Amplifier } from "./amplifier.js";
import { clampInteger } from "./clamp.js";
import { openRegisters, type Registers } from "./registers.js";

export interface Aw88298Options {
	/** The GPIO of the I2C data line. */
	data: number;
	/** The GPIO of the I2C clock line. */
	clock: number;
}

const ADDRESS = 0x36;
const BUS_HZ = 400_000;
const SYSTEM = 0x04;
const SYSTEM_2 = 0x05;
const I2S = 0x06;
const VOLUME = 0x0c;
const BOOST = 0x61;
/** Receives, takes the left slot, frames of 32 bit; the sample rate's code is added. */
const I2S_LEFT = 0x14c0;
/** In the order of their codes. */
const SAMPLE_RATES: readonly number[] = Object.freeze([8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]);
/** −96 dB in half decibels, the most that the attenuator knows. */
const SILENCE = 192;
/** The lower byte of the volume register as the chip starts with it. */
const VOLUME_REST = 0x64;

/**
 * An AW88298, awake as long as it is open. Moddable's audio output of the target m5stack_cores3 tells its sample rate to
 * `globalThis.amp`; whoever makes an Aw88298 puts it there.
 */
export class Aw88298 implements Amplifier {
	readonly #registers: Registers;
	#closed = false;

	/** @throws Error when nothing answers at the address, or the bus cannot be had */
	constructor(options: Aw88298Options) {
		this.#registers = openRegisters({ ...options, address: ADDRESS, hz: BUS_HZ }, (registers) => {
			registers.writeUint16(SYSTEM_2, 0x0008, true);
			// No boost: the supply is enough, and its noise is heard.
			registers.writeUint16(BOOST, 0x0673, true);
			registers.writeUint16(SYSTEM, 0x4040, true);
			registers.writeUint16(VOLUME, (SILENCE << 8) | VOLUME_REST, true);
		});
	}

	/** @throws RangeError for a rate that the chip does not know */
	set sampleRate(hertz: number) {
		const code = SAMPLE_RATES.indexOf(hertz);
		if (code < 0) throw new RangeError(`the AW88298 takes ${SAMPLE_RATES.join(", ")} samples a second, not ${hertz}`);
		if (!this.#closed) this.#registers.writeUint16(I2S, I2S_LEFT | code, true);
	}

	/** @throws Error when the amplifier no longer answers */
	setLevel(decibels: number): void {
		if (!this.#closed) this.#registers.writeUint16(VOLUME, (clampInteger(-2 * decibels, 0, SILENCE) << 8) | VOLUME_REST, true);
	}

	setPower(): void {}

	/** Silences it. */
	close(): void {
		if (this.#closed) return;
		try {
			this.setLevel(Number.NEGATIVE_INFINITY);
		} catch {
			// What no longer answers cannot be silenced either.
		}
		this.#closed = true;
		this.#registers.close();
	}
}
