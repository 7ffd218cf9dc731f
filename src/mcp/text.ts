// Short texts for errors and the log.

/** At most `length` characters of a text. */
export function clip(text: string, length = 64): string {
	return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Whatever was thrown, for the log. */
export function describeError(error: unknown): string {
	return error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
}
