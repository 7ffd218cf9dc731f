// The simulator's Poco, on a display that keeps what was drawn as words.

import Poco from "../../simulator/runtime/hardware/poco.js";

export { CHARACTER_WIDTH } from "../../simulator/runtime/hardware/poco.js";

/** What the display shows: the ground's color, and the lines of text on it; how many drawings are open; whether one can begin. */
export const drawn = { ground: -1, lines: [] as string[], ink: -1, open: 0, broken: false };

export class FakeDisplay {
	readonly width = 320;
	readonly height = 240;
	closed = 0;
	close(): void {
		this.closed++;
	}
}

export class FakePoco extends Poco {
	readonly #display: { width: number; height: number };

	constructor(display: { width: number; height: number }) {
		if (drawn.broken) throw new Error("no memory");
		super(display);
		this.#display = display;
		drawn.open++;
	}
	override begin(x: number, y: number, width: number, height: number): void {
		if (x < 0 || y < 0 || x + width > this.#display.width || y + height > this.#display.height) throw new RangeError("outside of the display");
	}
	override fillRectangle(color: number, x: number, y: number, width: number, height: number): void {
		drawn.ground = color;
		if (x + y === 0 && width === this.#display.width && height === this.#display.height) drawn.lines = [];
	}
	override drawText(text: string, _font: object, color: number): void {
		drawn.lines.push(text);
		drawn.ink = color;
	}
	override close(): void {
		drawn.open--;
	}
}
