// `console` for tools and drivers, which XS lacks: a line of the log for each call.

declare global {
	interface Console {
		/** One line of the log: texts as they are, errors with their stack, everything else as JSON. */
		log(...parts: unknown[]): void;
		info(...parts: unknown[]): void;
		warn(...parts: unknown[]): void;
		error(...parts: unknown[]): void;
		debug(...parts: unknown[]): void;
	}
	var console: Console;
}

/** @param write takes a line without its end */
export function createConsole(write: (line: string) => void): Console {
	const log = (...parts: unknown[]) => write(parts.map(inWords).join(" "));
	return { log, info: log, warn: log, error: log, debug: log } as Console;
}

function inWords(value: unknown): string {
	if (typeof value === "string") return value;
	if (value instanceof Error) return value.stack ?? String(value);
	try {
		return (typeof value === "object" && JSON.stringify(value)) || String(value);
	} catch {
		// A circular object, or one that lies in flash.
		return Object.prototype.toString.call(value);
	}
}
