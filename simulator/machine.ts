// The contract between the simulator's host and the engine that runs the firmware.

/** What an engine tells its owner. */
export interface MachineOptions {
	/**
	 * Answers a command of the firmware, which waits meanwhile.
	 * No answer means that the machine has come to its end: it runs nothing more and is killed soon.
	 */
	onCommand(command: Uint8Array): Uint8Array | undefined;
	/** A line that the engine itself wrote. */
	onOutput(line: string): void;
}

/** What the engine has used. */
export interface Meter {
	/** Slots in use, each 16 bytes on a 32-bit device. */
	readonly heapSlots?: number;
	/** Computrons since the machine began: exact and repeatable. */
	readonly compute?: number;
}

/** A running engine. `run` and `deliver` are called one at a time, each after the promise of the one before. */
export interface Machine {
	/** Runs a script. @throws Error (as rejection) when the script throws or the engine ends */
	run(source: string): Promise<void>;
	/** Hands an event to the firmware; resolves when everything that it set off is done. */
	deliver(event: Uint8Array): Promise<void>;
	meter(): Meter;
	/** Resolves with the reason when the engine ends by itself. */
	readonly ended: Promise<string>;
	/** Ends the engine at once. May be called twice. */
	kill(): void;
}
