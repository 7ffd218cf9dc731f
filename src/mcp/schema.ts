// The argument types of a tool: JSON Schema for the wire, a check for what comes in, and the TypeScript type of both.

import { localized, type Text } from "./localized.js";

/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Whether a caller has to give a value: `required`, or it has a `default`, or it is `optional` and may be undefined. */
export type Presence = "required" | "default" | "optional";

type Kind = "boolean" | "integer" | "number" | "string" | "array" | "object";

interface CommonOptions<T> {
	/** What the value means, in words that help a language model; in one language or in both, of which the build takes one. */
	description?: Text;
	/** Used when the caller gives none. It has to fit the property itself. */
	default?: T;
	/** The caller may leave it out; the tool then sees `undefined`. Not together with `default`. */
	optional?: boolean;
}

interface NumericOptions extends CommonOptions<number> {
	minimum?: number;
	maximum?: number;
	/** Gemini refuses it: give a range where a model is to use the tool. */
	enum?: readonly number[];
	/** The only value. Gemini refuses it. */
	const?: number;
}

/** The formats that are checked. */
export type Format = keyof typeof FORMATS;

interface StringOptions extends CommonOptions<string> {
	/** In Unicode code points, as JSON Schema counts. */
	minLength?: number;
	/** In Unicode code points, as JSON Schema counts. */
	maxLength?: number;
	enum?: readonly string[];
	/** Names for people, one for each of `enum`. They go out as `oneOf`, which Gemini refuses. */
	titles?: readonly string[];
	/** The only value. Gemini refuses it. */
	const?: string;
	/** A regular expression that some part of the text has to match; `^` and `$` for the whole. Keep it simple: a peer chooses the text. */
	pattern?: string;
	/** Gemini takes `date-time` only. */
	format?: Format;
}

interface ArrayOptions<I extends Property> extends CommonOptions<readonly ValueOf<I>[]> {
	/** What every element is. */
	items: I;
	minItems?: number;
	maxItems?: number;
}

interface ObjectOptions<P extends Properties> extends CommonOptions<{ readonly [key: string]: Json }> {
	/** The members; those without `default` and `optional` are required. */
	properties: P;
}

type PresenceOf<O> = O extends { default: unknown } ? "default" : O extends { optional: true } ? "optional" : "required";
type EnumOr<O, T> = O extends { enum: readonly (infer E)[] } ? E : O extends { const: infer C } ? C : T;
type ValueOf<P> = P extends Property<infer T> ? T : never;
type Simplify<T> = { [K in keyof T]: T[K] };

/** Named properties: of a tool's arguments, or of an object among them. */
export type Properties = { readonly [name: string]: Property };

/** The type of the arguments that a tool with the properties `P` receives. */
export type Arguments<P extends Properties> = Simplify<{
	-readonly [K in keyof P]: P[K] extends Property<infer T, infer R> ? (R extends "optional" ? T | undefined : T) : never;
}>;

interface Limits {
	description?: Text;
	default?: unknown;
	optional?: boolean;
	minimum?: number;
	maximum?: number;
	minLength?: number;
	maxLength?: number;
	minItems?: number;
	maxItems?: number;
	enum?: readonly (string | number)[];
	titles?: readonly string[];
	const?: string | number;
	pattern?: string;
	format?: Format;
	items?: Property;
	properties?: Properties;
}

/**
 * One argument, or one part of an argument. Made by `boolean`, `integer`, `number`, `string`, `array` and `object`;
 * immutable, so that a preloaded module keeps it in flash.
 */
export class Property<T = unknown, R extends Presence = Presence> {
	declare readonly value: T;
	declare readonly presence: R;

	readonly kind: Kind;
	// Of these only what was given is there: see `assignGiven`.
	declare readonly description: string | undefined;
	declare readonly optional: boolean | undefined;
	/** What an absent argument becomes; undefined when there is no default. */
	declare readonly default: unknown;
	declare readonly minimum: number | undefined;
	declare readonly maximum: number | undefined;
	declare readonly enum: readonly (string | number)[] | undefined;
	declare readonly titles: readonly string[] | undefined;
	/** Is there a single value? It goes out as `const`. */
	declare readonly single: true | undefined;
	/** The source of a regular expression: one that lives in flash cannot be used. */
	declare readonly pattern: string | undefined;
	declare readonly format: Format | undefined;
	declare readonly items: Property | undefined;
	declare readonly members: Members | undefined;

