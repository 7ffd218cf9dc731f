// What a tool may return, and its form on the wire.

import { describe } from "./schema.js";

/** One item of an MCP result's `content`, made by `text` or `image`. */
export class ContentItem {
	readonly type: "text" | "image";
	/** The item as JSON text. */
	readonly json: string;

	constructor(type: "text" | "image", json: string) {
		this.type = type;
		this.json = json;
	}
}

/** What a tool may return: nothing and `true` both say "done"; objects and arrays go out as JSON text. */
export type ToolResult = undefined | null | boolean | number | string | object;

/** An error that the caller can mend: the message goes to the model as it is, so keep it one short sentence. */
export class ToolError extends Error {}

/** A text item, for results of several items. */
export function text(value: string): ContentItem {
	return new ContentItem("text", `{"type":"text","text":${JSON.stringify(String(value))}}`);
}

/**
 * A picture.
 * @param data base64
 * @param mimeType such as "image/jpeg"
 * @throws TypeError when an argument is not a string or `data` is not base64
 */
export function image(data: string, mimeType: string): ContentItem {
	if (typeof mimeType !== "string" || !mimeType.includes("/"))
		throw new TypeError(`image: mimeType must be a string such as "image/jpeg", got ${describe(mimeType)}`);
	if (typeof data !== "string" || data.length % 4 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data))
		throw new TypeError(`image: data must be base64, got ${describe(data)}`);
	return new ContentItem("image", `{"type":"image","data":"${data}","mimeType":${JSON.stringify(mimeType)}}`);
}

/** How a result looks on the wire. */
export interface WireContent {
	/** The elements of `content`, joined by commas. */
	readonly items: string;
	/** The result as JSON text when the tool returned a plain object or an array of data. */
	readonly structured: string | undefined;
}

/**
 * A tool's return value as content items, the first of which is always a text (some backends read no other).
 * @throws TypeError when the value cannot be sent
 */
export function toContent(value: unknown, guardAction: boolean): WireContent {
	if (value instanceof ContentItem) return { items: withText([value]), structured: undefined };
	if (Array.isArray(value) && value.length > 0 && value.every((item) => item instanceof ContentItem))
		return { items: withText(value), structured: undefined };
	let plain: string;
	let structured: string | undefined;
	if (value === undefined || value === null) plain = "true";
	else if (typeof value === "string") plain = guardAction && looksLikeAction(value) ? `{"result":${value}}` : value;
	else if (typeof value === "object") {
		structured = toJson(value);
		plain = guardAction && Object.hasOwn(value, "action") ? `{"result":${structured}}` : structured;
	} else if (typeof value === "function" || typeof value === "symbol") throw new TypeError(`a tool cannot return a ${typeof value}`);
	else plain = String(value);
	return { items: `{"type":"text","text":${JSON.stringify(plain)}}`, structured };
}

/** A result may be nested this deep: the machine's stack is small, and its overflow cannot be caught. */
const MAX_RESULT_DEPTH = 10;

/**
 * A tool's return value as plain data, as JSON text: what a peer gets that does not speak MCP.
 * @throws TypeError when the value cannot be sent
 */
export function toData(value: unknown): string {
	if (value === undefined || value === null) return "true";
	if (value instanceof ContentItem || (Array.isArray(value) && value.some((item) => item instanceof ContentItem)))
		return `[${toContent(value, false).items}]`;
	if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint")
		throw new TypeError(`a tool cannot return a ${typeof value}`);
	return toJson(value);
}

/**
 * JSON text of a value, also of one that lives in flash: XS's own JSON.stringify refuses those.
 * @throws TypeError for a value that contains itself or is nested over 10 deep
 */
export function toJson(value: unknown): string {
	if (typeof value === "object" && isDeeper(value, MAX_RESULT_DEPTH)) throw new TypeError("the result is nested too deep, or contains itself");
	try {
		return JSON.stringify(value) ?? "null";
	} catch {
		return writeJson(value, 0);
	}
}

function isDeeper(value: unknown, limit: number): boolean {
	if (typeof value !== "object" || value === null) return false;
	if (limit === 0) return true;
	for (const key in value) if (isDeeper((value as { [key: string]: unknown })[key], limit - 1)) return true;
	return false;
}

function writeJson(value: unknown, depth: number): string {
	if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
	// What toJSON returns has not been looked at yet.
	if (depth > MAX_RESULT_DEPTH) throw new TypeError("the result is nested too deep, or contains itself");
	if (typeof (value as { toJSON?: unknown }).toJSON === "function") return writeJson((value as { toJSON(): unknown }).toJSON(), depth + 1);
	let text = "";
	if (Array.isArray(value)) {
		for (let i = 0; i < value.length; i++) text += (i ? "," : "") + writeJson(value[i], depth + 1);
		return `[${text}]`;
	}
	for (const key of Object.keys(value)) {
		const member = (value as { [key: string]: unknown })[key];
		if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
		text += `${text ? "," : ""}${JSON.stringify(key)}:${writeJson(member, depth + 1)}`;
	}
	return `{${text}}`;
}

function withText(items: readonly ContentItem[]): string {
	const joined = items.map((item) => item.json).join(",");
	return items[0]?.type === "text" ? joined : `{"type":"text","text":"image"},${joined}`;
}

/** Would a backend that looks for a JSON object with `action` in a result take this text for a command of its own? */
function looksLikeAction(value: string): boolean {
	if (!value.includes('"action"') || !value.trimStart().startsWith("{")) return false;
	try {
		return Object.hasOwn(JSON.parse(value), "action");
	} catch {
		return false;
	}
}
