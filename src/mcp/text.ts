// Short texts for errors and the log.

/** At most `length` characters of a text. */
export function clip(text: string, length = 64): string {
	return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** How many lines of a stack are logged: the tool's own come first. */
const MAX_STACK_LINES = 6;

/** Whatever was thrown, for the log. */
export function describeError(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.stack?.split("\n", MAX_STACK_LINES).join("\n") ?? `${error.name}: ${error.message}`;
}
