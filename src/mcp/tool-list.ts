// A board's fixed tools with their index, computed once: at link time when preloaded.

import type { ListedTools } from "./host.js";
import { MCP_NAMES } from "./json-rpc.js";
import { firstPage } from "./list-page.js";
import { type Members, sharing } from "./schema.js";
import { Tool } from "./tool.js";

/** The fixed tools of a board. Immutable. */
export class ToolList<B> {
	readonly tools: readonly Tool<B>[];
	readonly userTools: readonly Tool<B>[];
	/** By their names, and by those that model APIs take: only read, so that they can stay in flash. */
	readonly byName: ReadonlyMap<string, Tool<B>>;
	readonly userByName: ReadonlyMap<string, Tool<B>>;
	/** What standard peers get of the tools for the model at once. */
	readonly firstPage: ListedTools;
	/** The member names of MCP and of these tools' arguments: see `joinNames`. */
	readonly knownNames: readonly string[];

	/** @throws TypeError when an element is no tool or a name is there twice. */
	constructor(tools: readonly Tool<B>[], userTools: readonly Tool<B>[]) {
		const places = new Map<string, string>();
		for (const [list, kind] of [
			[tools, "tools"],
			[userTools, "user-only tools"],
		] as const)
			list.forEach((tool, i) => {
				const place = `number ${i + 1} of the fixed ${kind}`;
				if (!(tool instanceof Tool)) throw new TypeError(`${place} is not made by defineTool`);
				const key = tool.foldedName;
				const other = places.get(key);
				if (other !== undefined) throw new TypeError(`tool ${tool.name}, ${place}, has the name of ${other}`);
				places.set(key, place);
			});
		const share = sharing();
		for (const tool of [...tools, ...userTools]) tool.settle(share);
		this.tools = Object.freeze([...tools]);
		this.userTools = Object.freeze([...userTools]);
		this.byName = index(tools);
		this.userByName = index(userTools);
		this.firstPage = firstPage(tools);
		this.knownNames = joinNames([...tools, ...userTools], MCP_NAMES);
		Object.freeze(this);
	}

	/**
	 * The tool of that name, or undefined. Underscores may stand for the dots.
	 * @param withUserTools also one of the user-only tools
	 */
	find(name: string, withUserTools?: boolean): Tool<B> | undefined {
		return this.byName.get(name) ?? (withUserTools ? this.userByName.get(name) : undefined);
	}
}

function index<B>(tools: readonly Tool<B>[]): ReadonlyMap<string, Tool<B>> {
	const byName = new Map<string, Tool<B>>();
	for (const tool of tools) byName.set(tool.name, tool).set(tool.foldedName, tool);
	return Object.freeze(byName);
}

/**
 * Makes a board's fixed list: the tools for the model in the order given (the common ones first), and the user-only ones.
 * @throws TypeError when an element is no tool or two have one name
 */
export function defineTools<B>(tools: readonly Tool<B>[], userOnly: readonly Tool<B>[] = []): ToolList<B> {
	return new ToolList(tools, userOnly);
}

/**
 * Member names that a peer's JSON may have: those of the tools' arguments and of the lists, each once. XS keeps every
 * name that has ever been a key, so names that a peer makes up must never become keys.
 */
export function joinNames(tools: readonly Tool<never>[], ...lists: readonly (readonly string[])[]): readonly string[] {
	const names = new Set(lists.flat());
	for (const tool of tools) collectNames(tool.members, names);
	return Object.freeze([...names]);
}

function collectNames({ names, rules }: Members, into: Set<string>): void {
	for (const name of names) into.add(name);
	for (let rule of rules) {
		while (rule.items) rule = rule.items;
		if (rule.members) collectNames(rule.members, into);
	}
}
