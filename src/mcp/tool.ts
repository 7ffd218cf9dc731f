// A tool as a constant: data, wire text and a function of (arguments, board), fit to live in flash.

import type { ToolResult } from "./content.js";
import { localized, type Text } from "./localized.js";
import {
	type Arguments,
	assignGiven,
	describe,
	isObject,
	Members,
	membersOf,
	type Properties,
	propertiesJson,
	type sharing,
	utf8Length,
} from "./schema.js";

/** Where the peer wants pictures of a camera to go, from `initialize` (seeds 000, 002, 004). */
export interface Vision {
	readonly url: string;
	readonly token: string;
}

/** What a running call can do and learn besides its arguments. */
export interface CallContext {
	/** Has the caller given up? The result is dropped then. */
	readonly cancelled: boolean;
	/** Is called once when the caller gives up or the time limit is over. */
	onCancel: (() => void) | undefined;
	/** Where the caller wants pictures to go, if it has said so. */
	readonly vision?: Vision | undefined;
	/** The most bytes that the whole result may take on the wire; 8,192 where nothing is known. */
	readonly maxResultBytes?: number | undefined;
	/** Tells the caller how far it is, if the caller asked for that; `done` has to rise. */
	progress(done: number, total?: number, message?: string): void;
}

/** What the tool does to the world, as hints for the client (MCP `annotations`). */
export interface ToolAnnotations {
	readOnlyHint?: boolean;
	destructiveHint?: boolean;
	idempotentHint?: boolean;
	/** Does it reach beyond the device? `false` where it is not given. */
	openWorldHint?: boolean;
}

/** How an entry in `tools/list` begins. */
export const OPEN = '{"name":"';
/** Stands among the hints of a user-only tool. */
export const AUDIENCE = '"audience":["user"],';

/** Annotations, ready for the wire. Tools share them, so that their text is in flash once. */
export class Hints {
	/** What stands behind a tool's arguments in the list. */
	readonly end: string;
	/** The same for a user-only tool. */
	readonly userEnd: string;

	constructor(annotations: ToolAnnotations) {
		const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint = false } = annotations;
		const json = JSON.stringify({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }).slice(1);
		this.end = `,"additionalProperties":false},"annotations":{${json}`;
		this.userEnd = `,"additionalProperties":false},"annotations":{${AUDIENCE}${json}`;
		Object.freeze(this);
	}
}

