// What the user and the assistant say, on a screen that can show text; the newest only, however fast it comes.

import { Timeout, type Timers } from "../base/timers.js";

/** The screen is drawn at most this often. */
export const DRAW_INTERVAL_MS = 300;
/** A sentence is taken away when nothing followed for so long. */
export const SHOWN_MS = 15_000;

export class Subtitles {
	readonly #show: (text: string) => void;
	readonly #draw: Timeout;
	readonly #clear: Timeout;
	#text = "";
	#emotion = "";

	/** @param show shows a text; "" takes it away */
	constructor(timers: Timers, show: (text: string) => void) {
		this.#show = show;
		this.#draw = new Timeout(timers);
		this.#clear = new Timeout(timers);
	}

	/** A sentence of the user or the assistant, or the name of the assistant's emotion. */
	take(kind: "user" | "assistant" | "emotion" | "call", text: string): void {
		if (kind === "call") return;
		if (kind === "emotion") this.#emotion = text.slice(0, 16);
		else this.#text = kind === "user" ? `- ${text}` : text;
		if (this.#draw.pending) return;
		this.#draw.set(DRAW_INTERVAL_MS, () => {
			this.#show(this.#emotion && this.#emotion !== "neutral" ? `(${this.#emotion}) ${this.#text}`.trim() : this.#text);
			this.#clear.set(SHOWN_MS, () => {
				this.#text = "";
				this.#emotion = "";
				this.#show("");
			});
		});
	}

	/** May be called twice. */
	close(): void {
		this.#draw.clear();
		this.#clear.clear();
	}
}
