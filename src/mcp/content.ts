// What a tool may return, and its form on the wire.

import { describe } from "./schema.js";

/** The kinds of items of an MCP result's `content`. */
export type ContentType = "text" | "image" | "audio" | "resource_link" | "resource";

/** Whom an item is for, and how much it matters (MCP `annotations`). */
export interface ContentAnnotations {
	audience?: readonly ("user" | "assistant")[];
	/** From 0, which may be left out, to 1, which must be seen. */
	priority?: number;
	/** ISO 8601. */
	lastModified?: string;
}

/** One item of an MCP result's `content`, made by `text`, `image`, `audio`, `link` or `resource`. */
export class ContentItem {
	readonly type: ContentType;
	/** The item as JSON, in texts that follow each other: large data is not copied. */
	readonly texts: readonly string[];

	constructor(type: ContentType, ...texts: readonly string[]) {
		this.type = type;
		this.texts = texts;
	}
}

/** A tool's data together with items that show it to people; made by `structured`. */
export class StructuredResult {
	readonly data: object;
	readonly items: readonly ContentItem[];

	constructor(data: object, items: readonly ContentItem[]) {
		this.data = data;
		this.items = items;
	}
}

/**
 * What a tool may return: nothing and `true` both say "done"; objects and arrays go out as JSON text. In a list with at least one
 * item of content everything becomes an item, a string a text.
 */
export type ToolResult = undefined | null | boolean | number | string | object;

/** An error that the caller can mend: the message goes to the model as it is, so keep it one short sentence. */
export class ToolError extends Error {}

/** A text item, for results of several items. */
export function text(value: string, annotations?: ContentAnnotations): ContentItem {
	return new ContentItem("text", `{"type":"text","text":${JSON.stringify(String(value))}${annotationsOf(annotations)}}`);
}

/**
 * A picture.
 * @param data base64, perhaps in texts one after the other, which are not joined
 * @param mimeType such as "image/jpeg"
 * @throws TypeError when `mimeType` is not a string or `data` is not base64
 */
export function image(data: string | readonly string[], mimeType: string, annotations?: ContentAnnotations): ContentItem {
	return media("image", data, mimeType, annotations);
}

/**
 * A sound.
 * @param data base64, perhaps in texts one after the other, which are not joined
 * @param mimeType such as "audio/wav"
 * @throws TypeError when `mimeType` is not a string or `data` is not base64
 */
export function audio(data: string | readonly string[], mimeType: string, annotations?: ContentAnnotations): ContentItem {
	return media("audio", data, mimeType, annotations);
}

/** What a link may say about its resource. */
export interface LinkDetails {
	title?: string;
	description?: string;
	mimeType?: string;
	/** In bytes. */
	size?: number;
}

/**
 * A link to a resource that the client may read.
 * @param uri such as "board://status"
 * @param name what it is called
 */
export function link(uri: string, name: string, details: LinkDetails = {}, annotations?: ContentAnnotations): ContentItem {
	requireUri("link", uri);
	const { title, description, mimeType, size } = details;
	const json = JSON.stringify({ type: "resource_link", uri, name, title, description, mimeType, size });
	return new ContentItem("resource_link", `${json.slice(0, -1)}${annotationsOf(annotations)}}`);
}

/**
 * The contents of a resource.
 * @param contents a text, or bytes in base64
 * @throws TypeError when `uri` is none or `blob` is not base64
 */
export function resource(
	uri: string,
	contents: { readonly text: string; readonly mimeType?: string } | { readonly blob: string; readonly mimeType?: string },
	annotations?: ContentAnnotations,
): ContentItem {
	requireUri("resource", uri);
	const { mimeType } = contents;
	const head = `{"type":"resource","resource":{"uri":${JSON.stringify(uri)}${mimeType === undefined ? "" : `,"mimeType":${JSON.stringify(mimeType)}`}`;
	const end = `}${annotationsOf(annotations)}}`;
	if ("text" in contents) return new ContentItem("resource", `${head},"text":${JSON.stringify(String(contents.text))}${end}`);
	requireBase64("resource", contents.blob);
	return new ContentItem("resource", `${head},"blob":"`, contents.blob, `"${end}`);
}

/** Data for programs (MCP `structuredContent`), with items for people. A tool with `output` may return it. */
export function structured(data: object, ...items: readonly ContentItem[]): StructuredResult {
	return new StructuredResult(data, items);
}

function media(type: "image" | "audio", data: string | readonly string[], mimeType: string, annotations?: ContentAnnotations): ContentItem {
	if (typeof mimeType !== "string" || !mimeType.includes("/"))
		throw new TypeError(`${type}: mimeType must be a string such as "${type}/${type === "image" ? "jpeg" : "wav"}", got ${describe(mimeType)}`);
	const texts = Array.isArray(data) ? data : [data];
	for (const text of texts) requireBase64(type, text);
	return new ContentItem(type, `{"type":"${type}","data":"`, ...texts, `","mimeType":${JSON.stringify(mimeType)}${annotationsOf(annotations)}}`);
}

