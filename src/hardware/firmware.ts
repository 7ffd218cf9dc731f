// The slot for the next firmware, and the way back to the previous one.

/** A firmware that is being written. */
export interface FirmwareWriter {
	/** @throws Error when the flash refuses */
	write(bytes: Uint8Array): void;
	/**
	 * The image is complete: checks it, and has it started next time.
	 * @throws Error when it is not valid; the running firmware stays
	 */
	complete(): void;
	/** Closes the slot; without `complete` the running firmware stays. May be called twice. */
	close(): void;
}

/** The slot for the next firmware, and the way back to the previous one. */
export interface FirmwareSlot {
	/** In bytes. */
	readonly size: number;
	/** The name of the slot that the running firmware is in, such as "ota_0", if known. */
	readonly running?: string | undefined;
	/** Does the bootloader go back to the previous firmware at the next restart unless `confirm` is called? */
	readonly onTrial: boolean;
	/** @throws Error when there is no such slot */
	open(byteLength: number): FirmwareWriter;
	/**
	 * Confirms that the running firmware works: the bootloader keeps it.
	 * @throws Error when the flash refuses
	 */
	confirm(): void;
	/**
	 * Restarts the machine with the previous firmware; does not return on hardware.
	 * @throws Error when there is none that can be started; the running firmware stays
	 */
	rollBack(): void;
}
