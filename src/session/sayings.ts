// What the device says to the assistant by itself, at a button or a timer: one sentence a second, 30 an hour, none that is late.

import { oneLine } from "../base/text.js";
import { Timeout, type Timers } from "../base/timers.js";
import { MAX_SENTENCE_CHARACTERS } from "./xiaozhi.js";

export const SAY_INTERVAL_MS = 1000;
export const MAX_SAYINGS_AN_HOUR = 30;
const HOUR_MS = 3_600_000;
/** The most sentences that wait. */
export const MAX_WAITING_SAYINGS = 4;
/** A sentence that need not be kept waits for so long until there is an assistant. */
export const SAY_LIMIT_MS = 60_000;

export interface SayingsOptions {
	timers: Timers;
	log(line: string): void;
	/** Opens a session that is open on demand. */
	wake(): void;
	/** @returns false when there is no assistant now */
	send(text: string): boolean;
}

interface Waiting {
	readonly text: string;
	leftMs: number;
}

export class Sayings {
	readonly #options: SayingsOptions;
	readonly #waiting: Waiting[] = [];
	readonly #tick: Timeout;
	readonly #hour: Timeout;
	#said = 0;

	constructor(options: SayingsOptions) {
		this.#options = options;
		this.#tick = new Timeout(options.timers);
		this.#hour = new Timeout(options.timers);
	}

	/**
	 * Says a sentence as soon as there is an assistant. Control characters become spaces.
	 * @param text at most `MAX_SENTENCE_CHARACTERS`
	 * @param keep may it wait for longer than `SAY_LIMIT_MS`?
	 * @returns false when it is refused; the log says why
	 */
	say(text: string, keep = false): boolean {
		const { log, timers, wake } = this.#options;
		const refuse = (why: string) => {
			log(`say: refused: ${why}`);
			return false;
		};
		if (typeof text !== "string" || text.length > MAX_SENTENCE_CHARACTERS)
			return refuse(`a sentence has at most ${MAX_SENTENCE_CHARACTERS} characters`);
		const line = oneLine(text, MAX_SENTENCE_CHARACTERS);
		if (!line) return refuse("there is nothing in it");
		if (this.#waiting.length >= MAX_WAITING_SAYINGS) return refuse(`${MAX_WAITING_SAYINGS} sentences are waiting`);
		if (this.#said >= MAX_SAYINGS_AN_HOUR) return refuse(`${MAX_SAYINGS_AN_HOUR} sentences were said within an hour`);
		if (!this.#hour.pending)
			this.#hour.set(HOUR_MS, () => {
				this.#said = 0;
			});
		this.#said++;
		this.#waiting.push({ text: line, leftMs: keep ? Number.POSITIVE_INFINITY : SAY_LIMIT_MS });
		wake();
		if (!this.#tick.pending) timers.set(() => this.next(), 0);
		return true;
	}

	/** Forgets what waits. May be called twice. */
	close(): void {
		this.#waiting.length = 0;
		this.#tick.clear();
		this.#hour.clear();
	}

	/** Says what waits longest, and comes again as long as there is or was something. */
	private next(): void {
		const first = this.#waiting[0];
		if (!first || this.#tick.pending) return;
		if (this.#options.send(first.text)) this.#waiting.shift();
		else
			for (const waiting of [...this.#waiting]) {
				waiting.leftMs -= SAY_INTERVAL_MS;
				if (waiting.leftMs >= 0) continue;
				this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
				this.#options.log("say: dropped a sentence: no assistant for a minute");
			}
		this.#tick.set(SAY_INTERVAL_MS, () => this.next());
	}
}
