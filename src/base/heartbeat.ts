// Finds out that a peer has gone without a word: it is pinged, and given up when it stays silent.

import { Timeout, type Timers } from "./timers.js";

export interface HeartbeatOptions {
	readonly timers: Timers;
	/** How long an interval is, in milliseconds. */
	readonly intervalMs: number;
	/** Ping at the start of every interval, for a peer that ends idle connections. Otherwise only after a silent one. */
	readonly always?: boolean | undefined;
	/** Asks the peer for a sign of life. */
	ping(): void;
	/** The peer was pinged and has sent nothing for a whole interval. The heartbeat has stopped. */
	onSilent(): void;
}

/** Watches one connection from `start` to `stop`; call `heard` for every sign of life. */
export class Heartbeat {
	readonly #options: HeartbeatOptions;
	readonly #timeout: Timeout;
	#heard = false;

	constructor(options: HeartbeatOptions) {
		this.#options = options;
		this.#timeout = new Timeout(options.timers);
	}

	/** Begins with a new interval. */
	start(): void {
		this.#begin(this.#options.always ?? false);
	}

	/** Something came from the peer. */
	heard(): void {
		this.#heard = true;
	}

	/** May be called twice, and before `start`. */
	stop(): void {
		this.#timeout.clear();
	}

	#begin(ping: boolean): void {
		const { intervalMs, always = false } = this.#options;
		this.#heard = false;
		this.#timeout.set(intervalMs, () => {
			if (ping && !this.#heard) this.#options.onSilent();
			else this.#begin(always || !this.#heard);
		});
		// Last, as it may end the connection.
		if (ping) this.#options.ping();
	}
}
