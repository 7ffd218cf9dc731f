// Moddable's serial port (ECMA-419).

import EmbeddedSerial from "embedded:io/serial";

export interface SerialOptions {
	transmit: number;
	receive: number;
	baud: number;
	/** The UART's number. */
	port: number;
	format: "buffer";
	/** The ESP32's needs it: without it `read` looks at memory that it does not own. */
	onReadable: (byteLength: number) => void;
}

/** A port that has been opened. */
export interface SerialPort {
	/** Everything received so far; undefined when there is nothing. */
	read(): number | ArrayBuffer | undefined;
	/** @throws Error "output full" for more than the port has room for, which is 128 bytes when it is idle */
	write(data: Uint8Array): void;
	close(): void;
}

/** Throws when a pin or the port is in use. */
export type SerialConstructor = new (options: SerialOptions) => SerialPort;

const Serial = EmbeddedSerial as unknown as SerialConstructor;
export default Serial;
