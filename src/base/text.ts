// Short texts for the log and for callers.

/** Text on one line without control characters, at most `limit` characters long. */
export function oneLine(text: string, limit = 200): string {
	let line = "";
	for (const character of text) {
		if (line.length + character.length > limit) return `${line.slice(0, limit - 1)}…`;
		const code = character.codePointAt(0) ?? 0;
		line += code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x2028 || code === 0x2029 ? " " : character;
	}
	return line.trim();
}

/** Name and message of whatever was thrown. */
export function errorText(thrown: unknown): string {
	return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
}
