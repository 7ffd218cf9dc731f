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

/** What a `Rule` is made of. */
interface RuleLimits extends Omit<Limits, "description" | "titles" | "items" | "properties"> {
	items?: Rule | undefined;
	members?: Members | undefined;
}

/** What a value has to be: a property without its words, which only the wire needs. Immutable; tools share the rules that are equal. */
export class Rule {
	readonly kind: Kind;
	// Of these only what was given is there: see `assignGiven`.
	declare readonly optional: boolean | undefined;
	/** What an absent argument becomes; undefined when there is no default. */
	declare readonly default: unknown;
	declare readonly minimum: number | undefined;
	declare readonly maximum: number | undefined;
	declare readonly enum: readonly (string | number)[] | undefined;
	/** Is there a single value? It goes out as `const`. */
	declare readonly single: true | undefined;
	/** The source of a regular expression: one that lives in flash cannot be used. */
	declare readonly pattern: string | undefined;
	declare readonly format: Format | undefined;
	declare readonly items: Rule | undefined;
	declare readonly members: Members | undefined;

	/** @throws TypeError or RangeError when the limits contradict each other or the default does not fit. */
	constructor(kind: Kind, options: RuleLimits) {
		const minimum = options.minimum ?? options.minLength ?? options.minItems;
		const maximum = options.maximum ?? options.maxLength ?? options.maxItems;
		const counts = kind === "string" || kind === "array";
		for (const limit of [minimum, maximum])
			if (limit !== undefined && (!Number.isFinite(limit) || (counts && !(Number.isInteger(limit) && limit >= 0))))
				throw new RangeError(`${kind}: a limit must be ${counts ? "an integer from 0" : "a finite number"}, got ${limit}`);
		if (minimum !== undefined && maximum !== undefined && minimum > maximum)
			throw new RangeError(`${kind}: the minimum ${minimum} is above the maximum ${maximum}`);
		if (options.default !== undefined && options.optional) throw new TypeError(`${kind}: give either default or optional, not both`);
		const { items, members, pattern, format } = options;
		if (options.enum && options.const !== undefined) throw new TypeError(`${kind}: give either enum or const, not both`);
		const choices = options.const === undefined ? options.enum : [options.const];
		if (choices?.length === 0) throw new RangeError(`${kind}: enum is empty`);
		if (pattern !== undefined) new RegExp(pattern, "u");
		if (format !== undefined && !Object.hasOwn(FORMATS, format))
			throw new TypeError(`${kind}: unknown format ${format}, expected one of ${Object.keys(FORMATS).join(", ")}`);

		this.kind = kind;
		assignGiven(this, {
			optional: options.optional || undefined,
			default: freezeDeep(options.default),
			minimum,
			maximum,
			enum: choices && Object.freeze([...choices]),
			single: options.const === undefined ? undefined : true,
			pattern,
			format,
			items,
			members,
		});
		for (const choice of choices ?? []) this.#refuse(options.const === undefined ? "enum" : "const", choice);
		if (this.default !== undefined) this.#refuse("default", this.default);
		Object.freeze(this);
	}

	/** Must the caller give it? */
	get required(): boolean {
		return this.default === undefined && !this.optional;
	}

	#refuse(what: string, value: unknown): void {
		const problem = check(this, value, what, false);
		if (problem) throw new RangeError(`${this.kind}: ${problem}`);
	}
}

/**
 * One argument, or one part of an argument. Made by `boolean`, `integer`, `number`, `string`, `array` and `object`; immutable. A tool
 * keeps its rule and its text, so that one that is written where it is used is gone when the firmware is linked.
 */
export class Property<T = unknown, R extends Presence = Presence> {
	declare readonly value: T;
	declare readonly presence: R;

	readonly rule: Rule;
	// Of these only what was given is there: see `assignGiven`.
	declare private readonly description: string | undefined;
	declare private readonly titles: readonly string[] | undefined;
	declare private readonly items: Property | undefined;
	declare private readonly properties: Properties | undefined;

	/** @throws TypeError or RangeError when the options contradict each other or the default does not fit. */
	constructor(kind: Kind, options: Limits) {
		for (const key in options)
			if (!KEYWORDS[kind].includes(key)) throw new TypeError(`${kind}: unknown option ${key}, expected one of ${KEYWORDS[kind].join(", ")}`);
		const { description, titles, items, properties, ...limits } = options;
		if (titles && titles.length !== options.enum?.length) throw new RangeError(`${kind}: titles must be as many as enum has values`);
		this.rule = new Rule(kind, { ...limits, items: items?.rule, members: properties && membersOf(properties) });
		assignGiven(this, {
			description: description && localized(description),
			titles: titles && Object.freeze([...titles]),
			items,
			properties: properties && Object.freeze({ ...properties }),
		});
		Object.freeze(this);
	}

