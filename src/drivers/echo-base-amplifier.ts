// The amplifier switch of M5Stack's Atomic Echo Base: a pin of its port expander PI4IOE5V6408 (Diodes, data sheet, "Register
// Description").

import type { Amplifier } from "./amplifier.js";
import { type I2cBus, openRegisters, type Registers } from "./registers.js";

export interface EchoBaseAmplifierOptions {
	bus: I2cBus;
}

const ADDRESS = 0x43;
const DIRECTION = 0x03;
const OUTPUT = 0x05;
const HIGH_IMPEDANCE = 0x07;
const PULL_SELECT = 0x0d;

/** Switches the base's loudspeaker on and off. */
export class EchoBaseAmplifier implements Amplifier {
	readonly #registers: Registers;
	#closed = false;

	/** @throws Error when the base does not answer, or the bus is not available */
	constructor({ bus }: EchoBaseAmplifierOptions) {
		this.#registers = openRegisters({ bus, address: ADDRESS }, (registers) => {
			registers.writeUint8(HIGH_IMPEDANCE, 0x00);
			registers.writeUint8(PULL_SELECT, 0xff);
			registers.writeUint8(DIRECTION, 0x6e);
			registers.writeUint8(OUTPUT, 0x00);
		});
	}

	/** @throws Error when the base no longer answers */
	setPower(on: boolean): void {
		if (!this.#closed) this.#registers.writeUint8(OUTPUT, on ? 0xff : 0x00);
	}

	close(): void {
		if (this.#closed) return;
		try {
			this.setPower(false);
		} catch {
			// A base that was pulled off is silent.
		}
		this.#closed = true;
		this.#registers.close();
	}
}
