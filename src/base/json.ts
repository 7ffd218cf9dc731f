// How deep JSON text is nested, found out before it is parsed.

import { utf8Bytes } from "./bytes.js";

/** JSON nested deeper than this is refused before it is parsed; far deeper would overflow the engine's stack. */
export const MAX_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Is this JSON text nested deeper than `limit`? For text that is not JSON either answer is possible. */
export function isDeeper(text: string, limit: number): boolean {
	if (!hasMoreBrackets(text, limit)) return false;
	const bytes = utf8Bytes(text);
	let depth = 0;
	let inString = false;
	for (let i = 0; i < bytes.length; i++) {
		const byte = bytes[i];
		if (inString) {
			if (byte === BACKSLASH) i++;
			else if (byte === QUOTE) inString = false;
		} else if (byte === QUOTE) inString = true;
		else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
			if (++depth > limit) return true;
		} else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
	}
	return false;
}

/** Are there more than `limit` opening brackets at all? Nearly every message ends here: XS searches a string far faster than a byte array. */
function hasMoreBrackets(text: string, limit: number): boolean {
	let count = 0;
	for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) if (++count > limit) return true;
	for (let at = text.indexOf("["); at >= 0; at = text.indexOf("[", at + 1)) if (++count > limit) return true;
	return false;
}