	/**
	 * This property as JSON Schema text.
	 * @param closed objects have no other members than those declared
	 */
	json(closed = false): string {
		const { rule, description, titles, items, properties } = this;
		const { kind, minimum, maximum, pattern, format } = rule;
		const limit = LIMIT_WORDS[kind];
		let text = `{"type":"${kind}"`;
		if (description !== undefined) text += `,"description":${JSON.stringify(description)}`;
		if (rule.default !== undefined) text += `,"default":${jsonText(rule.default)}`;
		if (minimum !== undefined) text += `,"min${limit}":${minimum}`;
		if (maximum !== undefined) text += `,"max${limit}":${maximum}`;
		if (pattern !== undefined) text += `,"pattern":${JSON.stringify(pattern)}`;
		if (format !== undefined) text += `,"format":"${format}"`;
		if (rule.single) text += `,"const":${jsonText(rule.enum?.[0])}`;
		else if (titles) text += `,"oneOf":[${titles.map((title, i) => jsonText({ const: rule.enum?.[i], title })).join(",")}]`;
		else if (rule.enum) text += `,"enum":${jsonText(rule.enum)}`;
		if (items) text += `,"items":${items.json(closed)}`;
		if (properties) text += `,${propertiesJson(properties, closed)}${closed ? ',"additionalProperties":false' : ""}`;
		return `${text}}`;
	}
}

/**
 * The JSON Schema members `"properties":{…},"required":[…]`.
 * @param closed objects below have no other members than those declared
 */
