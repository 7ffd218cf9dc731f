// The password of the set-up page's access point: the build's, or one that the device makes for itself.

import { randomText } from "../base/random-text.js";
import config from "../sdk/config.js";
import type { PreferenceStore } from "../settings/preference-store.js";

/** What a build says that is to have none. */
const OPEN = "open";
/** 49 bits. */
const LENGTH = 10;

/**
 * The password for WPA2; undefined where the build says that the access point is open. The device's own is made at the first call
 * and kept, so that a label stays true.
 */
export function accessPointPassword(store: PreferenceStore, log: (line: string) => void): string | undefined {
	const given = config.setup_password;
	if (given === OPEN) return undefined;
	if (given !== undefined && given !== "") {
		// mcconfig turns a password of digits into a number.
		const text = String(given);
		// WPA2.
		if (/^[\x20-\x7e]{8,63}$/.test(text)) return text;
		log('setup: setup_password must be 8 to 63 printable ASCII characters, or "open"; using the device\'s own');
	}
	const kept = store.text("ap_password", /^[a-z2-9]{10}$/);
	if (kept !== undefined) return kept;
	const made = randomText(LENGTH);
	try {
		store.set("ap_password", made);
	} catch (error) {
		log(`setup: the password could not be kept, and is another one the next time: ${(error as Error).message}`);
	}
	return made;
}
