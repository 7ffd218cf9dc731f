// The MCP server of a device: its tools, and the conversations with the peers that use them.

import type { ToolResult } from "./content.js";
import { Conversation, type ConversationOptions } from "./conversation.js";
import type { Dialect } from "./dialect.js";
import { DirectCaller, type DirectCallerOptions } from "./direct-caller.js";
import type { Host, ListedTools, Names, Peer, Resources, Timers } from "./host.js";
import { MCP_NAMES } from "./json-rpc.js";
import type { Outlet } from "./json-rpc-writer.js";
import { type ListPage, pushEntries } from "./list-page.js";
import { packTool } from "./packed-tool.js";
import { type Arguments, describe, type Properties, utf8Length } from "./schema.js";
import { type CallContext, defineTool, Tool } from "./tool.js";
import { joinNames, type ToolList } from "./tool-list.js";

export type { Timers } from "./host.js";

export interface McpServerOptions<B> {
	/** The device's name on the wire (`serverInfo.name`), at most 64 bytes of UTF-8. */
	name: string;
	/** The firmware's version, at most 32 bytes of UTF-8. */
	version: string;
	/** What the device is and how its tools are to be used, for the model: a sentence or two. */
	instructions?: string | undefined;
	/** What clients can read and watch. */
	resources?: Resources | undefined;
	/** What the tools work on. */
	board: B;
	/** The fixed tools, made by `defineTools`; preloaded they take no RAM. */
	tools?: ToolList<B>;
	/**
	 * Every member name that messages may have as long as no tool is added, made by `joinNames`. Preloaded they take no RAM;
	 * without them those of MCP and the fixed tools are joined with those of the sessions at run time.
	 */
	names?: readonly string[];
	/**
	 * Those that a call without `_meta` may have, made by `joinNames`: XS makes its own list of the names at each parse, at a cost for each
	 * of them. Not used while there are tools that were added.
	 */
	callNames?: readonly string[];
	/**
	 * Which of the fixed tools does this device do without, for instance because a part that they need is missing? They are
	 * neither listed nor called.
	 */
	hide?: ((tool: Tool<B>) => boolean) | undefined;
	timers: Timers;
	/** Receives one line for what a maker wants to know. */
	log?: (line: string) => void;
	/** The most calls of one peer within a second; any number where it is not given, or 0. */
	callsPerSecond?: number | undefined;
	/** Told how many calls wait for a promise whenever that changes. */
	onRunning?: (running: number) => void;
}

/** The most notifications that wait for a peer that listens. */
export const MAX_WAITING_NOTIFICATIONS = 16;

/** A tool that was added at run time. */
interface Added<B> {
	readonly tool: Tool<B>;
	readonly userOnly: boolean;
}

/**
 * The MCP server of a device. Transports and sessions are not its business: a session opens a conversation for each
 * peer and hands it the parsed messages.
 */
export class McpServer<B> implements Host<B>, Names {
	readonly board: B;
	readonly timers: Timers;
	readonly log: (line: string) => void;
	/** `serverInfo` as JSON text. */
	readonly serverInfo: string;
	readonly callsPerSecond: number;
	readonly instructions: string;
	readonly resources: Resources | undefined;
	/** How many notifications were lost because nobody listened for too long. */
	droppedNotifications = 0;
	#running = 0;
	readonly #onRunning: ((running: number) => void) | undefined;
	readonly #waiting: [string, { readonly [key: string]: unknown } | undefined][] = [];
	readonly #fixed: ToolList<B> | undefined;
	readonly #hide: ((tool: Tool<B>) => boolean) | undefined;
	readonly #added: Added<B>[] = [];
	readonly #fixedNames: readonly string[];
	/** The member names of the sessions' own protocols that are not among the fixed ones. */
	#sessionNames: readonly string[] = NO_NAMES;
	readonly #callNames: readonly string[] | undefined;
	/** See `Names`. */
	knownNames: readonly string[];
	callNames: readonly string[] | undefined;
	readonly #peers = new Set<Peer>();

	/** @throws TypeError or RangeError when name or version cannot be sent */
	constructor(options: McpServerOptions<B>) {
		const { name, version } = options;
		for (const [key, value, limit] of [
			["name", name, 64],
			["version", version, 32],
		] as const)
			if (typeof value !== "string" || !value || utf8Length(value) > limit)
				throw new TypeError(`McpServer: ${key} must be a string of 1 to ${limit} bytes, got ${describe(value)}`);
		this.board = options.board;
		this.timers = options.timers;
		this.log = options.log ?? ignore;
		this.callsPerSecond = options.callsPerSecond ?? 0;
		this.#onRunning = options.onRunning;
		this.serverInfo = `{"name":${JSON.stringify(name)},"version":${JSON.stringify(version)}}`;
		this.instructions = options.instructions === undefined ? "" : `,"instructions":${JSON.stringify(options.instructions)}`;
		this.resources = options.resources;
		this.#fixed = options.tools;
		this.#hide = options.hide;
		this.#fixedNames = options.names ?? options.tools?.knownNames ?? MCP_NAMES;
		this.knownNames = this.#fixedNames;
		this.#callNames = options.callNames;
		this.callNames = options.callNames;
	}

