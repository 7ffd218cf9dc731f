// The amplifier AW88298 (Awinic, data sheet: registers 0x04 system control, 0x05, 0x06 I2S control, 0x0C volume, 0x61 boost)
// of M5Stack's CoreS3: mono from the left slot, loudness by its own attenuator.

import type { Amplifier } from "./amplifier.js";
import { clampInteger } from "./clamp.js";
import { type I2cBus, openRegisters, type Registers } from "./registers.js";

export interface Aw88298Options {
	bus: I2cBus;
}

const ADDRESS = 0x36;
const BUS_HZ = 400_000;
const SYSTEM = 0x04;
const SYSTEM_2 = 0x05;
const I2S = 0x06;
const VOLUME = 0x0c;
const BOOST = 0x61;
/** Receive, left slot, 32-bit frames; the code of the sample rate is added. */
const I2S_LEFT = 0x14c0;
/** In the order of their codes. */
const SAMPLE_RATES: readonly number[] = Object.freeze([8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000]);
/** −96 dB in half decibels, the most that the attenuator can do. */
const SILENCE = 192;
/** The lower byte of the volume register: its value after a reset. */
const VOLUME_REST = 0x64;

/**
 * An AW88298, awake as long as it is open. On the target m5stack_cores3, Moddable's audio output sets the sample rate of
 * `globalThis.amp`; the board puts its Aw88298 there.
 */
export class Aw88298 implements Amplifier {
	readonly #registers: Registers;
	#closed = false;

	/** @throws Error when nothing answers at the address, or the bus is not available */
	constructor({ bus }: Aw88298Options) {
		this.#registers = openRegisters({ bus, address: ADDRESS, hz: BUS_HZ }, (registers) => {
			registers.writeUint16(SYSTEM_2, 0x0008, true);
			// No boost: the supply is enough, and the boost converter is audible.
			registers.writeUint16(BOOST, 0x0673, true);
			registers.writeUint16(SYSTEM, 0x4040, true);
			registers.writeUint16(VOLUME, (SILENCE << 8) | VOLUME_REST, true);
		});
	}

	/** @throws RangeError for a rate that the chip does not support */
	set sampleRate(hertz: number) {
		const code = SAMPLE_RATES.indexOf(hertz);
		if (code < 0) throw new RangeError(`the AW88298 supports ${SAMPLE_RATES.join(", ")} samples per second, not ${hertz}`);
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
			// A chip that no longer answers cannot be silenced either.
		}
		this.#closed = true;
		this.#registers.close();
	}
}
