// A stand-in for Commodetto's Poco on a display that keeps what was drawn as words.

/** What the displays show: the ground's color, and the lines of text on it. */
export const drawn = { ground: -1, lines: [] as string[], ink: -1, open: 0, broken: false };

/** Each character is so many pixels wide. */
export const CHARACTER_WIDTH = 14;
export const LINE_HEIGHT = 38;

export class FakeDisplay {
	readonly width = 320;
	readonly height = 240;
	closed = 0;
	close(): void {
		this.closed++;
	}
}

export class FakePoco {
	readonly #display: { width: number; height: number };

	constructor(display: { width: number; height: number }) {
		if (drawn.broken) throw new Error("no memory");
		this.#display = display;
		drawn.open++;
	}
	makeColor(red: number, green: number, blue: number): number {
		return (red << 16) | (green << 8) | blue;
	}
	begin(x: number, y: number, width: number, height: number): void {
		if (x < 0 || y < 0 || x + width > this.#display.width || y + height > this.#display.height) throw new RangeError("outside of the display");
	}
	end(): void {}
	fillRectangle(color: number, x: number, y: number, width: number, height: number): void {
		drawn.ground = color;
		if (x + y === 0 && width === this.#display.width && height === this.#display.height) drawn.lines = [];
	}
	drawText(text: string, _font: object, color: number): void {
		drawn.lines.push(text);
		drawn.ink = color;
	}
	getTextWidth(text: string): number {
		return [...text].length * CHARACTER_WIDTH;
	}
	close(): void {
		drawn.open--;
	}
}
