// What a caller's arguments have besides their schema: names that no tool declares, and numbers as text.

import { isObject, type Members, type Property } from "./schema.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COLON = 0x3a;
const KEY = '"arguments":';

/**
 * An argument that the tool does not declare.
 * @param text the message that they came in: names that nothing in the firmware knows are left out when it is parsed. Without
 * it only those that are there are found.
 */
export function undeclared({ names }: Members, args: { readonly [name: string]: unknown }, text?: string): string | undefined {
	const given = Object.keys(args);
	// Counting is cheaper than looking each name up.
	let declared = 0;
	for (let i = 0; i < names.length; i++) if (args[names[i] as string] !== undefined) declared++;
	if (declared !== given.length) return given.find((name) => !names.includes(name));
	if (text === undefined) return undefined;
	// Written anew they are what came: nothing was left out. Most clients put no spaces between, and some put one.
	const expected = KEY + JSON.stringify(args);
	if (text.includes(expected) || text.replaceAll(" ", "").includes(expected.replaceAll(" ", ""))) return undefined;
	return findOther(text, names);
}

/** The first name that is not in the list, of the object that is `arguments`. */
function findOther(text: string, names: readonly string[]): string | undefined {
	let depth = 0;
	let from = -1;
	do {
		from = text.indexOf(KEY.slice(0, -1), from + 1);
		if (from < 0) return undefined;
	} while (text.charCodeAt(skipSpace(text, from + KEY.length - 1)) !== COLON);
	for (let i = from + KEY.length; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
		else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
			if (--depth <= 0) return undefined;
		} else if (code === QUOTE) {
			const end = endOfString(text, i);
			if (depth === 1 && text.charCodeAt(skipSpace(text, end)) === COLON) {
				const name = JSON.parse(text.slice(i, end));
				if (!names.includes(name)) return name;
			}
			i = end - 1;
		}
	}
	return undefined;
}

function skipSpace(text: string, from: number): number {
	let at = from;
	while (text.charCodeAt(at) <= 0x20) at++;
	return at;
}

/** Behind the closing quotation mark of the string that begins at `from`. */
function endOfString(text: string, from: number): number {
	for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
		let backslashes = 0;
		while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
		if (backslashes % 2 === 0) return at + 1;
	}
	return text.length;
}

/** Puts a number where an integer or a number is wanted and a text came that can be nothing else, such as "255". */
export function readNumbers({ names, properties }: Members, args: { [name: string]: unknown }): void {
	for (let i = 0; i < names.length; i++) {
		const name = names[i] as string;
		const value = args[name];
		if (typeof value !== "string" && typeof value !== "object") continue;
		const read = readNumber(properties[i] as Property, value);
		if (read !== value) args[name] = read;
	}
}

function readNumber({ kind, items, members }: Property, value: unknown): unknown {
	if (typeof value === "string") {
		if (kind !== "integer" && kind !== "number") return value;
		const number = Number(value);
		return Number.isFinite(number) && String(number) === value ? number : value;
	}
	if (items && Array.isArray(value)) for (let i = 0; i < value.length; i++) value[i] = readNumber(items, value[i]);
	else if (members && isObject(value)) readNumbers(members, value);
	return value;
}
