// Moddable's SMBus: the registers of a chip on an I2C bus (ECMA-419).

import EmbeddedSmbus from "embedded:io/smbus";

export interface SmbusOptions {
	/** The GPIO of the data line; several chips may share the pins. */
	data: number;
	/** The GPIO of the clock line. */
	clock: number;
	/** 7 bits; one address can be opened once. */
	address: number;
	hz: number;
}

/** A chip's registers. Every access throws when the chip does not answer. */
export interface Smbus {
	readUint8(register: number): number;
	writeUint8(register: number, value: number): void;
	writeUint16(register: number, value: number, bigEndian: boolean): void;
	close(): void;
}

export type SmbusConstructor = new (options: SmbusOptions) => Smbus;

// The SDK's typing gives the constructor another shape and leaves out `close`.
const SMBus = EmbeddedSmbus as unknown as SmbusConstructor;
export default SMBus;
