// A lamp that a GPIO switches (ECMA-419, Digital).

import type { Lamp } from "../hardware/lamp.js";
import type { DigitalConstructor, DigitalPin } from "../sdk/digital.js";

export interface GpioLampOptions {
	/** Moddable's digital IO, `sdk/digital`. */
	io: DigitalConstructor;
	pin: number;
	/** Does a low level light it? */
	activeLow?: boolean;
}

/** A lamp on a pin, dark at first. */
export class GpioLamp implements Lamp {
	readonly #output: DigitalPin;
	readonly #activeLow: boolean;
	#on = false;
	#closed = false;

	/** @throws what the IO throws when the pin is not available */
	constructor({ io, pin, activeLow = false }: GpioLampOptions) {
		this.#activeLow = activeLow;
		this.#output = new io({ pin, mode: io.Output, initialValue: activeLow ? 1 : 0 });
	}

	get on(): boolean {
		return this.#on;
	}

	setPower(on: boolean): void {
		if (this.#closed) return;
		this.#on = on;
		this.#output.write(on === this.#activeLow ? 0 : 1);
	}

	close(): void {
		if (this.#closed) return;
		this.setPower(false);
		this.#closed = true;
		this.#output.close();
	}
}
