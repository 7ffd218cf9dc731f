// Moddable's graphics library Commodetto, as far as this project uses it (documentation "Commodetto", "Poco graphics library").

declare module "commodetto/PixelsOut" {
	/** What pixels are sent to: a display, or memory. */
	export default class PixelsOut {
		constructor(options: object);
		/** In pixels. */
		readonly width: number;
		readonly height: number;
	}
}

declare module "commodetto/Poco" {
	import type PixelsOut from "commodetto/PixelsOut";
	import type { Font } from "commodetto/parseBMF";

	export default class Poco {
		/** @param options displayListLength in bytes */
		constructor(display: PixelsOut, options?: { displayListLength?: number });
		/** A color as the number that drawing takes; each part 0 to 255. */
		makeColor(red: number, green: number, blue: number): number;
		/** Begins a part of the display; what is outside of it is not drawn. */
		begin(x: number, y: number, width: number, height: number): void;
		/** Draws, and sends it to the display. */
		end(): void;
		fillRectangle(color: number, x: number, y: number, width: number, height: number): void;
		/** @param y of the line's top */
		drawText(text: string, font: Font, color: number, x: number, y: number): void;
		/** In pixels. */
		getTextWidth(text: string, font: Font): number;
		/** Lets go of the memory for drawing. */
		close(): void;
	}
}

declare module "commodetto/parseBMF" {
	export interface Font {
		/** Of a line, in pixels. */
		readonly height: number;
	}

	/** Reads a bitmap font in the format of AngelCode's BMFont. */
	export default function parseBMF(data: object): Font;
}

declare module "commodetto/Bitmap" {
	/** The pixel formats; RGB565LE is 16 bits of color, little-endian. */
	const formats: { readonly RGB565LE: number };
	export default formats;
}

declare module "commodetto/BufferOut" {
	import PixelsOut from "commodetto/PixelsOut";

	/** A display in memory. */
	export default class BufferOut extends PixelsOut {
		constructor(options: { width: number; height: number; pixelFormat: number });
	}
}
