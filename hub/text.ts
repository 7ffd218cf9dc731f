// Text about a device: the table of its tools, and the state of a board's parts.

import type { Tool } from "@modelcontextprotocol/client";
import { cut, type Palette, plain, widthOf } from "../cli/terminal.js";
import { describeArguments } from "../cli/tool-arguments.js";
import type { PartDescription } from "../simulator/parts.js";

const pad = (text: string, width: number) => text + " ".repeat(Math.max(0, width - widthOf(text)));

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

/**
 * The state of one part of a board in one line, under the name that the board gives it; pixels are drawn as blocks where there are
 * colours.
 */
export function describeState(part: string, state: unknown, palette: Palette, description?: PartDescription): string {
	if (part === "assistant") return describeSpeech(state as { kind?: unknown; text?: unknown }, palette);
	const name = plain(description?.label ?? part);
	const { angle, position } = (state ?? {}) as { angle?: unknown; position?: unknown };
	if (description?.kind === "servo" && typeof angle === "number" && typeof position === "number") {
		const [stands, sent] = [Math.round(position), Math.round(angle)];
		return `${name}  ${stands}°${stands === sent ? "" : ` → ${sent}°`}`;
	}
	return `${name}  ${describeValue(state, palette, 0)}`;
}

/** What the user and the assistant say, and what the assistant feels and calls. */
function describeSpeech({ kind, text }: { kind?: unknown; text?: unknown }, palette: Palette): string {
	const words = plain(String(text));
	switch (kind) {
		case "user":
			return `you say    ${words}`;
		case "assistant":
			return `${palette.bold("assistant")}  ${words}`;
		case "call":
			return `assistant  calls ${palette.cyan(words)}`;
		default:
			return `assistant  feels ${words}`;
	}
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
