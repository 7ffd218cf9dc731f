// "embedded:io/i2c": a bus as in ECMA-419, with the chips of chips.ts on it. Reads and writes throw when no chip answers.

import { chipAt, type Registers } from "./chips.js";

type Bytes = ArrayBufferLike | ArrayBufferView;

export interface I2cOptions {
	data?: number;
	clock?: number;
	hz?: number;
	address: number;
	port?: number;
	target?: unknown;
}

export default class I2C {
	target: unknown;
	readonly #address: number;
	#closed = false;

	/** @throws RangeError for an address that is none */
	constructor(options: I2cOptions) {
		const { address } = options;
		if (!Number.isInteger(address) || address < 0 || address > 127) throw new RangeError("i2c: invalid address");
		this.#address = address;
		this.target = options.target;
	}

	/** The first byte names a register, those after it are written from there on. @throws Error when no chip answers */
	write(data: Bytes, _stop?: boolean): void {
		const registers = this.#chip("write");
		const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
		if (bytes.length === 0) return;
		const { chip, values } = registers;
		registers.pointer = bytes[0] as number;
		for (let offset = 1; offset + chip.width <= bytes.length; offset += chip.width) {
			const register = registers.pointer & 255;
			values[register] = chip.width === 2 ? ((bytes[offset] as number) << 8) | (bytes[offset + 1] as number) : (bytes[offset] as number);
			registers.pointer++;
			chip.onWrite?.(values, register);
		}
	}

	/** @throws Error when no chip answers */
	read(length: number, stop?: boolean): ArrayBuffer;
	read(buffer: Bytes, stop?: boolean): number;
	read(target: number | Bytes, _stop?: boolean): ArrayBuffer | number {
		const registers = this.#chip("read");
		const bytes =
			typeof target === "number"
				? new Uint8Array(target)
				: ArrayBuffer.isView(target)
					? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
					: new Uint8Array(target);
		const { chip, values } = registers;
		for (let offset = 0; offset < bytes.length; offset += chip.width) {
			const value = values[registers.pointer++ & 255] as number;
			bytes[offset] = chip.width === 2 ? value >> 8 : value;
			if (chip.width === 2 && offset + 1 < bytes.length) bytes[offset + 1] = value & 255;
		}
		return typeof target === "number" ? (bytes.buffer as ArrayBuffer) : bytes.length;
	}

	close(): void {
		this.#closed = true;
	}

	#chip(what: string): Registers {
		if (this.#closed) throw new Error("i2c: closed");
		const registers = chipAt(this.#address);
		if (!registers) throw new Error(`i2c: ${what} failed, nothing answers at 0x${this.#address.toString(16)}`);
		return registers;
	}
}
