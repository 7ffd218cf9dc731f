// "embedded:io/smbus": registers of a chip by number, on the simulated I2C bus.

import I2C, { type I2cOptions } from "./i2c.js";

type Bytes = ArrayBufferLike | ArrayBufferView;

export default class SMBus extends I2C {
	constructor(options: I2cOptions & { stop?: boolean }) {
		super(options);
	}

	readUint8(register: number): number {
		this.write(Uint8Array.of(register));
		return new Uint8Array(this.read(1))[0] as number;
	}

	writeUint8(register: number, value: number): void {
		this.write(Uint8Array.of(register, value));
	}

	readUint16(register: number, bigEndian = false): number {
		this.write(Uint8Array.of(register));
		return new DataView(this.read(2)).getUint16(0, !bigEndian);
	}

	writeUint16(register: number, value: number, bigEndian = false): void {
		this.write(bigEndian ? Uint8Array.of(register, value >> 8, value) : Uint8Array.of(register, value, value >> 8));
	}

	readBuffer(register: number, length: number): ArrayBuffer;
	readBuffer(register: number, buffer: Bytes): number;
	readBuffer(register: number, target: number | Bytes): ArrayBuffer | number {
		this.write(Uint8Array.of(register));
		return typeof target === "number" ? this.read(target) : this.read(target);
	}

	writeBuffer(register: number, data: Bytes): void {
		const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
		this.write(Uint8Array.of(register, ...bytes));
	}
}
