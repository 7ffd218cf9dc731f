// Where the record of starts and the trial of a firmware are kept: a store that fails costs a line in the log, not the start.

import { PreferenceStore } from "../settings/preference-store.js";

/** The domain "mcp-life" of the preference store. */
export class BootStore extends PreferenceStore {
	readonly #log: (line: string) => void;

	constructor(log: (line: string) => void) {
		super("mcp-life");
		this.#log = log;
	}

	/** As `set`; a full store must not keep a device from starting. */
	keep(key: string, value: string | number): void {
		try {
			this.set(key, value);
		} catch (error) {
			this.#log(`boot: ${key} could not be kept: ${(error as Error).message}`);
		}
	}

	/** As `delete`; nor must a flash that erases nothing. */
	forget(key: string): void {
		try {
			this.delete(key);
		} catch (error) {
			this.#log(`boot: ${key} could not be forgotten: ${(error as Error).message}`);
		}
	}
}
