// ECMA-419's serial IO in Moddable (modules/io/serial), as far as this project uses it.

declare module "embedded:io/serial" {
	export default class Serial {
		/** Throws when a pin or the port is in use. The ESP32's needs `onReadable`: without it `read` looks at memory it does not own. */
		constructor(options: {
			transmit: number;
			receive: number;
			baud: number;
			port: number;
			format: "buffer";
			onReadable: (byteLength: number) => void;
		});
		/** All that has come; undefined when nothing has. */
		read(): number | ArrayBuffer | undefined;
		/** Throws "output full" for more than the port has room for, which is 128 bytes when it is idle. */
		write(data: ArrayBuffer | Uint8Array): void;
		close(): void;
	}
}
