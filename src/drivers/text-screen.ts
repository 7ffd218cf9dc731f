// A display that shows a theme's ground and a text in the middle of it, drawn with Commodetto's Poco on any display driver of the
// Moddable SDK (documentation "Commodetto" and "Poco graphics library").

import Resource from "Resource";
import Poco from "commodetto/Poco";
import parseBMF from "commodetto/parseBMF";
import type { Backlight, Screen, Theme } from "../hardware/screen.js";
import type { PreferenceStore } from "../settings/preference-store.js";
import { wrapText } from "./text-lines.js";

/** From the edge of the display to the text, in pixels. */
const MARGIN = 12;
/** Longer texts are cut, in characters. */
const MAX_TEXT_LENGTH = 300;
/** For one line of text, in bytes; each of its characters takes about 24. */
const DISPLAY_LIST_BYTES = 2048;
const THEMES: readonly Theme[] = Object.freeze(["light", "dark"] as const);

export interface TextScreenOptions {
	/** An instance of a display driver of the SDK; it belongs to this screen from here on. */
	display: ConstructorParameters<typeof Poco>[0] & { close?(): void };
	backlight: Backlight;
	/** The name of a font among the resources, as mcconfig makes it of a .fnt with `*-mask`. */
	font: string;
	/** Where the theme is kept, as "theme". */
	settings: PreferenceStore;
}

/** It draws only when something changes, and holds no memory for it in between. */
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

	/** @throws Error when what feeds the backlight no longer answers */
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
		const { display, font: fontName } = this.#options;
		const { width, height } = this;
		const poco = new Poco(display, { displayListLength: DISPLAY_LIST_BYTES });
		try {
			const dark = this.#theme === "dark";
			const ground = dark ? poco.makeColor(17, 24, 39) : poco.makeColor(255, 255, 255);
			const ink = dark ? poco.makeColor(243, 244, 246) : poco.makeColor(17, 24, 39);
			poco.begin(0, 0, width, height);
			poco.fillRectangle(ground, 0, 0, width, height);
			poco.end();
			if (!this.#text) return;
			const font = parseBMF(new Resource(fontName));
			const lines = wrapText(this.#text, width - 2 * MARGIN, Math.floor(height / font.height), (text) => poco.getTextWidth(text, font));
			let y = (height - lines.length * font.height) >> 1;
			// Line by line, so that the list of what is to be drawn stays short.
			for (const line of lines) {
				poco.begin(0, y, width, font.height);
				poco.fillRectangle(ground, 0, y, width, font.height);
				poco.drawText(line, font, ink, (width - poco.getTextWidth(line, font)) >> 1, y);
				poco.end();
				y += font.height;
			}
		} finally {
			poco.close();
		}
	}
}
