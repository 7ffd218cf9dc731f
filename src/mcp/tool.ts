// A tool as a constant: data, wire text and a function of (arguments, board), fit to live in flash.

import type { ToolResult } from "./content.js";
import { type Arguments, assignGiven, describe, Members, type Properties, utf8Length } from "./schema.js";

/** What a running call can do and learn besides its arguments. */
export interface CallContext {
	/** Has the caller given up? The result is dropped then. */
	readonly cancelled: boolean;
	/** Is called once when the caller gives up or the time limit is over. */
	onCancel: (() => void) | undefined;
	/** Tells the caller how far it is, if the caller asked for that; `done` has to rise. */
	progress(done: number, total?: number, message?: string): void;
}

/** What the tool does to the world, as hints for the client (MCP `annotations`). */
export interface ToolAnnotations {
	readOnlyHint?: boolean;
	destructiveHint?: boolean;
	idempotentHint?: boolean;
	openWorldHint?: boolean;
}

/** A board that may lack the parts `N`. */
export type MayLack<B, N extends PropertyKey = keyof B> = [N] extends [never] ? B : { [K in keyof B]: K extends N ? B[K] | undefined : B[K] };

export interface ToolDefinition<P extends Properties, B, N extends string = string> {
	/** Unique, 1 to 64 of `A–Z a–z 0–9 _ . -`; by custom `self.<thing>.<verb>`. */
	name: string;
	/** A name for people. */
	title?: string;
	/** What it does, in words that help a language model choose. */
	description: string;
	properties?: P;
	annotations?: ToolAnnotations;
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
/** The most bytes of UTF-8 that the tools on one page of `tools/list` may take: what is left of 8000 for the rest of the message. */
export const MAX_PAGE_BYTES = 7488;

/** A tool, ready for the wire. Immutable; at module level of a preloaded module it lives in flash. */
export class Tool<B = never> {
	readonly name: string;
	readonly description: string;
	readonly members: Members;
	readonly call: (args: never, board: B, context: CallContext) => unknown;
	// Of these only what was given is there: see `assignGiven`.
	declare readonly title: string | undefined;
	/** The members of the result, where the tool says what it returns. */
	declare readonly output: Members | undefined;
	/** The board's parts without which it cannot work. Not on the wire. */
	declare readonly needs: readonly string[] | undefined;
	/** How long a promise may take, where that is not `DEFAULT_TIME_LIMIT_MS`. */
	declare readonly timeLimitMs: number | undefined;
	/** The annotations that were given, as JSON members without braces. */
	declare readonly hints: string | undefined;

	/** @throws TypeError or RangeError that names the tool and what is wrong with it. */
	constructor(definition: ToolDefinition<Properties, B>) {
		const { name, title, description, properties = {}, annotations = {}, output, needs, timeLimitMs, call } = definition;
		if (typeof name !== "string" || !/^[A-Za-z0-9_.-]{1,64}$/.test(name))
			throw new TypeError(`tool ${describe(name)}: a name must be 1 to 64 of the characters A–Z a–z 0–9 _ . -`);
		if (typeof description !== "string" || !description)
			throw new TypeError(`tool ${name}: description must be a string, got ${describe(description)}`);
		if (title !== undefined && typeof title !== "string") throw new TypeError(`tool ${name}: title must be a string, got ${describe(title)}`);
		if (typeof call !== "function") throw new TypeError(`tool ${name}: call must be a function, got ${describe(call)}`);
		if (timeLimitMs !== undefined && !(Number.isInteger(timeLimitMs) && timeLimitMs > 0))
			throw new RangeError(`tool ${name}: timeLimitMs must be an integer above 0, got ${describe(timeLimitMs)}`);
		this.name = name;
		this.description = description;
		const hints = Object.entries(annotations).filter(([, value]) => value !== undefined);
		try {
			this.members = new Members(properties);
			assignGiven(this, {
				title,
				output: output && new Members(output),
				needs: needs?.length ? Object.freeze([...needs]) : undefined,
				timeLimitMs,
				hints: hints.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join(",") || undefined,
			});
		} catch (error) {
			throw new TypeError(`tool ${name}: ${(error as Error).message}`);
		}
		this.call = call as Tool<B>["call"];
		const bytes = utf8Length(wireText(this, true));
		if (bytes > MAX_PAGE_BYTES)
			throw new RangeError(`tool ${name}: its entry in tools/list takes ${bytes} bytes, at most ${MAX_PAGE_BYTES} fit into a message`);
		Object.freeze(this);
	}
}

/**
 * Makes a tool constant. The type of the handler's arguments follows from `properties`.
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

/** A tool's entry in `tools/list`; user-only tools are marked as meant for the user. Written anew each time, so that its words are kept once. */
export function wireText({ name, title, description, members, output, hints }: Tool<never>, userOnly: boolean): string {
	const annotations = [userOnly ? '"audience":["user"]' : undefined, hints].filter((text) => text).join(",");
	let text = `{"name":"${name}"`;
	if (title !== undefined) text += `,"title":${JSON.stringify(title)}`;
	text += `,"description":${JSON.stringify(description)},"inputSchema":{"type":"object",${members.json}}`;
	if (output) text += `,"outputSchema":{"type":"object",${output.json}}`;
	if (annotations) text += `,"annotations":{${annotations}}`;
	return `${text}}`;
}
