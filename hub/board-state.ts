// What the parts of a simulated board show: kept for `state`, and told as it changes. On a terminal one line is drawn again for as long as
// something changes; elsewhere there are a few lines for a part, without the steps between.

import { cut, shownWidth } from "../cli/terminal.js";
import type { PartDescription } from "../simulator/parts.js";
import { describeState } from "./text.js";
import type { Transcript } from "./transcript.js";

/** Without a terminal, a part that changes more often than this … */
const MAX_LINES = 6;
/** … in this time is told once more when the time is over. */
const WINDOW_MS = 3000;
/** On a terminal, what changes within this time stands in one line … */
const BURST_MS = 1000;
/** … which is drawn again after this time. */
const REDRAW_MS = 80;
/** Parts that say nothing in words: pictures. */
const PICTURES: readonly string[] = ["display", "camera"];

interface Part {
	description: PartDescription | undefined;
	state: unknown;
	/** The line that was told last. */
	line: string;
	/** Lines in the running window. */
	count: number;
	timer: NodeJS.Timeout | undefined;
}

export class BoardState {
	readonly #parts = new Map<string, Part>();
	readonly #transcript: Transcript;
	readonly #prefix: string;
	/** The parts in the line that is drawn again; the newest are last. */
	#burst = new Set<string>();
	#redraw: NodeJS.Timeout | undefined;
	#burstEnd: NodeJS.Timeout | undefined;
	#closed = false;

	/** @param prefix stands before each line */
	constructor(transcript: Transcript, prefix = "    ") {
		this.#transcript = transcript;
		this.#prefix = prefix;
	}

	/** All parts as they are now, one line each, with those of the electronics. */
	get lines(): string[] {
		return [...this.#parts].filter(([, part]) => part.state !== undefined && !isPicture(part)).map(([name, part]) => this.#describe(name, part));
	}

	/** Takes what a part is. */
	describe(name: string, description: PartDescription): void {
		this.#part(name).description = description;
	}

	/** Takes the whole state of a part. */
	show(name: string, state: unknown): void {
		const part = this.#part(name);
		const goesOn = isMoving(part.state) && isMoving(state);
		part.state = state;
		if (this.#closed || part.description?.detail || isPicture(part)) return;
		if (this.#transcript.live && name !== "assistant") this.#tellLive(name, part);
		else if (!goesOn && part.count < MAX_LINES) this.#tell(name, part);
	}

	/** Tells nothing any more. May be called twice. */
	close(): void {
		this.#closed = true;
		clearTimeout(this.#redraw);
		clearTimeout(this.#burstEnd);
		for (const part of this.#parts.values()) clearTimeout(part.timer);
	}

	#part(name: string): Part {
		let part = this.#parts.get(name);
		if (!part) {
			part = { description: undefined, state: undefined, line: "", count: 0, timer: undefined };
			this.#parts.set(name, part);
		}
		return part;
	}

	#describe(name: string, part: Part): string {
		return describeState(name, part.state, this.#transcript.palette, part.description);
	}

	#tell(name: string, part: Part): void {
		const line = this.#describe(name, part);
		if (line === part.line) return;
		part.line = line;
		part.count++;
		this.#transcript.line(this.#prefix + line);
		part.timer ??= setTimeout(() => {
			const late = part.count >= MAX_LINES && !isMoving(part.state);
			part.timer = undefined;
			part.count = 0;
			if (late) this.#tell(name, part);
		}, WINDOW_MS).unref();
	}

	#tellLive(name: string, part: Part): void {
		const line = this.#describe(name, part);
		if (line === part.line) return;
		part.line = line;
		this.#burst.add(name);
		this.#burstEnd?.refresh();
		this.#burstEnd ??= setTimeout(() => {
			this.#burstEnd = undefined;
			this.#burst.clear();
		}, BURST_MS).unref();
		// What comes after a pause is seen at once, before the answer to the call that it comes of.
		if (this.#redraw) return;
		this.#draw();
		this.#redraw = setTimeout(() => {
			this.#redraw = undefined;
			this.#draw();
		}, REDRAW_MS).unref();
	}

	#draw(): void {
		let text = this.#prefix;
		for (const name of this.#burst) {
			const more = text === this.#prefix ? text + this.#part(name).line : `${text}   ${this.#part(name).line}`;
			// A line that is too long would be two, and could not be drawn again.
			if (shownWidth(more) > this.#transcript.width - 2) {
				text = text === this.#prefix ? cut(more, this.#transcript.width - 2) : `${text} …`;
				break;
			}
			text = more;
		}
		if (this.#burst.size > 0) this.#transcript.redraw(text);
	}
}

/** Is it on its way, as a servo is? The end is told, the way there is not. */
function isMoving(state: unknown): boolean {
	return typeof state === "object" && state !== null && (state as { moving?: unknown }).moving === true;
}

function isPicture({ description }: Part): boolean {
	return description !== undefined && PICTURES.includes(description.kind);
}
