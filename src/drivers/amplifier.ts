// What may sit between an I2S output and a loudspeaker and can be controlled: a codec, an amplifier, or only its enable pin.

import type { DigitalConstructor, DigitalPin } from "../sdk/digital.js";

export interface Amplifier {
	/**
	 * Sets the loudness; where it is absent, the samples are scaled instead.
	 * @param decibels 0 is the loudest, −Infinity is silence
	 */
	setLevel?(decibels: number): void;
	/** Called before sound begins and after it has ended. */
	setPower(on: boolean): void;
	close(): void;
}

export interface GpioAmplifierOptions {
	/** Moddable's digital IO, `sdk/digital`. */
	io: DigitalConstructor;
	/** The GPIO that enables the amplifier by a high level ("PA"). */
	pin: number;
}

/** An amplifier with nothing but an enable pin, such as the NS4150B; off at first, because it hisses. */
export class GpioAmplifier implements Amplifier {
	readonly #enable: DigitalPin;
	#closed = false;

	/** @throws what the IO throws when the pin is not available */
	constructor({ io, pin }: GpioAmplifierOptions) {
		this.#enable = new io({ pin, mode: io.Output, initialValue: 0 });
	}

	setPower(on: boolean): void {
		if (!this.#closed) this.#enable.write(on ? 1 : 0);
	}

	close(): void {
		if (this.#closed) return;
		this.setPower(false);
		this.#closed = true;
		this.#enable.close();
	}
}
