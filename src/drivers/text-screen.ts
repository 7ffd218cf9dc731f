// A display that shows a theme's background and a text in the middle of it, drawn with Poco on any display driver of the Moddable
// SDK (documentation "Commodetto" and "Poco graphics library").

import type { Backlight, Screen, Theme } from "../hardware/screen.js";
import type { Font } from "../sdk/parse-bmf.js";
import type { PixelsOut, PocoConstructor } from "../sdk/poco.js";
import type { PreferenceStore } from "../settings/preference-store.js";
import { wrapText } from "./text-lines.js";

/** Between the edge of the display and the text, in pixels. */
const MARGIN = 12;
/** Longer texts are cut, in characters. */
const MAX_TEXT_LENGTH = 300;
/** For one line of text, in bytes; each of its characters takes about 24. */
const DISPLAY_LIST_BYTES = 2048;
const THEMES: readonly Theme[] = Object.freeze(["light", "dark"] as const);

export interface TextScreenOptions {
	/** Moddable's renderer, `sdk/poco`. */
	poco: PocoConstructor;
	/** A display driver of the SDK; the screen closes it. */
	display: PixelsOut & { close?(): void };
	/** The screen closes it. */
	backlight: Backlight;
	/** Opens the font; called for each drawing, so that it takes no memory in between. */
	font: () => Font;
	/** Where the theme is kept, as "theme". */
	settings: PreferenceStore;
}

/** It draws only when something changes, and holds no memory for drawing in between. */
export class TextScreen implements Screen {
	readonly width: number;
	readonly height: number;
	readonly #options: TextScreenOptions;
	#theme: Theme;
	#text = "";
	#closed = false;

	constructor(options: TextScreenOptions) {
		this.#options = options;
		this.width = options.display.width;
		this.height = options.display.height;
		this.#theme = options.settings.choice("theme", THEMES, "light");
		this.#draw();
	}

	get brightness(): number {
		return this.#options.backlight.brightness;
	}

	get theme(): Theme {
		return this.#theme;
	}

	get text(): string | undefined {
		return this.#text || undefined;
	}

	/** @throws Error when the backlight no longer answers */
	setBrightness(brightness: number): void {
		this.#options.backlight.setBrightness(brightness);
	}

	setTheme(theme: Theme): void {
		if (this.#closed || theme === this.#theme) return;
		this.#theme = theme;
		this.#draw();
		this.#options.settings.set("theme", theme);
	}

	showText(text: string): void {
		const shown = text.slice(0, MAX_TEXT_LENGTH);
		if (this.#closed || shown === this.#text) return;
		this.#text = shown;
		this.#draw();
	}

	/** Turns the light off. */
	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#options.backlight.close();
		this.#options.display.close?.();
	}

	#draw(): void {
		const { display } = this.#options;
		const { width, height } = this;
		const poco = new this.#options.poco(display, { displayListLength: DISPLAY_LIST_BYTES });
		try {
			const dark = this.#theme === "dark";
			const background = dark ? poco.makeColor(17, 24, 39) : poco.makeColor(255, 255, 255);
			const ink = dark ? poco.makeColor(243, 244, 246) : poco.makeColor(17, 24, 39);
			poco.begin(0, 0, width, height);
			poco.fillRectangle(background, 0, 0, width, height);
			poco.end();
			if (!this.#text) return;
			const font = this.#options.font();
			const lines = wrapText(this.#text, width - 2 * MARGIN, Math.floor(height / font.height), (text) => poco.getTextWidth(text, font));
			let y = (height - lines.length * font.height) >> 1;
			// Line by line, so that the display list stays short.
			for (const line of lines) {
				poco.begin(0, y, width, font.height);
				poco.fillRectangle(background, 0, y, width, font.height);
				poco.drawText(line, font, ink, (width - poco.getTextWidth(line, font)) >> 1, y);
				poco.end();
				y += font.height;
			}
		} finally {
			poco.close();
		}
	}
}