	/**
	 * Adds a tool at run time: a tool constant, or name, description, properties and callback as in the reference.
	 * @throws TypeError or RangeError when the tool is not valid, too large for a message, or its name is taken
	 */
	addTool(tool: Tool<B>): void;
	addTool<P extends Properties>(name: string, description: string, properties: P, callback: Callback<P>): void;
	addTool<P extends Properties>(tool: Tool<B> | string, description?: string, properties?: P, callback?: Callback<P>): void {
		this.add(toTool(tool, description, properties, callback), false);
	}

	/** As `addTool`, for a tool that the model does not see: it is listed only with `withUserTools: true`. */
	addUserOnlyTool(tool: Tool<B>): void;
	addUserOnlyTool<P extends Properties>(name: string, description: string, properties: P, callback: Callback<P>): void;
	addUserOnlyTool<P extends Properties>(tool: Tool<B> | string, description?: string, properties?: P, callback?: Callback<P>): void {
		this.add(toTool(tool, description, properties, callback), true);
	}

	/**
	 * Removes a tool that was added at run time.
	 * @returns whether it was there
	 */
	removeTool(name: string): boolean {
		const at = this.#added.findIndex((added) => added.tool.name === name);
		if (at < 0) return false;
		this.#added.splice(at, 1);
		this.listChanged();
		return true;
	}

	/**
	 * The tool of that name, or undefined. Underscores may stand for the dots.
	 * @param withUserTools also one that is hidden from the model
	 */
	find(name: string, withUserTools?: boolean): Tool<B> | undefined {
		const tool = this.#fixed?.find(name, withUserTools);
		if (tool) return this.#hide?.(tool) ? undefined : tool;
		return this.#added.length > 0 ? this.findAdded(name, withUserTools) : undefined;
	}

	private findAdded(name: string, withUserTools: boolean | undefined): Tool<B> | undefined {
		const is = ({ tool, userOnly }: Added<B>) => (tool.name === name || tool.foldedName === name) && (withUserTools || !userOnly);
		return this.#added.find(is)?.tool;
	}

