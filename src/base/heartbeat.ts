// Finds out that a peer has gone without a word: it is pinged, and given up when it stays silent.

import type { Timers } from "./timers.js";

/** The connection that a heartbeat watches. */
export interface Watched {
	/** Asks the peer for a sign of life. */
	ping(): void;
	/** The peer was pinged and has sent nothing for a whole interval. The heartbeat has stopped. */
	onSilent(): void;
}

/** Watches one connection from `start` to `stop`; set `alive` at every sign of life. */
export class Heartbeat {
	private readonly watched: Watched;
	private readonly intervalMs: number;
	private readonly always: boolean;
	private readonly timers: Timers;
	private timer: unknown;
	/** Has anything come from the peer in this interval? To be set by whoever hears it. */
	alive = false;
	/** Did the interval begin with a ping? */
	private pinged = false;

	/**
	 * @param intervalMs how long an interval is, in milliseconds
	 * @param always ping at the start of every interval, for a peer that ends idle connections; otherwise only after a silent one
	 */
	constructor(watched: Watched, timers: Timers, intervalMs: number, always = false) {
		this.watched = watched;
		this.intervalMs = intervalMs;
		this.always = always;
		this.timers = timers;
	}

	/** Begins with a new interval. */
	start(): void {
		this.begin(this.always);
	}

	/** May be called twice, and before `start`. */
	stop(): void {
		this.timers.clear(this.timer);
		this.timer = undefined;
	}

	private begin(ping: boolean): void {
		this.alive = false;
		this.pinged = ping;
		this.stop();
		this.timer = this.timers.set(() => this.end(), this.intervalMs);
		// Last, as it may end the connection.
		if (ping) this.watched.ping();
	}

	private end(): void {
		this.timer = undefined;
		if (this.pinged && !this.alive) this.watched.onSilent();
		else this.begin(this.always || !this.alive);
	}
}