/** Changes nothing. */
export const READS = new Hints({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
/** Sets something; a second time changes nothing more. */
export const SETS = new Hints({ readOnlyHint: false, destructiveHint: false, idempotentHint: true });
/** Does something each time anew. */
export const ACTS = new Hints({ readOnlyHint: false, destructiveHint: false, idempotentHint: false });
/** Ends or deletes what does not come back by itself. */
export const DESTROYS = new Hints({ readOnlyHint: false, destructiveHint: true, idempotentHint: false });
const UNSAID = new Hints({});

/** A board that may lack the parts `N`. */
export type MayLack<B, N extends PropertyKey = keyof B> = [N] extends [never] ? B : { [K in keyof B]: K extends N ? B[K] | undefined : B[K] };

export interface ToolDefinition<P extends Properties, B, N extends string = string> {
	/** Unique, 1 to 64 of `A–Z a–z 0–9 _ . -`; by custom `self.<thing>.<verb>`. */
	name: string;
	/** A name for people. The English one is made from `name` where it is not given. */
	title?: Text | { readonly zh: string };
	/** What it does, in words that help a language model choose; in one language or in both, of which the build takes one. */
	description: Text;
	properties?: P;
	/**
	 * Further keywords of the arguments' JSON Schema, such as `$defs`, `allOf` or `if`. They are listed as they are and not checked, and model
	 * APIs refuse some of them.
	 */
	schema?: { readonly [keyword: string]: unknown };
	/** One of `READS`, `SETS`, `ACTS` and `DESTROYS`, or hints of its own. */
	annotations?: Hints | ToolAnnotations;
	/** What the members of the returned object are (MCP `outputSchema`); the tool then has to return such an object. */
	output?: Properties;
	/**
	 * The board's parts without which it cannot work: names of members of the board that `call` takes. A board that may lack
	 * one of them can have the tool; a board whose type does not know the part cannot.
	 */
	needs?: readonly (N & keyof B)[];
	/** How long a promise may take, in milliseconds; 25 s where it is not given. */
	timeLimitMs?: number;
	/**
	 * Does the work. The arguments have been checked. Throw `ToolError` for what the caller can mend.
	 */
	call(args: Arguments<P>, board: B, context: CallContext): ToolResult | Promise<ToolResult>;
}

/** The longest time that a call may take where its tool says nothing else: some backends give up after 30 s. */
export const DEFAULT_TIME_LIMIT_MS = 25_000;
/** The most bytes of UTF-8 that a tool's entry in `tools/list` may take: what is left of 8000 for the rest of the message. */
export const MAX_ENTRY_BYTES = 7488;

/** A tool, ready for the wire. In a list it is immutable; at module level of a preloaded module it lives in flash. */
export class Tool<B = never> {
	readonly name: string;
	/** `name` as model APIs take it. */
	readonly foldedName: string;
	/** What its arguments have to be. */
	members: Members;
	readonly call: (args: never, board: B, context: CallContext) => unknown;
	readonly hints: Hints;
	/** Its entry in `tools/list` between its name and the end of its arguments. */
	readonly body: string;
	/** The end of its entry: title and output schema. */
	readonly tail: string;
	/** The length of `body` in bytes of UTF-8, and of all its texts but the names: see `pushEntries`. */
	readonly bodyBytes: number;
	readonly fullBytes: number;
	// Of these only what was given is there: see `assignGiven`.
	/** The members of the result, where the tool says what it returns. */
	declare readonly output: Members | undefined;
	/** The board's parts without which it cannot work. Not on the wire. */
	declare readonly needs: readonly string[] | undefined;
	/** How long a promise may take, where that is not `DEFAULT_TIME_LIMIT_MS`. */
	declare readonly timeLimitMs: number | undefined;

	/** @throws TypeError or RangeError that names the tool and what is wrong with it. */
	constructor(definition: ToolDefinition<Properties, B>) {
		const { name, properties = {}, schema = {}, annotations = UNSAID, output, needs, timeLimitMs, call } = definition;
		if (name === undefined && call !== undefined) throw new TypeError("a tool's definition needs a name, and can be used only once");
		if (typeof name !== "string" || !/^[A-Za-z0-9_.-]{1,64}$/.test(name))
			throw new TypeError(`tool ${describe(name)}: a name must be 1 to 64 of the characters A–Z a–z 0–9 _ . -`);
		const description = textOf(name, "description", definition.description);
		const title = textOf(name, "title", titleIn(definition.title, name));
		if (typeof call !== "function") throw new TypeError(`tool ${name}: call must be a function, got ${describe(call)}`);
		if (timeLimitMs !== undefined && !(Number.isInteger(timeLimitMs) && timeLimitMs > 0))
			throw new RangeError(`tool ${name}: timeLimitMs must be an integer above 0, got ${describe(timeLimitMs)}`);
		this.name = name;
		this.foldedName = foldName(name);
		this.hints = annotations instanceof Hints ? annotations : new Hints(annotations);
		try {
			this.members = membersOf(properties);
			assignGiven(this, {
				output: output && membersOf(output),
				needs: needs?.length ? Object.freeze([...needs]) : undefined,
				timeLimitMs,
			});
		} catch (error) {
			throw new TypeError(`tool ${name}: ${(error as Error).message}`);
		}
		this.call = call as Tool<B>["call"];
		for (const keyword of ["type", "properties", "required", "additionalProperties"])
			if (keyword in schema) throw new TypeError(`tool ${name}: schema must not have ${keyword}, which follows from properties`);
		const keywords = Object.entries(schema).map(([keyword, value]) => `,${JSON.stringify(keyword)}:${JSON.stringify(value)}`);
		this.body = `","description":${JSON.stringify(description)},"inputSchema":{"type":"object",${propertiesJson(properties, true)}${keywords.join("")}`;
		const outputSchema = output ? `,"outputSchema":{"type":"object",${propertiesJson(output)}}` : "";
		this.tail = `,"title":${JSON.stringify(title)}${outputSchema}}`;
		this.bodyBytes = utf8Length(this.body);
		this.fullBytes = utf8Length(this.body + this.hints.end + this.tail);
		const bytes = OPEN.length + name.length + this.fullBytes + AUDIENCE.length;
		if (bytes > MAX_ENTRY_BYTES)
			throw new RangeError(`tool ${name}: its entry in tools/list takes ${bytes} bytes, at most ${MAX_ENTRY_BYTES} fit into a message`);
		empty(definition);
	}

	/**
	 * Takes what it has in common with other tools from them. It is immutable from then on.
	 * @param share gives equal values one object
	 */
	settle(share: ReturnType<typeof sharing>): void {
		if (Object.isFrozen(this)) return;
		const { members, output, needs } = this;
		this.members = shareMembers(members, share);
		assignGiven(this, { output: output && shareMembers(output, share), needs: needs && share(needs) });
		Object.freeze(this);
	}
}

function shareMembers({ names, rules }: Members, share: ReturnType<typeof sharing>): Members {
	return share(new Members(share(names), rules.map(share)));
}

/**
 * Makes a tool constant. The type of the handler's arguments follows from `properties`. The definition is used up: nothing but `call` is
 * left in it, unless it is frozen.
 * @throws TypeError or RangeError that names the tool and what is wrong with it
 */
export function defineTool<P extends Properties = Record<never, never>, B = unknown, N extends string = never>(
	definition: ToolDefinition<P, B, N>,
): Tool<MayLack<B, N>> {
	return new Tool(definition as unknown as ToolDefinition<Properties, MayLack<B, N>>);
}

/** How long a promise of the tool may take, in milliseconds. */
export function timeLimitOf({ timeLimitMs = DEFAULT_TIME_LIMIT_MS }: Tool<never>): number {
	return timeLimitMs;
}

/** Has the board every part that the tool needs? */
export function isUsable(tool: Tool<never>, board: object): boolean {
	return !tool.needs?.some((part) => (board as { readonly [part: string]: unknown })[part] === undefined);
}

/** Names that differ only in `.` and `_` are one: model APIs take no dots, and some backends turn them into underscores. */
export function foldName(name: string): string {
	return name.replaceAll(".", "_");
}

/** A tool's full entry as one text, with the dots in its name. */
export function wireText({ body, hints, name, tail }: Tool<never>, userOnly: boolean): string {
	return [OPEN, name, body, userOnly ? hints.userEnd : hints.end, tail].join("");
}

/**
 * Takes everything but `call` out of a definition. A method keeps the object literal that it was written in, for `super`, and so its texts
 * would stay in flash besides the tool's own, in every language.
 */
function empty(definition: object): void {
	if (Object.isFrozen(definition)) return;
	for (const key of Object.keys(definition)) if (key !== "call") delete (definition as { [key: string]: unknown })[key];
}

/** @throws TypeError that names the tool and the text */
function textOf(name: string, what: string, text: Text): string {
	if (!isObject(text) && (typeof text !== "string" || !text)) throw new TypeError(`tool ${name}: ${what} must be a text, got ${describe(text)}`);
	try {
		return localized(text);
	} catch (error) {
		throw new TypeError(`tool ${name}: ${what}: ${(error as Error).message}`);
	}
}

/** A title whose English is made from the name where it is not given. */
function titleIn(title: ToolDefinition<Properties, never>["title"], name: string): Text {
	return typeof title === "object" ? { en: titleOf(name), ...title } : (title ?? titleOf(name));
}

/** `self.light.set_rgb` becomes "Light: set RGB". */
function titleOf(name: string): string {
	const words = name
		.replace("self.", "")
		.replaceAll(".", ": ")
		.split("_")
		.join(" ")
		.replaceAll("led ", "LED ")
		.replaceAll("rgb", "RGB")
		.replaceAll("wifi", "Wi-Fi");
	return words.charAt(0).toUpperCase() + words.slice(1);
}
