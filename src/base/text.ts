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
	return thrown instanceof Error ? `${thrown.name}: ${thrown.message || "no reason was given"}` : String(thrown);
}

/** Has the text no surrogate without its other half? Such a text cannot be written in UTF-8. */
export function isWellFormed(text: string): boolean {
	for (const character of text) {
		const code = character.codePointAt(0) ?? 0;
		if (code >= 0xd800 && code <= 0xdfff) return false;
	}
	return true;
}

/** No part of a secret that is shorter is looked for. */
const MIN_SECRET_CHARACTERS = 6;

/** The text without these secrets, nor any beginning of them: a peer may repeat what it was sent, cut off anywhere. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
	for (const secret of secrets) {
		if (secret.length < MIN_SECRET_CHARACTERS) continue;
		const beginning = secret.slice(0, MIN_SECRET_CHARACTERS);
		for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
			let end = at + beginning.length;
			while (end < text.length && text[end] === secret[end - at]) end++;
			text = `${text.slice(0, at)}…${text.slice(end)}`;
		}
	}
	return text;
}
