// Moddable's firmware update (ECMA-419).

import EmbeddedUpdate from "embedded:update";

export interface FirmwareUpdate {
	write(bytes: Uint8Array): void;
	/** Checks the image and has it started next time. */
	complete(): void;
	close(): void;
}

export interface Updates {
	open(options: { partition: object; byteLength: number }): FirmwareUpdate;
}

const Update: Updates = EmbeddedUpdate as unknown as Updates;
export default Update;
