// A screen of which only brightness, theme and a short text are simulated.

import { clampInteger } from "drivers/clamp";
import type { Screen, Theme } from "hardware/screen";
import type { PreferenceStore } from "settings/preference-store";
import type { Show } from "./panel.js";

const DEFAULT_BRIGHTNESS = 75;
const THEMES: readonly Theme[] = Object.freeze(["light", "dark"] as const);

export interface SimulatedScreenOptions {
	show: Show;
	settings: PreferenceStore;
}

/** Keeps and shows `{brightness, theme}`, and `text` where there is one. */
export class SimulatedScreen implements Screen {
	readonly width: number = 320;
	readonly height: number = 240;
	readonly #settings: PreferenceStore;
	readonly #panel: Show;
	#brightness: number;
	#theme: Theme;
	#text = "";

	constructor({ show, settings }: SimulatedScreenOptions) {
		this.#panel = show;
		this.#settings = settings;
		this.#brightness = settings.integer("brightness", 0, 100, DEFAULT_BRIGHTNESS);
		this.#theme = settings.choice("theme", THEMES, "light");
		this.#show();
	}

	get brightness(): number {
		return this.#brightness;
	}

	get theme(): Theme {
		return this.#theme;
	}

	get text(): string | undefined {
		return this.#text || undefined;
	}

	setBrightness(brightness: number): void {
		this.#brightness = clampInteger(brightness, 0, 100);
		this.#show();
		this.#settings.set("brightness", this.#brightness);
	}

	setTheme(theme: Theme): void {
		this.#theme = theme;
		this.#show();
		this.#settings.set("theme", theme);
	}

	showText(text: string): void {
		this.#text = text;
		this.#show();
	}

	close(): void {}

	#show(): void {
		this.#panel("screen", { brightness: this.#brightness, theme: this.#theme, text: this.text });
	}
}
