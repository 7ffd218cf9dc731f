// What a caller's arguments have besides their schema: members that no tool declares, and numbers as text.

import { checkMembers, countMembers, isObject, type Members, missing, type Rule } from "./schema.js";
import { clip } from "./text.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COMMA = 0x2c;

/** What may stand at a place: one of the rules, or an object whose members are not looked at. */
type Shape = Pick<Rule, "items" | "members"> | undefined;

/** What a message was parsed from. */
export interface Source {
	readonly text: string;
	/** How many colons are in it, so no fewer than members; undefined where they were not counted. */
	readonly colons?: number | undefined;
}

const MAX_COUNTED_LENGTH = 512;
/** A call with nothing more than it needs has `jsonrpc`, `id`, `method`, `params`, `name` and `arguments` besides its arguments. */
const MEMBERS_OF_CALL = 6;

/**
 * Checks the arguments of a call in place and fills in the defaults of those that were not given.
 * @param strict are those refused that the tool does not declare? Otherwise they are ignored, and numbers may come as text.
 * @param source the message that they came in, a call that has been looked at as far as here: names that nothing in the firmware
 * knows are left out when it is parsed. Without it only undeclared ones that are there are found.
 * @returns one sentence about what is wrong
 */
export function argumentsProblem(members: Members, args: { [name: string]: unknown }, strict: boolean, source?: Source): string | undefined {
	const result = countMembers(members, args, PREFIX, true);
	if (strict) {
		if (typeof result === "string") return result;
		if (result >= 0) return undeclared(members, args, result, source);
		// A name that is spelled wrongly says more than the one that is missing for it.
		return undeclared(members, args, Number.NaN, source) ?? missing(members, result, PREFIX);
	}
	if (typeof result === "number" && result >= 0) return undefined;
	readNumbers(members, args);
	return checkMembers(members, args, PREFIX);
}

const PREFIX = "Argument ";

/**
 * One sentence about an argument that the tool does not declare, also inside of objects and lists.
 * @param given how many of the declared ones came, without those that are there by default; not a number where that is not known
 */
function undeclared(members: Members, args: { readonly [name: string]: unknown }, given: number, source: Source | undefined): string | undefined {
	if (source && hasOnly(source, MEMBERS_OF_CALL + given)) return undefined;
	const there = otherMember(members, args, "");
	if (there !== undefined || source === undefined) return there;
	const { text } = source;
	if (Object.keys(args).length === given) {
		// Without defaults. Written anew they are what came: nothing was left out. Most clients put no spaces between, and some put one.
		const expected = `"arguments":${JSON.stringify(args)}`;
		if (text.includes(expected) || text.replaceAll(" ", "").includes(expected.replaceAll(" ", ""))) return undefined;
	}
	return new Reader(text).find(members);
}

/** Has a text at most so many members? Each takes a colon. A long one is not counted: its pieces would take as much memory again. */
function hasOnly({ text, colons }: Source, count: number): boolean {
	if (colons !== undefined) return colons === count;
	return text.length <= MAX_COUNTED_LENGTH && text.split(":", count + 2).length === count + 1;
}

/** What is wrong with the members of a parsed object. */
function otherMember({ names, rules }: Members, value: { readonly [name: string]: unknown }, path: string): string | undefined {
	// Counting is cheaper than looking each name up.
	let declared = 0;
	for (let i = 0; i < names.length; i++) {
		const member = value[names[i] as string];
		if (member === undefined) continue;
		declared++;
		if (typeof member !== "object") continue;
		const other = otherInside(rules[i] as Rule, member, `${path && `${path}.`}${names[i]}`);
		if (other !== undefined) return other;
	}
	const given = Object.keys(value);
	if (declared === given.length) return undefined;
	const other = given.find((name) => !names.includes(name));
	return other === undefined ? undefined : notDeclared(other, names, path);
}

/** The sentence about a member that the object at `path` does not have. */
function notDeclared(name: string, names: readonly string[], path: string): string {
	return `Argument ${path && `${path}.`}${clip(name)} is not declared; ${path || "the tool"} takes ${names.join(", ") || "none"}`;
}

