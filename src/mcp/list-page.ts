// Pages of `tools/list`: put together from the texts of their tools, when they are asked for or, the first, ahead.

import { type Dialect, STANDARD } from "./dialect.js";
import type { ListedTools } from "./host.js";
import { AUDIENCE, OPEN, type Tool } from "./tool.js";

/** A page of `tools/list` while it is put together. */
export interface ListPage extends ListedTools {
	readonly texts: string[];
	bytes: number;
	next: string;
	/** Begins with the tool of this name; "" once that has been found. */
	cursor: string;
	readonly dialect: Dialect;
	/** With title, hints and output schema, and no further arguments allowed. */
	readonly full: boolean;
}

/**
 * Adds the tools' entries to a page, as far as they fit, with a comma before each unless it is the first. Their texts lie in flash
 * where the tools do.
 * @param hide says which of the tools are left out
 */
export function pushEntries<B>(page: ListPage, tools: readonly Tool<B>[], userOnly: boolean, hide?: (tool: Tool<B>) => boolean): void {
	const { texts, dialect, full } = page;
	const { foldsNames, pageBytes, prefix } = dialect;
	const around = OPEN.length + (full ? (userOnly ? AUDIENCE.length : 0) : (userOnly ? USER_END : END).length);
	let { bytes } = page;
	for (let i = 0, { length } = tools; i < length; i++) {
		const tool = tools[i] as Tool<B>;
		if (hide?.(tool)) continue;
		if (page.cursor !== "") {
			if (tool.name !== page.cursor) continue;
			page.cursor = "";
		}
		const name = prefix === "" ? (foldsNames ? tool.foldedName : tool.name) : prefixedName(prefix, tool);
		const more = around + name.length + (full ? tool.fullBytes : tool.bodyBytes);
		const isFirst = bytes === 0;
		if (!isFirst && bytes + more >= pageBytes) {
			page.next = tool.name;
			break;
		}
		const open = isFirst ? OPEN : COMMA_OPEN;
		if (full) texts.push(open, name, tool.body, userOnly ? tool.hints.userEnd : tool.hints.end, tool.tail);
		else texts.push(open, name, tool.body, userOnly ? USER_END : END);
		bytes += isFirst ? more : more + 1;
	}
	page.bytes = bytes;
}

/** The first page of tools as standard peers get it, ahead of time: of fixed tools it lies in flash, and goes from there to the socket. */
export function firstPage<B>(tools: readonly Tool<B>[]): ListedTools {
	const page: ListPage = { texts: [], bytes: 0, next: "", cursor: "", dialect: STANDARD, full: true };
	pushEntries(page, tools, false);
	Object.freeze(page.texts);
	return Object.freeze(page);
}

/** What a tool is called where a prefix stands in place of `self`. */
function prefixedName(prefix: string, { foldedName }: Tool<never>): string {
	return foldedName.startsWith("self_") ? `${prefix}${foldedName.slice("self".length)}` : foldedName;
}

const COMMA_OPEN = `,${OPEN}`;
const END = "}}";
const USER_END = '},"annotations":{"audience":["user"]}}';
