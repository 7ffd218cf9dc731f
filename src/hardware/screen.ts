// A display, and the light behind one.

export type Theme = "light" | "dark";

/** The light behind a display. */
export interface Backlight {
	/** 0 to 100, an integer. */
	readonly brightness: number;
	/** @param brightness 0 to 100; kept across restarts. */
	setBrightness(brightness: number): void;
	close(): void;
}

/** A display as a whole. */
export interface Screen extends Backlight {
	readonly width: number;
	readonly height: number;
	readonly theme: Theme;
	/** Kept across restarts. */
	setTheme(theme: Theme): void;
	/** What `showText` is showing; absent when there is nothing. */
	readonly text?: string | undefined;
	/** Shows a short text for the owner, such as a code; "" removes it. Absent if the display cannot. */
	showText?(text: string): void;
}