function otherInside({ items, members }: Rule, value: unknown, path: string): string | undefined {
	if (members && isObject(value)) return otherMember(members, value, path);
	if (!items || !Array.isArray(value)) return undefined;
	for (let i = 0; i < value.length; i++) {
		const other = otherInside(items, value[i], `${path}[${i}]`);
		if (other !== undefined) return other;
	}
	return undefined;
}

/** Reads a text that is known to be JSON, only as deep as the tool's properties go. */
class Reader {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	/** What is wrong with the message's arguments. */
	find(members: Members): string | undefined {
		return this.#enter("params") && this.#enter("arguments") ? this.#other({ items: undefined, members }, "") : undefined;
	}

	/** Goes to the value of a member of the object that begins here. */
	#enter(name: string): boolean {
		if (this.#space() !== OPEN_BRACE) return false;
		do {
			this.#at++;
			if (this.#space() !== QUOTE) return false;
			const given = this.#name();
			if (given === name) return true;
			this.#skip();
		} while (this.#space() === COMMA);
		return false;
	}

	/** Reads the value that begins here. */
	#other(shape: Shape, path: string): string | undefined {
		const first = this.#space();
		const items = first === OPEN_BRACKET ? shape?.items : undefined;
		const members = first === OPEN_BRACE ? shape?.members : undefined;
		if (!items && !members) return this.#skip();
		let i = 0;
		do {
			this.#at++;
			const next = this.#space();
			if (next === CLOSE_BRACKET || next === CLOSE_BRACE) break;
			let inside: Shape = items;
			let where = `${path}[${i++}]`;
			if (members) {
				const name = this.#name();
				const at = members.names.indexOf(name);
				if (at < 0) return notDeclared(name, members.names, path);
				where = `${path && `${path}.`}${name}`;
				inside = members.rules[at];
			}
			const other = this.#other(inside, where);
			if (other !== undefined) return other;
		} while (this.#space() === COMMA);
		this.#at++;
		return undefined;
	}

	/** Reads a member's name and the colon behind it. */
	#name(): string {
		const from = this.#at;
		this.#string();
		const name = JSON.parse(this.#text.slice(from, this.#at));
		this.#space();
		this.#at++;
		return name;
	}

	/** Passes over the value that begins here. */
	#skip(): undefined {
		let depth = 0;
		this.#space();
		do {
			const code = this.#text.charCodeAt(this.#at);
			if (depth === 0 && (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET)) return;
			if (code === QUOTE) this.#string();
			else {
				if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
				else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
				this.#at++;
			}
		} while (this.#at < this.#text.length);
	}

	/** Passes over the string that begins here. */
	#string(): void {
		const text = this.#text;
		for (let at = text.indexOf('"', this.#at + 1); at >= 0; at = text.indexOf('"', at + 1)) {
			let backslashes = 0;
			while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
			this.#at = at + 1;
			if (backslashes % 2 === 0) return;
		}
		this.#at = text.length;
	}

	/** Passes over white space. @returns the character behind it */
	#space(): number {
		while (this.#text.charCodeAt(this.#at) <= 0x20) this.#at++;
		return this.#text.charCodeAt(this.#at);
	}
}

/** Puts a number where an integer or a number is wanted and a text came that can be nothing else, such as "255". */
export function readNumbers({ names, rules }: Members, args: { [name: string]: unknown }): void {
	for (let i = 0; i < names.length; i++) {
		const name = names[i] as string;
		const value = args[name];
		if (typeof value !== "string" && typeof value !== "object") continue;
		const read = readNumber(rules[i] as Rule, value);
		if (read !== value) args[name] = read;
	}
}

function readNumber({ kind, items, members }: Rule, value: unknown): unknown {
	if (typeof value === "string") {
		if (kind !== "integer" && kind !== "number") return value;
		const number = Number(value);
		return Number.isFinite(number) && String(number) === value ? number : value;
	}
	if (items && Array.isArray(value)) for (let i = 0; i < value.length; i++) value[i] = readNumber(items, value[i]);
	else if (members && isObject(value)) readNumbers(members, value);
	return value;
}