function requireBase64(what: string, data: unknown): void {
	if (!isBase64(data)) throw new TypeError(`${what}: data must be base64, got ${describe(data)}`);
}

function isBase64(data: unknown): boolean {
	if (typeof data !== "string" || data.length % 4) return false;
	const length = data.length - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
	const characters = /^[A-Za-z0-9+/]*$/;
	// In pieces: XS keeps a state for every character that an expression may go back to.
	for (let i = 0; i < length; i += BASE64_PIECE) if (!characters.test(data.slice(i, Math.min(i + BASE64_PIECE, length)))) return false;
	return true;
}

const BASE64_PIECE = 1024;

function requireUri(what: string, uri: unknown): void {
	if (typeof uri !== "string" || !/^[a-z][a-z0-9+.-]*:/i.test(uri))
		throw new TypeError(`${what}: uri must begin with a scheme, got ${describe(uri)}`);
}

function annotationsOf(annotations: ContentAnnotations | undefined): string {
	return annotations ? `,"annotations":${JSON.stringify(annotations)}` : "";
}

/** How a result looks on the wire. */
export interface WireContent {
	/** The elements of `content` with their commas, in texts that follow each other. */
	readonly texts: string[];
	/** The result as JSON text when the tool returned a plain object or an array of data. */
	readonly structured: string | undefined;
}

/**
 * A tool's return value as content items.
 * @param guardAction hides a top-level `action` in a text
 * @param textFirst begins with a text in any case: some backends read no other item
 * @throws TypeError when the value cannot be sent
 */
export function toContent(value: unknown, guardAction: boolean, textFirst: boolean): WireContent {
	if (value instanceof StructuredResult) {
		const { texts, structured } = toContent(value.data, guardAction, textFirst);
		for (const item of value.items) texts.push(",", ...item.texts);
		return { texts, structured };
	}
	if (value instanceof ContentItem) return { texts: join([value], guardAction, textFirst), structured: undefined };
	if (Array.isArray(value) && value.some(isItem)) return { texts: join(value, guardAction, textFirst), structured: undefined };
	if (typeof value !== "object" || value === null)
		return { texts: [`{"type":"text","text":${plainText(value, guardAction)}}`], structured: undefined };
	const structured = toJson(value);
	const plain = guardAction && Object.hasOwn(value, "action") ? `{"result":${structured}}` : structured;
	return { texts: [`{"type":"text","text":${JSON.stringify(plain)}}`], structured };
}

/**
 * The text of a value that is no object, as JSON.
 * @throws TypeError when the value cannot be sent
 */
export function plainText(value: unknown, guardAction: boolean): string {
	switch (typeof value) {
		case "string":
			return JSON.stringify(guardAction && looksLikeAction(value) ? `{"result":${value}}` : value);
		case "function":
		case "symbol":
			throw new TypeError(`a tool cannot return a ${typeof value}`);
		default:
			return value === undefined || value === null ? '"true"' : `"${value}"`;
	}
}

/** The items one after the other; what is none becomes a text. */
function join(values: readonly unknown[], guardAction: boolean, textFirst: boolean): string[] {
	const texts: string[] = [];
	const [first] = values;
	if (textFirst && isItem(first) && first.type !== "text") texts.push(`{"type":"text","text":"${first.type}"}`);
	for (const value of values) {
		if (texts.length) texts.push(",");
		texts.push(...(isItem(value) ? value.texts : toContent(value, guardAction, textFirst).texts));
	}
	return texts;
}

function isItem(value: unknown): value is ContentItem {
	return value instanceof ContentItem;
}

/** A result may be nested this deep: the machine's stack is small, and its overflow cannot be caught. */
const MAX_RESULT_DEPTH = 10;

/**
 * A tool's return value as plain data, as JSON text: what a peer gets that does not speak MCP.
 * @throws TypeError when the value cannot be sent
 */
export function toData(value: unknown): string {
	if (value === undefined || value === null) return "true";
	if (value instanceof StructuredResult) return toJson(value.data);
	if (isItem(value) || (Array.isArray(value) && value.some(isItem))) return `[${toContent(value, false, true).texts.join("")}]`;
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

/** Would a backend that looks for a JSON object with `action` in a result take this text for a command of its own? */
function looksLikeAction(value: string): boolean {
	if (!value.includes('"action"') || !value.trimStart().startsWith("{")) return false;
	try {
		return Object.hasOwn(JSON.parse(value), "action");
	} catch {
		return false;
	}
}
