// What may stand between an I2S output and a loudspeaker and can be controlled: a codec, an amplifier, or only its power pin.

import Digital from "embedded:io/digital";

export interface Amplifier {
	/**
	 * Sets the loudness; where it is absent the samples are made smaller instead.
	 * @param decibels 0 is the loudest, −Infinity is silence
	 */
	setLevel?(decibels: number): void;
	/** Called before sound begins and after it has ended. */
	setPower(on: boolean): void;
	close(): void;
}

export interface GpioAmplifierOptions {
	/** The GPIO that enables the amplifier by a high level ("PA"). */
	pin: number;
}

/** An amplifier of which nothing but the enable pin can be reached, such as the NS4150B; off at first, because it hisses. */
export class GpioAmplifier implements Amplifier {
	readonly #enable: Digital;
	#closed = false;

	/** @throws what the driver throws when the pin cannot be had */
	constructor(options: GpioAmplifierOptions) {
		this.#enable = new Digital({ pin: options.pin, mode: Digital.Output, initialValue: 0 });
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
