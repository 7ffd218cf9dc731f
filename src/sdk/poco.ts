// Moddable's renderer Poco (documentation "Poco graphics library").

import CommodettoPoco from "commodetto/Poco";
import type { Font } from "./parse-bmf.js";

/** What is drawn on: a display driver of the SDK, for instance. */
export interface PixelsOut {
	/** In pixels. */
	readonly width: number;
	readonly height: number;
}

export interface Renderer {
	/** A color as the number that drawing takes; each part 0 to 255. */
	makeColor(red: number, green: number, blue: number): number;
	/** Begins a part of the display; whatever is outside of it is not drawn. */
	begin(x: number, y: number, width: number, height: number): void;
	/** Draws, and sends it to the display. */
	end(): void;
	fillRectangle(color: number, x: number, y: number, width: number, height: number): void;
	/** @param y of the line's top */
	drawText(text: string, font: Font, color: number, x: number, y: number): void;
	/** In pixels. */
	getTextWidth(text: string, font: Font): number;
	/** Frees the memory for drawing. */
	close(): void;
}

/** `displayListLength` is in bytes. */
export type PocoConstructor = new (display: PixelsOut, options?: { displayListLength?: number }) => Renderer;

const Poco = CommodettoPoco as unknown as PocoConstructor;
export default Poco;
