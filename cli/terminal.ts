// Text for a terminal: colours, columns, and nothing that could steer it.

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

/** How many columns a text takes that may be colored. */
export function shownWidth(text: string): number {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colors of `createPalette`
	return widthOf(text.replace(/\x1b\[[\d;]*m/g, ""));
}

/** One line of JSON, cut to `width` columns. */
export function inline(value: unknown, width: number): string {
	return cut(plain(typeof value === "string" ? value : (JSON.stringify(value) ?? "")), width);
}
