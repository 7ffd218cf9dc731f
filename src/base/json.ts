// What JSON text would build in memory, found out before it is parsed, and single values found without parsing it.

/** How much a JSON text may build. A parsed value takes far more memory than its text, and memory once taken is not given back. */
export interface JsonLimits {
	/** How deep arrays and objects may be nested; far deeper would overflow the engine's stack. */
	readonly depth: number;
	/** Values of any kind, those of members and elements included. */
	readonly values: number;
	/** Members of all objects together. */
	readonly members: number;
	/** The longest string, in bytes of UTF-8 as it stands in the text. */
	readonly stringBytes: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;

/**
 * The limits of texts of at most so many bytes.
 * @param bytes 4,096 for a board without PSRAM
 */
export function jsonLimits(bytes: number): JsonLimits {
	return Object.freeze({ depth: 32, values: bytes >> 4, members: bytes >> 5, stringBytes: bytes >> 1 });
}

/**
 * Which limit a JSON text is past, as words that follow "a message"; undefined for none. For text that is not JSON any answer
 * is possible, but what passes can be given to `JSON.parse`. The bytes need not be UTF-8, and nothing is copied.
 */
export function jsonProblem(bytes: Uint8Array, limits: JsonLimits): string | undefined {
	let depth = 0;
	let values = 1;
	let members = 0;
	for (let i = 0; i < bytes.length; i++) {
		const byte = bytes[i];
		if (byte === QUOTE) {
			const end = endOfString(bytes, i);
			if (end - i - 1 > limits.stringBytes) return `with a string over ${limits.stringBytes} bytes`;
			i = end;
		} else if (byte === COMMA) values++;
		else if (byte === COLON) {
			if (++members > limits.members) return `with more than ${limits.members} members`;
		} else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
			values++;
			if (++depth > limits.depth) return `nested deeper than ${limits.depth}`;
		} else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
		if (values > limits.values) return `with more than ${limits.values} values`;
	}
	return undefined;
}

/** How many bytes can be past no limit but the depth: a value takes two of them, a member five. */
export function shortBytes({ values, members, stringBytes }: JsonLimits): number {
	return Math.min(2 * values, 5 * members, stringBytes);
}

/** The fewest bytes that an object takes inside another: its braces, an empty name, the colon. */
const BYTES_OF_LEVEL = 5;

/**
 * How many colons are in a text: infinitely many above `limit`. They are not counted in one that is too short to be JSON with more than so
 * many objects one in another; what is no JSON could open a quarter more. XS splits a text in a fraction of a loop's time.
 */
export function countColons(text: string, limit: number): number | undefined {
	if (text.length <= limit * BYTES_OF_LEVEL) return undefined;
	const { length } = text.split(":", limit + 2);
	return length > limit + 1 ? Number.POSITIVE_INFINITY : length - 1;
}

/** Are there more than `limit` opening brackets at all? XS searches a string far faster than a byte array. */
export function hasMoreBrackets(text: string, limit: number): boolean {
	let count = 0;
	for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) if (++count > limit) return true;
	for (let at = text.indexOf("["); at >= 0; at = text.indexOf("[", at + 1)) if (++count > limit) return true;
	return false;
}

/** Where the string ends that begins at `from`: at its closing quote, or behind the last byte. */
function endOfString(bytes: Uint8Array, from: number): number {
	let i = from + 1;
	for (; i < bytes.length; i++) {
		const byte = bytes[i];
		if (byte === BACKSLASH) i++;
		else if (byte === QUOTE) break;
	}
	return Math.min(i, bytes.length);
}

/**
 * A string or number in JSON text that is not to be parsed, perhaps because only its beginning is there.
 * @param path the names of the members that lead to it, from the outside
 * @returns undefined where it is not found
 */
export function findScalar(bytes: Uint8Array, path: readonly string[]): string | number | undefined {
	let depth = 0;
	// How many names of the path lead to the object in which this is.
	let inside = 0;
	let enters = false;
	for (let i = 0; i < bytes.length; i++) {
		const byte = bytes[i] as number;
		if (byte === QUOTE) {
			const from = i + 1;
			i = endOfString(bytes, i);
			if (depth === 0 || inside !== depth - 1) continue;
			let next = skipSpace(bytes, i + 1);
			if (bytes[next] !== COLON || !isAscii(bytes, from, i, path[inside] as string)) continue;
			next = skipSpace(bytes, next + 1);
			if (depth === path.length) return scalar(bytes, next);
			enters = bytes[next] === OPEN_BRACE;
			i = next - 1;
		} else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
			if (enters) inside = depth;
			enters = false;
			depth++;
		} else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
			depth--;
			if (inside >= depth) inside = Math.max(0, depth - 1);
		}
	}
	return undefined;
}

function skipSpace(bytes: Uint8Array, from: number): number {
	let i = from;
	while (i < bytes.length && (bytes[i] as number) <= SPACE) i++;
	return i;
}

function isAscii(bytes: Uint8Array, from: number, to: number, text: string): boolean {
	if (to - from !== text.length) return false;
	for (let i = 0; i < text.length; i++) if (bytes[from + i] !== text.charCodeAt(i)) return false;
	return true;
}

function scalar(bytes: Uint8Array, from: number): string | number | undefined {
	let end = from;
	if (bytes[from] === QUOTE) end = endOfString(bytes, from) + 1;
	else while (end < bytes.length && ![COMMA, CLOSE_BRACE, CLOSE_BRACKET].includes(bytes[end] as number)) end++;
	if (end > bytes.length || (end === bytes.length && bytes[from] !== QUOTE)) return undefined;
	try {
		const value: unknown = JSON.parse(String.fromArrayBuffer(bytes.slice(from, end).buffer));
		return typeof value === "string" || typeof value === "number" ? value : undefined;
	} catch {
		return undefined;
	}
}
