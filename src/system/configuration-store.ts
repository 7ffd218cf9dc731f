// The last good reply of a configuration server, kept as it came, so that a dead server does not stop a device that once had one.

import { utf8Bytes } from "../base/bytes.js";
import { PreferenceStore } from "../settings/preference-store.js";

/** A longer reply is not kept: an ESP32's store takes texts of up to 4000 bytes. */
export const MAX_KEPT_BYTES = 3900;

export class ConfigurationStore {
	readonly #store = new PreferenceStore("mcp-config");

	/**
	 * Keeps the reply of the server at `url`.
	 * @throws Error when it is too long; what the store throws when it is full
	 */
	keep(url: string, reply: string): void {
		const bytes = utf8Bytes(reply).byteLength;
		if (bytes > MAX_KEPT_BYTES) throw new RangeError(`it has ${bytes} bytes, at most ${MAX_KEPT_BYTES} are kept`);
		this.#store.set("last", reply);
		this.#store.set("from", url);
	}

	/** The last reply of the server at `url`; undefined where there is none. */
	last(url: string): string | undefined {
		return this.#store.anyText("from") === url ? this.#store.anyText("last") : undefined;
	}
}
