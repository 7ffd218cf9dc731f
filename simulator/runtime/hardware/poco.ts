// "commodetto/Poco": remembers what is drawn, and shows it as part `display`.

import { describe, show } from "simulator/panel";
import type { DisplayItem } from "../../parts.js";

/** Each character is so many pixels wide. */
export const CHARACTER_WIDTH = 14;
/** What was drawn longest ago is forgotten when there is more. */
const MAX_ITEMS = 256;

interface Area {
	x: number;
	y: number;
	width: number;
	height: number;
}

interface Drawn extends Area {
	item: DisplayItem;
}

// Made when it is needed, because a module that lives in flash cannot change what it made there.
let drawn: Drawn[] | undefined;

/** Shows `{items}`, what can still be seen on the one display that there is, the oldest first. */
export default class Poco {
	readonly width: number;
	readonly height: number;

	constructor(display: { width: number; height: number }) {
		this.width = display.width;
		this.height = display.height;
		if (drawn) return;
		drawn = [];
		describe("display", { width: this.width, height: this.height });
	}

	makeColor(red: number, green: number, blue: number): number {
		return (red << 16) | (green << 8) | blue;
	}

	begin(_x?: number, _y?: number, _width?: number, _height?: number): void {}

	end(): void {
		show("display", { items: (drawn ?? []).map(({ item }) => item) });
	}

	fillRectangle(color: number, x: number, y: number, width: number, height: number): void {
		const hidden = (old: Area) => old.x >= x && old.y >= y && old.x + old.width <= x + width && old.y + old.height <= y + height;
		drawn = drawn?.filter((old) => !hidden(old));
		this.#add({ item: ["rectangle", hex(color), x, y, width, height], x, y, width, height });
	}

	drawText(text: string, font: { height?: number }, color: number, x: number, y: number): void {
		const { height = 16 } = font;
		this.#add({ item: ["text", hex(color), x, y, height, text], x, y, width: this.getTextWidth(text), height });
	}

	getTextWidth(text: string, _font?: object): number {
		return [...text].length * CHARACTER_WIDTH;
	}

	close(): void {}

	#add(item: Drawn): void {
		drawn ??= [];
		drawn.push(item);
		if (drawn.length > MAX_ITEMS) drawn.shift();
	}
}

function hex(color: number): string {
	return `#${color.toString(16).padStart(6, "0")}`;
}
