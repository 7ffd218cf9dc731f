// What the parts of a simulated board show: kept for `state`, and told in lines as it changes, without the steps between.

import type { Palette } from "../cli/terminal.js";
import { describeState } from "./text.js";

/** A part that changes faster than this many times … */
const MAX_LINES = 20;
/** … in this time is told once more when the time is over. */
const WINDOW_MS = 1000;

interface Part {
	state: unknown;
	/** The line that was told last. */
	line: string;
	/** Lines in the running window. */
	count: number;
	timer: NodeJS.Timeout | undefined;
}

export class BoardState {
	readonly #parts = new Map<string, Part>();
	readonly #palette: Palette;
	readonly #onLine: (line: string) => void;

	constructor(palette: Palette, onLine: (line: string) => void) {
		this.#palette = palette;
		this.#onLine = onLine;
	}

	/** All parts as they are now, one line each. */
	get lines(): string[] {
		return [...this.#parts].map(([name, { state }]) => describeState(name, state, this.#palette));
	}

	/** Takes the whole state of a part. */
	show(name: string, state: unknown): void {
		const part: Part = this.#parts.get(name) ?? { state, line: "", count: 0, timer: undefined };
		this.#parts.set(name, part);
		const goesOn = isMoving(part.state) && isMoving(state);
		part.state = state;
		if (!goesOn && part.count < MAX_LINES) this.#tell(name, part);
	}

	/** Tells nothing any more. May be called twice. */
	close(): void {
		for (const part of this.#parts.values()) {
			clearTimeout(part.timer);
			part.count = Number.POSITIVE_INFINITY;
		}
	}

	#tell(name: string, part: Part): void {
		const line = describeState(name, part.state, this.#palette);
		if (line === part.line) return;
		part.line = line;
		part.count++;
		this.#onLine(line);
		part.timer ??= setTimeout(() => {
			const late = part.count >= MAX_LINES && !isMoving(part.state);
			part.timer = undefined;
			part.count = 0;
			if (late) this.#tell(name, part);
		}, WINDOW_MS).unref();
	}
}

/** Is it on its way, as a servo is? The end is told, the way there is not. */
function isMoving(state: unknown): boolean {
	return typeof state === "object" && state !== null && (state as { moving?: unknown }).moving === true;
}
