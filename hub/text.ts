// Text for a terminal: colours, cutting to a width, the table of tools and the state of a board's parts.

import type { Tool } from "@modelcontextprotocol/sdk/types.js";

/** The colours of a terminal, or nothing where there are none. */
export interface Palette {
	readonly colored: boolean;
	dim(text: string): string;
	bold(text: string): string;
	red(text: string): string;
	green(text: string): string;
	cyan(text: string): string;
	/** A block in the given colour, each part 0 to 255; without colours `#rrggbb`. */
	block(red: number, green: number, blue: number): string;
}

/** Colours only on a terminal that wants them (https://no-color.org). */
export function createPalette(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Palette {
	const colored = stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
	const paint = (code: string) => (text: string) => (colored ? `\x1b[${code}m${text}\x1b[0m` : text);
	return {
		colored,
		dim: paint("2"),
		bold: paint("1"),
		red: paint("31"),
		green: paint("32"),
		cyan: paint("36"),
		block: (red, green, blue) => (colored ? `\x1b[38;2;${red};${green};${blue}m██\x1b[0m` : hexColor(red, green, blue)),
	};
}

const hexColor = (red: number, green: number, blue: number) => `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;

/** Text from elsewhere without control characters, so that it cannot steer the terminal. */
export function plain(text: string): string {
	return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}

const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** How many columns a text takes; Chinese, Japanese and Korean characters take two. */
export function widthOf(text: string): number {
	let width = 0;
	for (const character of text) width += WIDE.test(character) ? 2 : /\p{M}/u.test(character) ? 0 : 1;
	return width;
}

/** The text cut to `width` columns, with "…" where something is missing. */
export function cut(text: string, width: number): string {
	if (widthOf(text) <= width) return text;
	let result = "";
	let used = 0;
	for (const character of text) {
		used += widthOf(character);
		if (used > width - 1) break;
		result += character;
	}
	return `${result}…`;
}

const pad = (text: string, width: number) => text + " ".repeat(Math.max(0, width - widthOf(text)));

/** One line of JSON, cut to `width` columns. */
export function inline(value: unknown, width: number): string {
	return cut(plain(typeof value === "string" ? value : (JSON.stringify(value) ?? "")), width);
}

interface Schema {
	type?: unknown;
	enum?: unknown;
	minimum?: unknown;
	maximum?: unknown;
	minLength?: unknown;
	maxLength?: unknown;
	items?: unknown;
	default?: unknown;
}

/** A tool's arguments in short: `volume: 0–100, theme: light|dark, speed?: ≥0`. */
export function describeArguments(tool: Tool): string {
	const required = new Set(tool.inputSchema.required ?? []);
	const members = Object.entries(tool.inputSchema.properties ?? {});
	return members.map(([name, schema]) => plain(`${name}${required.has(name) ? "" : "?"}: ${describeSchema(schema as Schema)}`)).join(", ") || "–";
}

function describeSchema(schema: Schema): string {
	if (Array.isArray(schema.enum)) return schema.enum.map(String).join("|");
	const { minimum, maximum } = schema;
	if (schema.type === "integer" || schema.type === "number") {
		if (minimum !== undefined && maximum !== undefined) return `${minimum}–${maximum}`;
		if (minimum !== undefined) return `≥${minimum}`;
		if (maximum !== undefined) return `≤${maximum}`;
	}
	if (schema.type === "array") return `${describeSchema((schema.items ?? {}) as Schema)}[]`;
	return typeof schema.type === "string" ? schema.type : "any";
}

/** The tools as a table of name, arguments and description, each line at most `width` columns; descriptions are cut. */
export function toolTable(tools: readonly Tool[], palette: Palette, width: number): string[] {
	const rows = tools.map((tool) => [plain(tool.name), describeArguments(tool), plain(tool.description ?? "")] as const);
	const columns = (index: 0 | 1, limit: number) => Math.min(limit, Math.max(4, ...rows.map((row) => widthOf(row[index]))));
	const nameWidth = columns(0, 40);
	const argumentWidth = columns(1, Math.max(12, Math.floor((width - nameWidth) * 0.45)));
	const rest = Math.max(10, width - nameWidth - argumentWidth - 6);
	return rows.flatMap(([name, args, description]) =>
		wrap(args, argumentWidth).map((line, index) => {
			const first = index === 0;
			const cells = [pad(first ? cut(name, nameWidth) : "", nameWidth), pad(line, argumentWidth), first ? cut(description, rest) : ""] as const;
			return palette.colored ? `  ${palette.cyan(cells[0])}  ${cells[1]}  ${palette.dim(cells[2])}` : `  ${cells.join("  ")}`.trimEnd();
		}),
	);
}

/** Breaks a list after its commas into lines of at most `width` columns. */
function wrap(list: string, width: number): string[] {
	const lines: string[] = [];
	let line = "";
	for (const piece of list.split(/(?<=,) /)) {
		const longer = line ? `${line} ${piece}` : piece;
		if (line && widthOf(longer) > width) {
			lines.push(line);
			line = piece;
		} else line = longer;
	}
	return [...lines, line].map((text) => cut(text, width));
}

/** The state of one part of a board in one line; pixels are drawn as blocks where there are colours. */
export function describeState(part: string, state: unknown, palette: Palette): string {
	return `${plain(part)}  ${describeValue(state, palette, 0)}`;
}

type Pixel = readonly [number, number, number];

function describeValue(value: unknown, palette: Palette, depth: number): string {
	const pixels = asPixels(value);
	if (pixels) return describePixels(pixels, palette);
	if (typeof value !== "object" || value === null) return plain(String(value));
	if (depth > 3) return "…";
	if (Array.isArray(value)) return `[${value.map((item) => describeValue(item, palette, depth + 1)).join(" ")}]`;
	return Object.entries(value)
		.filter(([, member]) => member !== undefined)
		.map(([key, member]) => {
			const text = describeValue(member, palette, depth + 1);
			return `${plain(key)} ${typeof member === "object" && member !== null && !Array.isArray(member) ? `(${text})` : text}`;
		})
		.join(", ");
}

function describePixels(pixels: readonly Pixel[], palette: Palette): string {
	const texts = pixels.map((pixel) => palette.block(...pixel));
	if (palette.colored) return texts.join("");
	const runs: { text: string; count: number }[] = [];
	for (const text of texts) {
		const last = runs.at(-1);
		if (last?.text === text) last.count++;
		else runs.push({ text, count: 1 });
	}
	return runs.map(({ text, count }) => (count > 1 ? `${text} ×${count}` : text)).join(" ");
}

function asPixels(value: unknown): Pixel[] | undefined {
	if (!Array.isArray(value) || value.length === 0) return undefined;
	const pixels = value.map(asPixel);
	return pixels.every((pixel) => pixel !== undefined) ? (pixels as Pixel[]) : undefined;
}

function asPixel(value: unknown): Pixel | undefined {
	const isPart = (part: unknown): part is number => Number.isInteger(part) && (part as number) >= 0 && (part as number) <= 255;
	if (Array.isArray(value)) return value.length === 3 && value.every(isPart) ? (value as unknown as Pixel) : undefined;
	if (typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value)) {
		const number = Number.parseInt(value.slice(1), 16);
		return [number >> 16, (number >> 8) & 255, number & 255];
	}
	if (typeof value !== "object" || value === null) return undefined;
	const { red, green, blue } = value as { red?: unknown; green?: unknown; blue?: unknown };
	return isPart(red) && isPart(green) && isPart(blue) ? [red, green, blue] : undefined;
}
