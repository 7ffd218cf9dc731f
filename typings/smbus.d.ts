// ECMA-419's SMBus in Moddable (modules/io/i2c), as far as this project uses it.

declare module "embedded:io/smbus" {
	export default class SMBus {
		/** Several instances may share the pins; one address can be had once. */
		constructor(options: { data: number; clock: number; address: number; hz: number });
		/** Throws when nothing answers. */
		readUint8(register: number): number;
		/** Throws when nothing answers. */
		writeUint8(register: number, value: number): void;
		/** Throws when nothing answers. */
		writeUint16(register: number, value: number, bigEndian?: boolean): void;
		close(): void;
	}
}
