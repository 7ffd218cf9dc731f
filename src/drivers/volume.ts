// The volume of a device: one setting that every player follows, and the curve that makes equal steps sound equal.

import type { PreferenceStore } from "../settings/preference-store.js";
import { clampInteger } from "./clamp.js";

const DEFAULT_VOLUME = 70;

/** A volume that is kept across restarts. */
export class Volume {
	readonly #settings: PreferenceStore;
	readonly #followers = new Set<(volume: number) => void>();
	#percent: number;

	/** @param percent 0 to 100, when none has been kept */
	constructor(settings: PreferenceStore, percent = DEFAULT_VOLUME) {
		this.#settings = settings;
		this.#percent = settings.integer("volume", 0, 100, percent);
	}

	/** 0 to 100, whole. */
	get percent(): number {
		return this.#percent;
	}

	/** Sets it for every player, then keeps it. */
	set(percent: number): void {
		this.#percent = clampInteger(percent, 0, 100);
		for (const follower of this.#followers) follower(this.#percent);
		this.#settings.set("volume", this.#percent);
	}

	/**
	 * Calls back with the volume at once and whenever it changes.
	 * @returns a function that ends it
	 */
	follow(follower: (percent: number) => void): () => void {
		this.#followers.add(follower);
		follower(this.#percent);
		return () => {
			this.#followers.delete(follower);
		};
	}
}

/** What samples are multiplied by, 0 to 1: squared, because ears hear ratios. */
export function volumeGain(percent: number): number {
	return (percent / 100) ** 2;
}

/** The same curve for hardware that counts in decibels: 0 is the loudest, half volume is 12 below it, −Infinity is silence. */
export function volumeDecibels(percent: number): number {
	return 20 * Math.log10(volumeGain(percent));
}
