// Values that survive a restart, in Moddable's `preference` store; what is read back is checked before it is used.

import Preference from "../sdk/preference.js";

/** The longest domain or key in bytes: the limit of the flash store of an ESP32. */
const MAX_NAME_LENGTH = 15;

/** One domain of the preference store. */
export class PreferenceStore {
	readonly #domain: string;

	/**
	 * @param domain 1 to 15 ASCII characters
	 * @throws RangeError for a longer name
	 */
	constructor(domain: string) {
		this.#domain = checkName(domain);
	}

	/** The whole number kept under `key`; `fallback` when there is none or it is not one from `minimum` to `maximum`. */
	integer(key: string, minimum: number, maximum: number, fallback: number): number {
		const value = this.#read(key);
		return typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum ? value : fallback;
	}

	/** The text kept under `key` if it is one of `choices`, else `fallback`. */
	choice<T extends string>(key: string, choices: readonly T[], fallback: T): T {
		const value = this.#read(key);
		return choices.includes(value as T) ? (value as T) : fallback;
	}

	/** The text kept under `key` if `pattern` matches it. */
	text(key: string, pattern: RegExp): string | undefined {
		const value = this.#read(key);
		return typeof value === "string" && pattern.test(value) ? value : undefined;
	}

	/** The text kept under `key`, whatever it says; undefined when there is none. */
	anyText(key: string): string | undefined {
		const value = this.#read(key);
		return typeof value === "string" ? value : undefined;
	}

	/** The keys of this domain. */
	keys(): string[] {
		try {
			return Preference.keys(this.#domain);
		} catch {
			return [];
		}
	}

	/** Forgets what is kept under `key`. */
	delete(key: string): void {
		if (this.#read(key) !== undefined) Preference.delete(this.#domain, key);
	}

	/** Forgets everything of this domain but what is kept under `spared`. */
	clear(...spared: string[]): void {
		for (const key of this.keys()) if (!spared.includes(key)) Preference.delete(this.#domain, key);
	}

	/**
	 * Keeps `value`; nothing is written when it is kept already, to spare the flash.
	 * @throws what the store throws when it is full
	 */
	set(key: string, value: string | number): void {
		if (this.#read(key) !== value) Preference.set(this.#domain, key, value);
	}

	#read(key: string): unknown {
		checkName(key);
		try {
			return Preference.get(this.#domain, key);
		} catch {
			// A damaged entry counts as absent: a device must start whatever its flash holds.
			return undefined;
		}
	}
}

function checkName(name: string): string {
	if (!name || name.length > MAX_NAME_LENGTH)
		throw new RangeError(`the name of a setting must have 1 to ${MAX_NAME_LENGTH} characters, got "${name}"`);
	return name;
}
