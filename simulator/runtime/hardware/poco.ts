// "commodetto/Poco": draws nothing; what a screen shows is read from the screen itself (board-watch.ts).

/** Each character is so many pixels wide. */
export const CHARACTER_WIDTH = 14;

export default class Poco {
	makeColor(red: number, green: number, blue: number): number {
		return (red << 16) | (green << 8) | blue;
	}

	begin(_x: number, _y: number, _width: number, _height: number): void {}

	end(): void {}

	fillRectangle(_color: number, _x: number, _y: number, _width: number, _height: number): void {}

	drawText(_text: string, _font: object, _color: number, _x: number, _y: number): void {}

	getTextWidth(text: string): number {
		return [...text].length * CHARACTER_WIDTH;
	}

	close(): void {}
}