	/**
	 * Calls back for every tool that the model may see, and for the user-only ones if asked for, in the order of the list.
	 * @param callback returns false to end it
	 */
	forEachTool(callback: (tool: Tool<B>, userOnly: boolean) => unknown, withUserTools = false): void {
		const fixed = this.#fixed;
		const hide = this.#hide;
		for (const userOnly of withUserTools ? BOTH_KINDS : FOR_MODELS) {
			if (fixed) for (const tool of userOnly ? fixed.userTools : fixed.tools) if (!hide?.(tool) && callback(tool, userOnly) === false) return;
			for (const added of this.#added) if (added.userOnly === userOnly && callback(added.tool, userOnly) === false) return;
		}
	}

	/** Adds the member names of a session's own protocol to those that messages may have. */
	addNames(names: readonly string[]): void {
		if (names.every((name) => this.knownNames.includes(name))) return;
		this.#sessionNames = joinNames([], this.#sessionNames, names);
		this.joinNames();
	}

	/**
	 * One page of `tools/list`.
	 * @param cursor "" for the first page
	 * @returns undefined for an unknown cursor
	 */
	page(cursor: string, withUserTools: boolean, dialect: Dialect, full: boolean): ListedTools | undefined {
		const fixed = this.#fixed;
		if (fixed && cursor === "" && !withUserTools && !this.#hide && this.#added.length === 0 && dialect.foldsNames && dialect.prefix === "")
			return fixed.firstPage;
		const page: ListPage = { texts: [], bytes: 0, next: "", cursor, dialect, full };
		for (let kind = 0; kind < (withUserTools ? 2 : 1); kind++) {
			const userOnly = kind === 1;
			if (fixed && page.next === "") pushEntries(page, userOnly ? fixed.userTools : fixed.tools, userOnly, this.#hide);
			if (this.#added.length > 0 && page.next === "") pushEntries(page, this.addedTools(userOnly), userOnly);
		}
		return page.cursor === "" ? page : undefined;
	}

	private addedTools(userOnly: boolean): Tool<B>[] {
		return this.#added.filter((added) => added.userOnly === userOnly).map(({ tool }) => tool);
	}

	/** Starts a conversation with one peer; it ends with `close`. */
	open(options: ConversationOptions & Outlet): Conversation<B>;
	/** @param outlet takes its messages; the options themselves where it is not given */
	open(options: ConversationOptions, outlet: Outlet): Conversation<B>;
	open(options: ConversationOptions, outlet: Outlet = options as ConversationOptions & Outlet): Conversation<B> {
		const conversation = new Conversation(this, options, outlet);
		this.#peers.add(conversation);
		return conversation;
	}

	/** Lets a peer call tools without JSON-RPC; it ends with `close`. */
	openDirect(options: DirectCallerOptions = {}): DirectCaller<B> {
		const caller = new DirectCaller(this, options);
		this.#peers.add(caller);
		return caller;
	}

	closed(peer: Peer): void {
		this.#peers.delete(peer);
	}

	/**
	 * Sends a notification to every peer that listens; its method begins with `notifications/` by custom. While nobody
	 * listens the newest `MAX_WAITING_NOTIFICATIONS` wait, and the older ones are dropped and counted.
	 * @param keep false for what is of no use later
	 */
	notify(method: string, params?: { readonly [key: string]: unknown }, keep = true): void {
		let taken = false;
		for (const peer of this.#peers) if (peer.notify(method, params)) taken = true;
		if (taken || !keep) return;
		if (this.#waiting.length >= MAX_WAITING_NOTIFICATIONS) {
			this.#waiting.shift();
			this.droppedNotifications++;
		}
		this.#waiting.push([method, params]);
	}

	/** How many calls wait for a promise now. */
	get running(): number {
		return this.#running;
	}

	countRunning(change: 1 | -1): void {
		this.#running += change;
		this.#onRunning?.(this.#running);
	}

	listens(peer: Peer): void {
		for (let next = this.#waiting[0]; next && peer.notify(next[0], next[1]); next = this.#waiting[0]) this.#waiting.shift();
	}

	private add(tool: Tool<B>, userOnly: boolean): void {
		const key = tool.foldedName;
		const fixed = (list: readonly Tool<B>[] | undefined) => (list ?? []).findIndex((other) => other.foldedName === key);
		const places: readonly (readonly [string, number])[] = [
			["the fixed tools", fixed(this.#fixed?.tools)],
			["the fixed user-only tools", fixed(this.#fixed?.userTools)],
			["the tools added at run time", this.#added.findIndex((added) => added.tool.foldedName === key)],
		];
		for (const [list, at] of places)
			if (at >= 0)
				throw new TypeError(`tool ${tool.name}, number ${this.#added.length + 1} added at run time, has the name of number ${at + 1} of ${list}`);
		this.#added.push({ tool, userOnly });
		this.listChanged();
	}

	private listChanged(): void {
		this.joinNames();
		for (const peer of this.#peers) peer.listChanged();
	}

	/** As long as there is nothing to join, the list stays the one in flash. */
	private joinNames(): void {
		const fixed = this.#fixedNames;
		const tools = this.#added.map(({ tool }) => tool);
		this.knownNames = tools.length || this.#sessionNames.length ? joinNames(tools, fixed, this.#sessionNames) : fixed;
		this.callNames = tools.length ? undefined : this.#callNames;
	}
}

/** What a board adds and removes tools by while it runs. */
export type RuntimeTools<B> = Pick<McpServer<B>, "addTool" | "addUserOnlyTool" | "removeTool">;

/** The callback of a tool in the reference's four arguments. */
export type Callback<P extends Properties> = (args: Arguments<P>, context: CallContext) => ToolResult | Promise<ToolResult>;

const NO_NAMES: readonly string[] = Object.freeze([]);
/** The values of `userOnly`. */
const FOR_MODELS: readonly boolean[] = Object.freeze([false]);
const BOTH_KINDS: readonly boolean[] = Object.freeze([false, true]);

function ignore(): void {}

function toTool<B, P extends Properties>(tool: Tool<B> | string, description?: string, properties?: P, callback?: Callback<P>): Tool<B> {
	if (tool instanceof Tool) return tool;
	if (typeof tool !== "string") throw new TypeError(`addTool: expected a tool made by defineTool, or a name; got ${describe(tool)}`);
	if (typeof callback !== "function") throw new TypeError(`tool ${tool}: callback must be a function, got ${describe(callback)}`);
	return packTool(
		defineTool({ name: tool, description: description as string, properties: properties ?? ({} as P), call: callback as never }),
		callback as never,
	);
}
