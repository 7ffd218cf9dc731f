// The record of a device's lives: how it started, whether it keeps failing, and why it lost its connections.

import type { System } from "../hardware/hardware.js";
import type { Timers } from "../mcp/server.js";
import { Settings } from "./settings.js";

/** After so many lives that ended early the next one is a safe one. */
export const SAFE_MODE_CRASHES = 3;
/** A life that has lasted this long, or has seen a good hello, did not end early. */
export const GOOD_LIFE_MS = 60_000;
/** How many restarts and how many disconnects are remembered. */
export const MAX_REASONS = 10;
const MAX_REASON_LENGTH = 100;

/** Why a connection ended, and when. */
export interface Disconnect {
	readonly reason: string;
	/** In UTC, as ISO 8601; absent when the clock was not set. */
	readonly at?: string;
}

export interface LifeOptions {
	system: System;
	timers: Timers;
	log(line: string): void;
}

/** A device's memory of its lives. It writes to flash at a start, once after it, and before a restart that was asked for. */
export class Life {
	/** Has the device failed so often that only the common tools and the main session should run? */
	readonly safeMode: boolean;
	/** Why the last starts happened, oldest first, this one last. */
	readonly restarts: readonly string[];
	readonly disconnects: Disconnect[] = [];
	readonly #options: LifeOptions;
	readonly #store = new Settings("mcp-life");
	#timer: unknown;
	#good = false;
	#closed = false;

	constructor(options: LifeOptions) {
		const { system, timers, log } = options;
		this.#options = options;
		const planned = this.#store.anyText("planned");
		const reason = planned ?? system.resetReason ?? "unknown";
		const crashes = this.#store.integer("crashes", 0, SAFE_MODE_CRASHES, 0);
		// Pulling the plug is no crash.
		const counts = planned === undefined && reason !== "power on";
		this.safeMode = counts && crashes >= SAFE_MODE_CRASHES;
		this.restarts = Object.freeze([...lines(this.#store.anyText("restarts")), reason].slice(-MAX_REASONS));
		this.#keep("restarts", this.restarts.join("\n"));
		this.#keep("crashes", counts ? Math.min(crashes + 1, SAFE_MODE_CRASHES) : 1);
		if (planned !== undefined) this.#store.delete("planned");
		if (this.safeMode) log("life: safe mode after repeated failures: only the common tools and the main session");
		this.#timer = timers.set(() => this.good(), GOOD_LIFE_MS);
	}

	/** A peer has said a good hello, or the device has run for a while: the starts before this one no longer count. */
	good(): void {
		if (this.#good || this.#closed) return;
		this.#good = true;
		this.#clearTimer();
		this.#keep("crashes", 0);
	}

	/** Remembers why a connection ended. */
	lost(name: string, reason: string): void {
		const now = Date.now();
		const line = clip(`${name}: ${reason}`);
		this.disconnects.push(now > EARLIEST_CLOCK_MS ? { reason: line, at: new Date(now).toISOString() } : { reason: line });
		if (this.disconnects.length > MAX_REASONS) this.disconnects.shift();
	}

	/** Restarts the device for a reason that the next life shall know; such a restart is no failure. */
	restart(reason: string): void {
		this.plan(reason);
		this.#options.system.restart();
	}

	/** The restart that comes is wanted, for this reason. */
	plan(reason: string): void {
		this.#options.log(`life: restart: ${reason}`);
		this.#keep("planned", clip(reason));
		this.#keep("crashes", 0);
	}

	/** Stops watching. May be called twice. */
	close(): void {
		this.#closed = true;
		this.#clearTimer();
	}

	#clearTimer(): void {
		if (this.#timer !== undefined) this.#options.timers.clear(this.#timer);
		this.#timer = undefined;
	}

	/** A full store must not keep a device from starting. */
	#keep(key: string, value: string | number): void {
		try {
			this.#store.set(key, value);
		} catch (error) {
			this.#options.log(`life: ${key} could not be kept: ${(error as Error).message}`);
		}
	}
}

/** Before this the clock has not been set: 2024-01-01. */
export const EARLIEST_CLOCK_MS = 1_704_067_200_000;

function lines(text: string | undefined): string[] {
	return text ? text.split("\n") : [];
}

function clip(text: string): string {
	const line = text.replaceAll("\n", " ");
	return line.length > MAX_REASON_LENGTH ? `${line.slice(0, MAX_REASON_LENGTH - 1)}…` : line;
}
