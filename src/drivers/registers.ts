// The registers of a chip on an I2C bus, on Moddable's `embedded:io/smbus` (ECMA-419, I2C and SMBus).

import SMBus from "embedded:io/smbus";

/** Where a chip is found. */
export interface RegistersOptions {
	/** The GPIO of the data line. */
	data: number;
	/** The GPIO of the clock line. */
	clock: number;
	/** The chip's address, 7 bit. */
	address: number;
	/** The bus's clock; 100 kHz where it is not given. */
	hz?: number;
}

/** Registers of one byte or two. Every access throws when the chip does not answer. */
export interface Registers {
	readUint8(register: number): number;
	writeUint8(register: number, value: number): void;
	writeUint16(register: number, value: number, bigEndian: boolean): void;
	close(): void;
}

const STANDARD_HZ = 100_000;

/**
 * Opens a chip's registers; several chips may share the pins.
 * @param setUp the first accesses; where they fail the bus is let go of
 * @throws Error when the chip does not answer or the pins or the address cannot be had
 */
export function openRegisters(options: RegistersOptions, setUp: (registers: Registers) => void): Registers {
	const { data, clock, address, hz = STANDARD_HZ } = options;
	// The SDK's typing gives the constructor another shape and leaves out `close`.
	const registers = new (SMBus as unknown as new (options: RegistersOptions) => Registers)({ data, clock, address, hz });
	try {
		setUp(registers);
	} catch (error) {
		registers.close();
		throw new Error(`nothing answers at I2C address 0x${address.toString(16)}: ${(error as Error).message}`);
	}
	return registers;
}
