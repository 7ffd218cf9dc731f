// Bounds how many lines a peer can put into the log.

import { Timeout, type Timers } from "./timers.js";

/** So many lines of one peer are logged within `LOG_WINDOW_MS`, the last one whole; one more then counts the messages that were dropped. */
export const MAX_LINES = 20;
export const LOG_WINDOW_MS = 60_000;

/**
 * A log that lets `MAX_LINES` lines through in a minute. Those that follow are dropped, and counted in one line when the minute is over.
 * @param who begins the line that counts, as in "endpoint"
 */
export function limitLog(log: (line: string) => void, timers: Timers, who: string): (line: string) => void {
	const timeout = new Timeout(timers);
	let since = 0;
	let lines = 0;
	let dropped = 0;
	return (line) => {
		const now = Date.now();
		// The clock can also be set back. While lines are dropped only the timer ends a minute.
		if (!dropped && (now - since >= LOG_WINDOW_MS || now < since)) {
			since = now;
			lines = 0;
		}
		if (lines < MAX_LINES) {
			// A stack has many.
			lines += line.split("\n").length;
			return log(line);
		}
		if (dropped++) return;
		timeout.set(since + LOG_WINDOW_MS - now, () => {
			const count = dropped;
			dropped = 0;
			lines = 0;
			since = Date.now();
			log(`${who}: ${count} more ${count === 1 ? "message" : "messages"} within a minute`);
		});
	};
}
