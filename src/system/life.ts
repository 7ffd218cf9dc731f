// The record of a device's lives: how it started, whether it keeps failing, and why it lost its connections.

import { oneLine } from "../base/text.js";
import type { System } from "../hardware/system.js";
import type { Timers } from "../mcp/server.js";
import { Settings } from "../settings/store.js";

/** After so many lives that ended early the next one is a safe one. */
export const SAFE_MODE_CRASHES = 3;
/** A life that has lasted this long, or has seen a good hello, did not end early. */
export const GOOD_LIFE_MS = 60_000;
/** A new firmware that could have had a good hello for so long, and had none, gives way to the one before. */
export const TRIAL_MS = 600_000;
/** So does one that has ended so often before a good hello. */
export const TRIAL_CRASHES = 3;
/** How many restarts and how many disconnects are remembered. */
export const MAX_REASONS = 10;
const MAX_REASON_LENGTH = 100;
/** How the reason of a start begins that followed a roll-back. */
const ROLLED_BACK = "rolled back: ";

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

/**
 * A device's memory of its lives, and the judge of a new firmware, which is on trial until its first good hello. It writes to flash
 * at a start, once after it, and before a restart that was asked for.
 */
export class Life {
	/** Has the device failed so often that only the common tools and the main session should run? */
	readonly safeMode: boolean;
	/** Why the last starts happened, oldest first, this one last. */
	readonly restarts: readonly string[];
	readonly disconnects: Disconnect[] = [];
	readonly #options: LifeOptions;
	readonly #store = new Settings("mcp-life");
	#timer: unknown;
	#trialTimer: unknown;
	#lasted = false;
	#onTrial = false;
	#closed = false;

	constructor(options: LifeOptions) {
		const { system, timers, log } = options;
		this.#options = options;
		const planned = this.#store.anyText("planned");
		const replaced = this.#store.anyText("replaced");
		const rolledBack = replaced !== undefined && replaced === system.firmware?.running;
		let reason = planned ?? system.resetReason ?? "unknown";
		// A plan of any other kind was made by this firmware, for the upgrade.
		if (rolledBack && !planned?.startsWith(ROLLED_BACK)) reason = `${ROLLED_BACK}the new firmware ended early (${system.resetReason ?? "unknown"})`;
		const crashes = this.#store.integer("crashes", 0, SAFE_MODE_CRASHES, 0);
		// Pulling the plug is no crash.
		const counts = planned === undefined && reason !== "power on" && !rolledBack;
		this.safeMode = counts && crashes >= SAFE_MODE_CRASHES;
		this.restarts = Object.freeze([...lines(this.#store.anyText("restarts")), reason].slice(-MAX_REASONS));
		this.#keep("restarts", this.restarts.join("\n"));
		this.#keep("crashes", counts ? Math.min(crashes + 1, SAFE_MODE_CRASHES) : 1);
		if (planned !== undefined) this.#forget("planned");
		if (this.safeMode) log("life: safe mode after repeated failures: only the common tools and the main session");
		this.#timer = timers.set(() => this.#hasLasted(), GOOD_LIFE_MS);
		if (rolledBack) {
			log(`life: the firmware from before the upgrade runs again; ${reason}`);
			this.#endTrial();
		} else if (replaced !== undefined || system.firmware?.onTrial) this.#beginTrial(planned === undefined);
	}

	/** A peer has said a good hello: the starts before this one no longer count, and a new firmware is kept. */
	good(): void {
		this.#hasLasted();
		if (!this.#onTrial || this.#closed) return;
		this.#endTrial();
		this.#confirm();
		this.#options.log("life: the new firmware is kept");
	}

	/**
	 * Can a good hello come now? Not without a network, while the set-up page has the radio, or before the main session's server is
	 * known. A new firmware has a limited time for it, which begins anew when one can come again.
	 */
	expectHello(expected: boolean): void {
		if (!expected) this.#clearTrialTimer();
		else if (this.#onTrial && !this.#closed)
			this.#trialTimer ??= this.#options.timers.set(() => this.#rollBack(`no good hello in ${TRIAL_MS / 60_000} minutes`), TRIAL_MS);
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
		this.#keepPlan(reason);
		// The bootloader would take this restart for a failure; the trial goes on here.
		if (this.#onTrial) this.#confirm();
	}

	/** A new firmware is in its place: restarts with it. */
	upgraded(): void {
		const running = this.#options.system.firmware?.running;
		if (running !== undefined) {
			this.#keep("replaced", running);
			this.#keep("trialCrashes", 0);
		}
		this.restart("self.upgrade_firmware");
	}

	/** Stops watching. May be called twice. */
	close(): void {
		this.#closed = true;
		this.#clearTimer();
		this.#clearTrialTimer();
	}

	/** The life did not end early. */
	#hasLasted(): void {
		if (this.#lasted || this.#closed) return;
		this.#lasted = true;
		this.#clearTimer();
		this.#keep("crashes", 0);
	}

	/** @param crashed has the life before this one, of the same firmware, ended without being asked to? */
	#beginTrial(crashed: boolean): void {
		this.#onTrial = true;
		const crashes = this.#store.integer("trialCrashes", 0, TRIAL_CRASHES, 0) + (crashed ? 1 : 0);
		if (crashes >= TRIAL_CRASHES) return this.#rollBack(`it ended early ${crashes} times`);
		this.#keep("trialCrashes", crashes);
		this.#options.log("life: this firmware is new and on trial until a good hello");
	}

	#endTrial(): void {
		this.#onTrial = false;
		this.#clearTrialTimer();
		this.#forget("replaced");
		this.#forget("trialCrashes");
	}

	#confirm(): void {
		try {
			this.#options.system.firmware?.confirm();
		} catch (error) {
			this.#options.log(`life: the new firmware could not be confirmed: ${(error as Error).message}`);
		}
	}

	/** Gives way to the firmware before; where that cannot be, this one is as good as any. */
	#rollBack(reason: string): void {
		const { system, log } = this.#options;
		log(`life: the new firmware is rolled back: ${reason}`);
		this.#keepPlan(ROLLED_BACK + reason);
		try {
			system.firmware?.rollBack();
		} catch (error) {
			log(`life: the firmware before cannot be started (${(error as Error).message}); this one stays`);
			this.#forget("planned");
			this.#endTrial();
		}
	}

	/** A restart for this reason is no failure. */
	#keepPlan(reason: string): void {
		this.#keep("planned", clip(reason));
		this.#keep("crashes", 0);
	}

	#clearTrialTimer(): void {
		if (this.#trialTimer !== undefined) this.#options.timers.clear(this.#trialTimer);
		this.#trialTimer = undefined;
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

	/** Nor must a flash that erases nothing. */
	#forget(key: string): void {
		try {
			this.#store.delete(key);
		} catch (error) {
			this.#options.log(`life: ${key} could not be forgotten: ${(error as Error).message}`);
		}
	}
}

/** Before this the clock has not been set: 2024-01-01. */
export const EARLIEST_CLOCK_MS = 1_704_067_200_000;

function lines(text: string | undefined): string[] {
	return text ? text.split("\n") : [];
}

/** A reason as it is kept: one short line, without what would take four bytes a character in a reply. */
function clip(text: string): string {
	return oneLine(text, MAX_REASON_LENGTH).replaceAll('"', "'").replaceAll("\\", "/");
}
