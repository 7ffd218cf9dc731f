// The registers of a chip on an I2C bus (ECMA-419, SMBus).

import type { Smbus, SmbusConstructor } from "../sdk/smbus.js";

/** An I2C bus; several chips may share it. */
export interface I2cBus {
	/** Moddable's SMBus, `sdk/smbus`. */
	readonly io: SmbusConstructor;
	/** The GPIO of the data line. */
	readonly data: number;
	/** The GPIO of the clock line. */
	readonly clock: number;
}

export interface RegistersOptions {
	bus: I2cBus;
	/** The chip's address, 7 bits. */
	address: number;
	/** The clock rate; 100 kHz by default. */
	hz?: number;
}

/** Registers of one or two bytes. Every access throws when the chip does not answer. */
export type Registers = Smbus;

const STANDARD_HZ = 100_000;

/**
 * Opens a chip's registers.
 * @param setUp the first accesses; when they fail, the bus is released
 * @throws Error when the chip does not answer, or the pins or the address are not available
 */
export function openRegisters(options: RegistersOptions, setUp: (registers: Registers) => void): Registers {
	const { bus, address, hz = STANDARD_HZ } = options;
	const { io, data, clock } = bus;
	const registers = new io({ data, clock, address, hz });
	try {
		setUp(registers);
	} catch (error) {
		registers.close();
		throw new Error(`nothing answers at I2C address 0x${address.toString(16)}: ${(error as Error).message}`);
	}
	return registers;
}
