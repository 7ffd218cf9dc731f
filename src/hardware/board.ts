// What every board has.

import type { Battery } from "./battery.js";
import type { Backlight, Screen } from "./screen.js";
import type { Speaker } from "./speaker.js";
import type { System } from "./system.js";

/** A part that a board should have and that did not answer. */
export interface MissingPart {
	/** What it is, in words. */
	readonly part: string;
	/** What went wrong, in words. */
	readonly reason: string;
}

/** What every board has; boards add their own parts. */
export interface Board {
	/** The board's folder name; it is the server's name on the wire. */
	readonly name: string;
	readonly system: System;
	readonly speaker?: Speaker | undefined;
	/** A screen, or only what lights one. */
	readonly screen?: Screen | Backlight | undefined;
	readonly battery?: Battery | undefined;
	/** What did not answer. */
	readonly missing?: readonly MissingPart[] | undefined;
	/**
	 * Told of what happens at the device itself, such as `button_changed` with `{button, pressed}`. The program that puts
	 * everything together sets it on boards that have it.
	 */
	onEvent?: ((event: string, params: { readonly [key: string]: unknown }) => void) | undefined;
	/** Turns everything off and lets go of the hardware. */
	close(): void;
}