export function propertiesJson(properties: Properties, closed = false): string {
	const entries = Object.entries(properties);
	const texts = entries.map(([name, property]) => `${JSON.stringify(name)}:${property.json(closed)}`);
	const required = entries.filter(([, { rule }]) => rule.required).map(([name]) => JSON.stringify(name));
	return `"properties":{${texts.join(",")}},"required":[${required.join(",")}]`;
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

/** The rules of named values in the order of their declaration, laid out for the check. Immutable. */
export class Members {
	readonly names: readonly string[];
	/** One for each of `names`. */
	readonly rules: readonly Rule[];

	constructor(names: readonly string[], rules: readonly Rule[]) {
		this.names = Object.freeze(names);
		this.rules = Object.freeze(rules);
		Object.freeze(this);
	}
}

/** @throws TypeError when a name cannot be used or a value is no property. */
export function membersOf(properties: { readonly [name: string]: Property | Rule }): Members {
	const names = Object.keys(properties);
	const rules = names.map((name) => {
		if (!name || name in Object.prototype) throw new TypeError(`${JSON.stringify(name)} cannot be the name of a property`);
		const property = properties[name];
		const rule = property instanceof Property ? property.rule : property;
		if (!(rule instanceof Rule))
			throw new TypeError(`property ${name} must be made by boolean, integer, number, string, array or object, got ${describe(rule)}`);
		return rule;
	});
	return new Members(names, rules);
}

/** Makes a function that gives equal values made of JSON, rules and members one object, the first of them, so that flash holds it once. */
export function sharing(): <V extends object>(value: V) => V {
	const values = new Map<string, object>();
	return (value) => {
		const key = jsonText(value);
		if (!values.has(key)) values.set(key, value);
		return values.get(key) as typeof value;
	};
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
export function check(rule: Rule, value: unknown, path: string, fill = true): string | undefined {
	return fits(rule, value) ? undefined : checkInside(rule, value, path, fill);
}

/** `check` for the members of an object; `prefix` stands before their names in the sentence. */
export function checkMembers(members: Members, value: { [key: string]: unknown }, prefix: string, fill = true): string | undefined {
	const result = countMembers(members, value, prefix, fill);
	if (typeof result === "string") return result;
	return result < 0 ? missing(members, result, prefix) : undefined;
}

/** The sentence about a member that is not there. @param result of `countMembers` */
export function missing({ names, rules }: Members, result: number, prefix: string): string {
	return `${prefix}${names[-1 - result]} is missing: expected ${describeExpected(rules[-1 - result] as Rule)}`;
}

/**
 * As `checkMembers`, but tells what may have another reason: how many of the members were given where they fit, or which one is missing.
 * @returns below 0 for a missing one: -1 for the first
 */
export function countMembers(members: Members, value: { [key: string]: unknown }, prefix: string, fill: boolean): string | number {
	const { names, rules } = members;
	let given = 0;
	for (let i = 0, { length } = names; i < length; i++) {
		const name = names[i] as string;
		const rule = rules[i] as Rule;
		const member = value[name];
		if (member === undefined) {
			if (rule.required) return -1 - i;
			if (fill && rule.default !== undefined) value[name] = copyOf(rule.default);
			continue;
		}
		given++;
		if (rule.kind === "integer" && rule.enum === undefined) {
			// As `fits`, without a call: most arguments are such.
			if (isInteger(member) && !((member as number) < (rule.minimum as number)) && !((member as number) > (rule.maximum as number))) continue;
			return unfit(rule, member, prefix + name);
		}
		if (fits(rule, member)) continue;
		const problem = checkInside(rule, member, prefix + name, fill);
		if (problem !== undefined) return problem;
	}
	return given;
}

/** Is it one value, neither a list nor an object, that fits? */
function fits(rule: Rule, value: unknown): boolean {
	switch (rule.kind) {
		case "integer":
			if (!isInteger(value)) return false;
			break;
		case "number":
			if (!Number.isFinite(value)) return false;
			break;
		case "string":
			if (typeof value !== "string" || !fitsText(rule, value)) return false;
			return rule.enum === undefined || rule.enum.includes(value);
		case "boolean":
			return typeof value === "boolean";
		default:
			return false;
	}
	if ((value as number) < (rule.minimum as number) || (value as number) > (rule.maximum as number)) return false;
	return rule.enum === undefined || rule.enum.includes(value as number);
}

function fitsText(rule: Rule, value: string): boolean {
	const { minimum, maximum, pattern, format } = rule;
	// A code point is one or two characters, and to count them takes long.
	const { length } = value;
	if (length > (maximum as number) || length < 2 * (minimum as number)) {
		if (length > 2 * (maximum as number) || !inRange(rule, codePoints(value))) return false;
	}
	if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) return false;
	return format === undefined || new RegExp(FORMATS[format], "u").test(value);
}

const MUST_BE = " must be ";
const GOT = ", got ";

/** What is wrong with a list, an object, or a value that does not fit. */
function checkInside(rule: Rule, value: unknown, path: string, fill: boolean): string | undefined {
	if (rule.kind === "array" && Array.isArray(value) && inRange(rule, value.length)) {
		const items = rule.items as Rule;
		for (let i = 0; i < value.length; i++) {
			const problem = check(items, value[i], `${path}[${i}]`, fill);
			if (problem) return problem;
		}
		return undefined;
	}
	if (rule.kind === "object" && isObject(value)) return checkMembers(rule.members as Members, value, `${path}.`, fill);
	return unfit(rule, value, path);
}

/** The sentence about a value that does not fit. */
function unfit(rule: Rule, value: unknown, path: string): string {
	return path + MUST_BE + describeExpected(rule) + GOT + describe(value);
}

/** Without the way through two objects at each call: several times for every message. */
const { isArray } = Array;
const { isInteger } = Number;

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
	switch (typeof value) {
		case "number":
			return String(value);
		case "undefined":
			return "nothing";
		case "string":
			return `the string ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
		case "object":
			if (value !== null) return isArray(value) ? `an array of ${value.length}` : "an object";
			break;
	}
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

function inRange(rule: Rule, value: number): boolean {
	return !(value < (rule.minimum as number)) && !(value > (rule.maximum as number));
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

function describeExpected(rule: Rule): string {
	const { kind, minimum, maximum, enum: choices } = rule;
	if (choices) return rule.single ? JSON.stringify(choices[0]) : `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`;
	if (kind === "integer" || kind === "number") {
		const noun = kind === "integer" ? "an integer" : "a number";
		if (minimum === undefined) return maximum === undefined ? noun : `${noun} up to ${maximum}`;
		// In XS a template takes three times as long.
		return maximum === undefined ? `${noun} from ${minimum}` : noun + FROM + minimum + TO + maximum;
	}
	switch (kind) {
		case "boolean":
			return "a boolean";
		case "object":
			return "an object";
		case "string": {
			const form = rule.format === undefined ? "" : ` in the format ${rule.format}`;
			return `a string${count(minimum, maximum, "characters")}${form}${rule.pattern === undefined ? "" : ` that matches ${rule.pattern}`}`;
		}
		default:
			return `an array${count(minimum, maximum, "elements")}`;
	}
}

const FROM = " from ";
const TO = " to ";

function count(minimum: number | undefined, maximum: number | undefined, unit: string): string {
	if (minimum === undefined) return maximum === undefined ? "" : ` of at most ${maximum} ${unit}`;
	return maximum === undefined ? ` of at least ${minimum} ${unit}` : ` of ${minimum} to ${maximum} ${unit}`;
}

/** A default that is a list or an object as one of its own, which may be changed and given to `JSON.stringify`. */
function copyOf(value: unknown): unknown {
	return typeof value === "object" ? JSON.parse(jsonText(value)) : value;
}

/** JSON of what may lie in flash, on which `JSON.stringify` throws. */
function jsonText(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
	if (!isObject(value)) return JSON.stringify(value);
	return `{${Object.keys(value)
		.map((key) => `${JSON.stringify(key)}:${jsonText(value[key])}`)
		.join(",")}}`;
}
