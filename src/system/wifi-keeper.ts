// Keeps the device in its Wi-Fi: joins, and joins again whenever it is lost, for as long as it takes.

import { Backoff } from "../base/backoff.js";
import { Timeout, type Timers } from "../base/timers.js";
import type { Wifi } from "../hardware/wifi.js";

export const MINIMUM_REJOIN_MS = 2000;
export const MAXIMUM_REJOIN_MS = 60_000;
/** An attempt that neither joined nor failed after so long is taken as failed. */
export const JOIN_TIMEOUT_MS = 30_000;

export interface WifiKeeperOptions {
	wifi: Wifi;
	ssid: string;
	password: string;
	timers: Timers;
	log(line: string): void;
	/** A number from 0 up to 1; `Math.random` where it is not given. */
	random?: (() => number) | undefined;
	/** The network is there. */
	onUp(): void;
	/** The network is gone, or could not be joined. */
	onDown(reason: string): void;
}

/** One network, kept from `start` to `close`. */
export class WifiKeeper {
	readonly #options: WifiKeeperOptions;
	readonly #timeout: Timeout;
	readonly #backoff: Backoff;
	#running = false;
	#up = false;
	/** Counts the attempts, so that late callbacks of an old one are ignored. */
	#attempt = 0;

	constructor(options: WifiKeeperOptions) {
		this.#options = options;
		this.#timeout = new Timeout(options.timers);
		this.#backoff = new Backoff({ minimumMs: MINIMUM_REJOIN_MS, maximumMs: MAXIMUM_REJOIN_MS }, options.random);
	}

	/** Is the device in its network? */
	get up(): boolean {
		return this.#up;
	}

	start(): void {
		if (this.#running) return;
		this.#running = true;
		this.join();
	}

	/** Leaves the network for good. May be called twice. */
	close(): void {
		if (!this.#running) return;
		this.#running = false;
		this.#up = false;
		this.#attempt++;
		this.#timeout.clear();
		this.#options.wifi.leave();
	}

	private join(): void {
		const { wifi, ssid, password, log } = this.#options;
		const attempt = ++this.#attempt;
		const current = () => this.#running && attempt === this.#attempt;
		log(`wifi: joining "${ssid}"`);
		this.#timeout.set(JOIN_TIMEOUT_MS, () => this.down("no answer"));
		try {
			wifi.join(ssid, password, {
				onUp: () => {
					if (!current() || this.#up) return;
					this.#timeout.clear();
					this.#up = true;
					this.#backoff.reset();
					log(`wifi: connected to "${ssid}"`);
					this.#options.onUp();
				},
				onDown: (reason) => {
					if (current()) this.down(reason);
				},
			});
		} catch (error) {
			this.down((error as Error).message);
		}
	}

	private down(reason: string): void {
		const { log, onDown } = this.#options;
		this.#attempt++;
		this.#up = false;
		const delay = this.#backoff.next();
		log(`wifi: ${reason}; joining again in ${(delay / 1000).toFixed(1)} s`);
		this.#timeout.set(delay, () => this.join());
		onDown(reason);
	}
}