	/** @throws TypeError or RangeError when the limits contradict each other or the default does not fit. */
	constructor(kind: Kind, options: Limits) {
		for (const key in options)
			if (!KEYWORDS[kind].includes(key)) throw new TypeError(`${kind}: unknown option ${key}, expected one of ${KEYWORDS[kind].join(", ")}`);
		const minimum = options.minimum ?? options.minLength ?? options.minItems;
		const maximum = options.maximum ?? options.maxLength ?? options.maxItems;
		const counts = kind === "string" || kind === "array";
		for (const limit of [minimum, maximum])
			if (limit !== undefined && (!Number.isFinite(limit) || (counts && !(Number.isInteger(limit) && limit >= 0))))
				throw new RangeError(`${kind}: a limit must be ${counts ? "an integer from 0" : "a finite number"}, got ${limit}`);
		if (minimum !== undefined && maximum !== undefined && minimum > maximum)
			throw new RangeError(`${kind}: the minimum ${minimum} is above the maximum ${maximum}`);
		if (options.default !== undefined && options.optional) throw new TypeError(`${kind}: give either default or optional, not both`);
		const { description, items, pattern, format, properties, titles } = options;
		if (options.enum && options.const !== undefined) throw new TypeError(`${kind}: give either enum or const, not both`);
		const choices = options.const === undefined ? options.enum : [options.const];
		if (choices?.length === 0) throw new RangeError(`${kind}: enum is empty`);
		if (titles && titles.length !== options.enum?.length) throw new RangeError(`${kind}: titles must be as many as enum has values`);
		if (pattern !== undefined) new RegExp(pattern, "u");
		if (format !== undefined && !Object.hasOwn(FORMATS, format))
			throw new TypeError(`${kind}: unknown format ${format}, expected one of ${Object.keys(FORMATS).join(", ")}`);

		this.kind = kind;
		assignGiven(this, {
			description: description && localized(description),
			optional: options.optional || undefined,
			default: freezeDeep(options.default),
			minimum,
			maximum,
			enum: choices && Object.freeze([...choices]),
			titles: titles && Object.freeze([...titles]),
			single: options.const === undefined ? undefined : true,
			pattern,
			format,
			items,
			members: properties && new Members(properties),
		});
		for (const choice of choices ?? []) this.#refuse(options.const === undefined ? "enum" : "const", choice);
		if (this.default !== undefined) this.#refuse("default", this.default);
		Object.freeze(this);
	}

	/** Must the caller give it? */
	get required(): boolean {
		return this.default === undefined && !this.optional;
	}

	/**
	 * This property as JSON Schema text.
	 * @param closed objects have no other members than those declared
	 */
	json(closed = false): string {
		const { kind, description, minimum, maximum, titles, pattern, format, items, members } = this;
		const limit = LIMIT_WORDS[kind];
		let text = `{"type":"${kind}"`;
		if (description !== undefined) text += `,"description":${JSON.stringify(description)}`;
		if (this.default !== undefined) text += `,"default":${jsonText(this.default)}`;
		if (minimum !== undefined) text += `,"min${limit}":${minimum}`;
		if (maximum !== undefined) text += `,"max${limit}":${maximum}`;
		if (pattern !== undefined) text += `,"pattern":${JSON.stringify(pattern)}`;
		if (format !== undefined) text += `,"format":"${format}"`;
		if (this.single) text += `,"const":${jsonText(this.enum?.[0])}`;
		else if (titles) text += `,"oneOf":[${titles.map((title, i) => jsonText({ const: this.enum?.[i], title })).join(",")}]`;
		else if (this.enum) text += `,"enum":${jsonText(this.enum)}`;
		if (items) text += `,"items":${items.json(closed)}`;
		if (members) text += `,${members.json(closed)}${closed ? ',"additionalProperties":false' : ""}`;
		return `${text}}`;
	}

	#refuse(what: string, value: unknown): void {
		const problem = check(this, value, what, false);
		if (problem) throw new RangeError(`${this.kind}: ${problem}`);
	}
}

/** How the names of a kind's limits end. */
const LIMIT_WORDS: { readonly [K in Kind]?: string } = Object.freeze({ integer: "imum", number: "imum", string: "Length", array: "Items" });
const COMMON = ["description", "default", "optional"];
const KEYWORDS: { readonly [K in Kind]: readonly string[] } = Object.freeze({
	boolean: Object.freeze([...COMMON]),
	integer: Object.freeze([...COMMON, "minimum", "maximum", "enum", "const"]),
	number: Object.freeze([...COMMON, "minimum", "maximum", "enum", "const"]),
	string: Object.freeze([...COMMON, "minLength", "maxLength", "enum", "titles", "const", "pattern", "format"]),
	array: Object.freeze([...COMMON, "items", "minItems", "maxItems"]),
	object: Object.freeze([...COMMON, "properties"]),
});
Object.freeze(COMMON);

