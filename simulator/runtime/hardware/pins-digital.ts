// "pins/digital": Moddable's older digital IO, on the newer one.

import Digital from "./digital.js";

/** Takes `(pin, mode)`. */
export default class PinsDigital {
	static readonly Input = 0;
	static readonly InputPullUp = 1;
	static readonly InputPullDown = 2;
	static readonly InputPullUpDown = 3;
	static readonly Output = 8;
	static readonly OutputOpenDrain = 9;

	readonly #pin: number;
	#io: Digital;

	/** Writes a pin without keeping it. */
	static write(pin: number, value: number): void {
		new Digital({ pin, mode: PinsDigital.Output, initialValue: value }).close();
	}

	/** Reads a pin without keeping it. */
	static read(pin: number): number {
		const io = new Digital({ pin, mode: PinsDigital.Input });
		const level = io.read();
		io.close();
		return level;
	}

	constructor(pin: number, mode: number) {
		this.#pin = pin;
		this.#io = new Digital({ pin, mode });
	}

	mode(mode: number): void {
		this.#io.close();
		this.#io = new Digital({ pin: this.#pin, mode });
	}

	read(): number {
		return this.#io.read();
	}

	write(value: number): void {
		this.#io.write(value);
	}

	close(): void {
		this.#io.close();
	}
}
