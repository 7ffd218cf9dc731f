// Keeps the device in its Wi-Fi: joins, and joins again whenever it is lost, for as long as it takes.

import type { Wifi } from "../hardware/wifi.js";
import type { Timers } from "../mcp/server.js";

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
	#timer: unknown;
	#attempts = 0;
	#running = false;
	#up = false;
	/** Counts the attempts, so that what an old one still says is not heard. */
	#attempt = 0;

	constructor(options: WifiKeeperOptions) {
		this.#options = options;
	}

	/** Is the device in its network? */
	get up(): boolean {
		return this.#up;
	}

	start(): void {
		if (this.#running) return;
		this.#running = true;
		this.#join();
	}

	/** Leaves the network for good. May be called twice. */
	close(): void {
		if (!this.#running) return;
		this.#running = false;
		this.#up = false;
		this.#attempt++;
		this.#clearTimer();
		this.#options.wifi.leave();
	}

	#join(): void {
		const { wifi, ssid, password, log } = this.#options;
		const attempt = ++this.#attempt;
		const current = () => this.#running && attempt === this.#attempt;
		log(`wifi: joining "${ssid}"`);
		this.#set(JOIN_TIMEOUT_MS, () => this.#down("no answer"));
		try {
			wifi.join(ssid, password, {
				onUp: () => {
					if (!current() || this.#up) return;
					this.#clearTimer();
					this.#up = true;
					this.#attempts = 0;
					log(`wifi: connected to "${ssid}"`);
					this.#options.onUp();
				},
				onDown: (reason) => {
					if (current()) this.#down(reason);
				},
			});
		} catch (error) {
			this.#down((error as Error).message);
		}
	}

	#down(reason: string): void {
		const { log, onDown, random = Math.random } = this.#options;
		this.#attempt++;
		this.#up = false;
		const most = Math.min(MAXIMUM_REJOIN_MS, MINIMUM_REJOIN_MS * 2 ** (this.#attempts + 1));
		const delay = Math.round((most / 2) * (1 + random()));
		if (this.#attempts < 30) this.#attempts++;
		log(`wifi: ${reason}; joining again in ${(delay / 1000).toFixed(1)} s`);
		this.#set(delay, () => this.#join());
		onDown(reason);
	}

	#set(delay: number, act: () => void): void {
		this.#clearTimer();
		this.#timer = this.#options.timers.set(() => {
			this.#timer = undefined;
			if (this.#running) act();
		}, delay);
	}

	#clearTimer(): void {
		if (this.#timer !== undefined) this.#options.timers.clear(this.#timer);
		this.#timer = undefined;
	}
}
