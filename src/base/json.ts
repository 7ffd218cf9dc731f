// How deep JSON text is nested, found before it is parsed.

/** JSON nested deeper than this is refused before it is parsed; far deeper would overflow the machine's stack. */
export const MAX_DEPTH = 32;

/** Is this JSON text nested deeper than `limit`? For text that is not JSON, either answer may come. */
export function isDeeper(bytes: Uint8Array, limit: number): boolean {
	if (!hasOver(bytes, limit)) return false;
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

/** The cheap question first: are there more than `limit` opening brackets at all? */
function hasOver(bytes: Uint8Array, limit: number): boolean {
	let count = 0;
	for (let at = bytes.indexOf(OPEN_BRACE); at >= 0; at = bytes.indexOf(OPEN_BRACE, at + 1)) if (++count > limit) return true;
	for (let at = bytes.indexOf(OPEN_BRACKET); at >= 0; at = bytes.indexOf(OPEN_BRACKET, at + 1)) if (++count > limit) return true;
	return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
