// What every board has.

import type { Battery } from "./battery.js";
import type { Body } from "./body.js";
import type { Backlight, Screen } from "./screen.js";
import type { Speaker } from "./speaker.js";
import type { System } from "./system.js";

/** A part that the board should have but that did not answer. */
export interface MissingPart {
	/** A short description, such as "speaker (codec ES8311)". */
	readonly part: string;
	/** The message of the error. */
	readonly reason: string;
}

/** Who a sentence is of, or what else the assistant does. */
export type SpeechKind = "user" | "assistant" | "emotion" | "call";

/** What a board has to read beside its state: MCP resources of its own, at addresses that do not begin with `board://`. */
export interface OwnResources {
	/** What is listed. It stays the same. One with a `mimeType` is bytes, the others are JSON. */
	readonly entries: readonly { readonly uri: string; readonly name: string; readonly description: string; readonly mimeType?: string }[];
	/** What can be read by a pattern of RFC 6570: JSON. */
	readonly templates?: readonly { readonly uriTemplate: string; readonly name: string; readonly description: string }[];
	/** JSON text; undefined where nothing has this address. Called twice a second while somebody watches. */
	read(uri: string): string | undefined;
	/** Base64, in texts one after the other. Rejects with an Error in plain words. */
	readBlob?(uri: string): Promise<readonly string[]>;
}

/** What every board has; boards add their own parts. */
export interface Board {
	/** The board's folder name; it is the server's name on the wire. */
	readonly name: string;
	/** What it is, in words that follow "This is"; MCP clients tell it to their model. */
	readonly about?: string | undefined;
	readonly system: System;
	readonly speaker?: Speaker | undefined;
	/** A screen, or just its backlight. */
	readonly screen?: Screen | Backlight | undefined;
	readonly battery?: Battery | undefined;
	readonly body?: Body | undefined;
	/** What it has to read beside its state. */
	readonly resources?: OwnResources | undefined;
	/** The parts that did not answer; their members are undefined. */
	readonly missing?: readonly MissingPart[] | undefined;
	/**
	 * Called for what happens at the device itself, such as `button_changed` with `{button, pressed}`, by a name that ends in
	 * `_changed` for what can be watched, and by none that MCP has. The composition root sets it.
	 */
	onEvent?: ((event: string, params: { readonly [key: string]: unknown }) => void) | undefined;
	/**
	 * Says a sentence to the assistant, as if it had heard it: at most 500 characters, one sentence a second, 30 an hour. The
	 * composition root sets it.
	 * @param keep may it wait for longer than a minute until there is an assistant?
	 * @returns false when it is refused; the log says why
	 */
	say?: ((text: string, keep?: boolean) => boolean) | undefined;
	/** Called for what the user and the assistant say, for the name of an emotion and for the tools that are called. */
	onSpeech?: ((kind: SpeechKind, text: string) => void) | undefined;
	/** Called when the device goes into another state, such as "executing": a light may follow it. */
	onState?: ((state: string) => void) | undefined;
	/**
	 * Moves what moves by itself after a start. Called once, when the start has been recorded.
	 * @param weakSupply why servos must stay off, where they must
	 */
	start?(weakSupply?: string): void;
	/**
	 * Takes what adds and removes tools while the firmware runs. Called once, before the first connection; not in safe mode.
	 * @param tools `RuntimeTools` of the board's own type, of mcp/server
	 */
	useTools?(tools: never): void;
	/** Turns everything off and releases the hardware. May be called twice. */
	close(): void;
}