/** What a text of each format looks like (RFC 3339, 3986, 4122, 5321): near enough to catch a mistake. */
const FORMATS = Object.freeze({
	"date-time": "^\\d{4}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)$",
	date: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$",
	time: "^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)$",
	email: "^[^@\\s]+@[^@\\s]+$",
	uri: "^[A-Za-z][A-Za-z0-9+.\\-]*:[^\\s]*$",
	uuid: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
});

/** Properties in the order of their declaration, laid out for the check and for the wire. */
export class Members {
	readonly names: readonly string[];
	readonly properties: readonly Property[];
	/** @throws TypeError when a name cannot be used or a value is no property. */
	constructor(properties: Properties) {
		const names = Object.keys(properties);
		for (const name of names) {
			if (!name || name in Object.prototype) throw new TypeError(`${JSON.stringify(name)} cannot be the name of a property`);
			if (!(properties[name] instanceof Property))
				throw new TypeError(`property ${name} must be made by boolean, integer, number, string, array or object, got ${describe(properties[name])}`);
		}
		this.names = Object.freeze(names);
		this.properties = Object.freeze(names.map((name) => properties[name] as Property));
		Object.freeze(this);
	}

	/**
	 * The JSON Schema members `"properties":{…},"required":[…]`.
	 * @param closed objects below have no other members than those declared
	 */
	json(closed = false): string {
		const { names, properties } = this;
		const texts = names.map((name, i) => `${JSON.stringify(name)}:${(properties[i] as Property).json(closed)}`);
		const required = names.filter((_name, i) => properties[i]?.required).map((name) => JSON.stringify(name));
		return `"properties":{${texts.join(",")}},"required":[${required.join(",")}]`;
	}
}

/** true or false. */
export function boolean<const O extends CommonOptions<boolean>>(options?: O): Property<boolean, PresenceOf<O>> {
	return new Property("boolean", options ?? {});
}

/** A whole number; 50.0 counts, 50.5 does not. */
export function integer<const O extends NumericOptions>(options?: O): Property<EnumOr<O, number>, PresenceOf<O>> {
	return new Property("integer", options ?? {});
}

/** Any finite number. */
export function number<const O extends NumericOptions>(options?: O): Property<EnumOr<O, number>, PresenceOf<O>> {
	return new Property("number", options ?? {});
}

/** A string. */
export function string<const O extends StringOptions>(options?: O): Property<EnumOr<O, string>, PresenceOf<O>> {
	return new Property("string", options ?? {});
}

/** A list of `items`. */
export function array<I extends Property, const O extends ArrayOptions<I>>(options: O & { items: I }): Property<ValueOf<I>[], PresenceOf<O>> {
	if (!(options?.items instanceof Property)) throw new TypeError("array: items must be a property");
	return new Property("array", options);
}

/** An object with named members. */
export function object<P extends Properties, const O extends ObjectOptions<P>>(
	options: O & { properties: P },
): Property<Arguments<P>, PresenceOf<O>> {
	return new Property("object", options);
}

/**
 * Checks a parsed JSON value in place and fills in the defaults of absent members.
 * @returns undefined when it fits; otherwise one sentence that says which value, what was expected and what came.
 */
export function check(property: Property, value: unknown, path: string, fill = true): string | undefined {
	return fits(property, value) ? undefined : checkInside(property, value, path, fill);
}

/** `check` for the members of an object; `prefix` stands before their names in the sentence. */
export function checkMembers(members: Members, value: { [key: string]: unknown }, prefix: string, fill = true): string | undefined {
	const { names, properties } = members;
	for (let i = 0, { length } = names; i < length; i++) {
		const name = names[i] as string;
		const property = properties[i] as Property;
		const member = value[name];
		if (member === undefined) {
			if (property.required) return `${prefix}${name} is missing: expected ${describeExpected(property)}`;
			if (fill && property.default !== undefined) value[name] = property.default;
		} else if (!fits(property, member)) {
			const problem = checkInside(property, member, prefix + name, fill);
			if (problem) return problem;
		}
	}
	return undefined;
}

/** Is it one value, neither a list nor an object, that fits? */
function fits(property: Property, value: unknown): boolean {
	switch (property.kind) {
		case "integer":
			if (!Number.isInteger(value)) return false;
			break;
		case "number":
			if (!Number.isFinite(value)) return false;
			break;
		case "string":
			if (typeof value !== "string" || !fitsText(property, value)) return false;
			return property.enum === undefined || property.enum.includes(value);
		case "boolean":
			return typeof value === "boolean";
		default:
			return false;
	}
	if ((value as number) < (property.minimum as number) || (value as number) > (property.maximum as number)) return false;
	return property.enum === undefined || property.enum.includes(value as number);
}

