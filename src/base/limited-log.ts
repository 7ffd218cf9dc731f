// Bounds how many lines a peer can put into the log.

import { hideSecrets } from "./text.js";
import type { Timers } from "./timers.js";

/** So many lines of one peer are logged within `LOG_WINDOW_MS`, the last one whole; one more then counts the messages that were dropped. */
export const MAX_LINES = 20;
export const LOG_WINDOW_MS = 60_000;

const NONE: readonly string[] = Object.freeze([]);

/**
 * A log that lets `MAX_LINES` lines through in a minute. Those that follow are dropped, and counted in one line when the minute is over.
 * @param who begins the line that counts, as in "endpoint"
 * @param secrets are left out of every line
 */
export function limitLog(log: (line: string) => void, timers: Timers, who: string, secrets: readonly string[] = NONE): (line: string) => void {
	const limited = new LimitedLog(log, timers, who, secrets.length ? secrets : NONE);
	return (line) => limited.add(line);
}

class LimitedLog {
	private readonly log: (line: string) => void;
	private readonly timers: Timers;
	private readonly who: string;
	private readonly secrets: readonly string[];
	private since = 0;
	private lines = 0;
	private dropped = 0;

	constructor(log: (line: string) => void, timers: Timers, who: string, secrets: readonly string[]) {
		this.log = log;
		this.timers = timers;
		this.who = who;
		this.secrets = secrets;
	}

	add(line: string): void {
		const now = Date.now();
		// The clock can also be set back. While lines are dropped only the timer ends a minute.
		if (!this.dropped && (now - this.since >= LOG_WINDOW_MS || now < this.since)) {
			this.since = now;
			this.lines = 0;
		}
		if (this.lines < MAX_LINES) {
			// A stack has many.
			this.lines += line.split("\n").length;
			return this.log(hideSecrets(line, this.secrets));
		}
		if (this.dropped++ === 0) this.timers.set(() => this.count(), this.since + LOG_WINDOW_MS - now);
	}

	private count(): void {
		const count = this.dropped;
		this.dropped = 0;
		this.lines = 0;
		this.since = Date.now();
		this.log(`${this.who}: ${count} more ${count === 1 ? "message" : "messages"} within a minute`);
	}
}
