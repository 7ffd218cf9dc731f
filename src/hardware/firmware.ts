// The slot for the next firmware, and the way back to the previous one.

/** A firmware that is being written. */
export interface FirmwareWriter {
	/** @throws when the flash refuses */
	write(bytes: Uint8Array): void;
	/**
	 * The image is whole: checks it, and has it started next time.
	 * @throws when it is not valid; the running firmware stays
	 */
	complete(): void;
	/** Lets go; without `complete` the running firmware stays. May be called twice. */
	close(): void;
}

/** The place for the next firmware, and the way back to the one before. */
export interface FirmwareSlot {
	/** In bytes. */
	readonly size: number;
	/** The name of the place that the running firmware is in, such as "ota_0", where it is known. */
	readonly running?: string | undefined;
	/** Does the bootloader start the firmware before at the next restart unless `confirm` is called? */
	readonly onTrial: boolean;
	/** @throws when there is no such place */
	open(byteLength: number): FirmwareWriter;
	/**
	 * The running firmware works: the bootloader keeps it.
	 * @throws when the flash refuses
	 */
	confirm(): void;
	/**
	 * Restarts the machine with the firmware before; it does not return on hardware.
	 * @throws when there is none that can be started; the running firmware stays
	 */
	rollBack(): void;
}
