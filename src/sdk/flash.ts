// Moddable's flash partitions (ECMA-419 storage).

import embeddedFlash from "embedded:storage/flash";

export interface FlashPartition {
	/** Size in bytes. */
	status(): { size: number };
	read(byteLength: number, byteOffset: number): ArrayBuffer;
	close(): void;
}

export interface Flash {
	/** @throws Error when there is no such partition */
	open(options: { path: string }): FlashPartition;
}

const flash: Flash = embeddedFlash as unknown as Flash;
export default flash;