function fitsText(property: Property, value: string): boolean {
	const { minimum, maximum, pattern, format } = property;
	// A code point is one or two characters, and to count them takes long.
	const { length } = value;
	if (length > (maximum as number) || length < 2 * (minimum as number)) {
		if (length > 2 * (maximum as number) || !inRange(property, codePoints(value))) return false;
	}
	if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) return false;
	return format === undefined || new RegExp(FORMATS[format], "u").test(value);
}

/** What is wrong with a list, an object, or a value that does not fit. */
function checkInside(property: Property, value: unknown, path: string, fill: boolean): string | undefined {
	if (property.kind === "array" && Array.isArray(value) && inRange(property, value.length)) {
		const items = property.items as Property;
		for (let i = 0; i < value.length; i++) {
			const problem = check(items, value[i], `${path}[${i}]`, fill);
			if (problem) return problem;
		}
		return undefined;
	}
	if (property.kind === "object" && isObject(value)) return checkMembers(property.members as Members, value, `${path}.`, fill);
	return `${path} must be ${describeExpected(property)}, got ${describe(value)}`;
}

/** Without the way through two objects at each call: several times for every message. */
const { isArray } = Array;

/** Is it a JSON object: neither null nor an array? */
export function isObject(value: unknown): value is { [key: string]: unknown } {
	return typeof value === "object" && value !== null && !isArray(value);
}

/** Gives an object the members that are not undefined; one that is not there takes no flash. */
export function assignGiven(target: object, members: { readonly [name: string]: unknown }): void {
	for (const [name, value] of Object.entries(members)) if (value !== undefined) (target as { [name: string]: unknown })[name] = value;
}

/** A value that came from outside, in a few words for an error. */
export function describe(value: unknown): string {
	if (value === undefined) return "nothing";
	if (Array.isArray(value)) return `an array of ${value.length}`;
	if (typeof value === "string") {
		const text = value.length > 40 ? `${value.slice(0, 40)}…` : value;
		return `the string ${JSON.stringify(text)}`;
	}
	if (typeof value === "object" && value !== null) return "an object";
	return String(value);
}

/** XS counts a text's bytes far faster than a loop does. */
const Buffers = ArrayBuffer as { fromString?(text: string): ArrayBuffer };

/** The length of a text in bytes of UTF-8. */
export function utf8Length(text: string): number {
	if (Buffers.fromString) return Buffers.fromString(text).byteLength;
	let bytes = 0;
	for (const character of text) {
		const code = character.codePointAt(0) as number;
		bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	}
	return bytes;
}

function inRange(property: Property, value: number): boolean {
	return !(value < (property.minimum as number)) && !(value > (property.maximum as number));
}

function codePoints(text: string): number {
	let count = 0;
	for (const _ of text) count++;
	return count;
}

function freezeDeep<T>(value: T): T {
	if (typeof value === "object" && value !== null) for (const key of Object.keys(value)) freezeDeep((value as { [key: string]: unknown })[key]);
	return Object.freeze(value);
}

function describeExpected(property: Property): string {
	const { kind, minimum, maximum } = property;
	if (property.single) return JSON.stringify(property.enum?.[0]);
	if (property.enum) return `one of ${property.enum.map((choice) => JSON.stringify(choice)).join(", ")}`;
	switch (kind) {
		case "boolean":
			return "a boolean";
		case "object":
			return "an object";
		case "string": {
			const form = property.format === undefined ? "" : ` in the format ${property.format}`;
			return `a string${count(minimum, maximum, "characters")}${form}${property.pattern === undefined ? "" : ` that matches ${property.pattern}`}`;
		}
		case "array":
			return `an array${count(minimum, maximum, "elements")}`;
		default: {
			const noun = kind === "integer" ? "an integer" : "a number";
			if (minimum === undefined) return maximum === undefined ? noun : `${noun} up to ${maximum}`;
			return maximum === undefined ? `${noun} from ${minimum}` : `${noun} from ${minimum} to ${maximum}`;
		}
	}
}

function count(minimum: number | undefined, maximum: number | undefined, unit: string): string {
	if (minimum === undefined) return maximum === undefined ? "" : ` of at most ${maximum} ${unit}`;
	return maximum === undefined ? ` of at least ${minimum} ${unit}` : ` of ${minimum} to ${maximum} ${unit}`;
}

/** JSON of what may lie in flash, on which `JSON.stringify` throws. */
function jsonText(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
	if (!isObject(value)) return JSON.stringify(value);
	return `{${Object.keys(value)
		.map((key) => `${JSON.stringify(key)}:${jsonText(value[key])}`)
		.join(",")}}`;
}
