// The token that MCP clients bring over HTTP, where the owner has given none: the device makes one for itself.

import { randomText } from "../base/random-text.js";
import { PreferenceStore } from "../settings/preference-store.js";

/** 118 bits. */
const LENGTH = 24;

/** The device's own token, made at the first call and kept. The log has it, for the owner to read. */
export function ownHttpToken(name: string, log: (line: string) => void): string {
	const store = new PreferenceStore("moddable-mcp");
	let token = store.text("http_token", /^[a-z2-9]{24}$/);
	if (token === undefined) {
		token = randomText(LENGTH);
		try {
			store.set("http_token", token);
		} catch (error) {
			log(`${name}: the token could not be kept, and is another one the next time: ${(error as Error).message}`);
		}
	}
	log(`${name}: clients have to send "Authorization: Bearer ${token}"`);
	return token;
}
