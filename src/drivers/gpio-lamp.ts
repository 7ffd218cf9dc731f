// A lamp that a GPIO switches, on Moddable's `embedded:io/digital` (ECMA-419, Digital).

import Digital from "embedded:io/digital";
import type { Lamp } from "../hardware/lamp.js";

export interface GpioLampOptions {
	pin: number;
	/** Is it lit by a low level? */
	activeLow?: boolean;
}

/** A lamp on a pin, dark at first. */
export class GpioLamp implements Lamp {
	readonly #output: Digital;
	readonly #activeLow: boolean;
	#on = false;
	#closed = false;

	/** @throws what the driver throws when the pin cannot be had */
	constructor(options: GpioLampOptions) {
		this.#activeLow = options.activeLow ?? false;
		this.#output = new Digital({ pin: options.pin, mode: Digital.Output, initialValue: this.#activeLow ? 1 : 0 });
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
