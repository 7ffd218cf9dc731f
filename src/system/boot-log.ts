// The record of a device's starts: why they happened, whether it keeps failing, and why connections were lost.

import { oneLine } from "../base/text.js";
import { Timeout, type Timers } from "../base/timers.js";
import type { System } from "../hardware/system.js";
import { BootStore } from "./boot-store.js";
import { EARLIEST_CLOCK_MS } from "./clock.js";
import { type FirmwareTrial, ROLLED_BACK } from "./firmware-trial.js";

/** After so many runs in a row that ended early, the next one is in safe mode. */
export const SAFE_MODE_CRASHES = 3;
/** After so many brown-outs in a row, whatever draws much current stays off. */
export const WEAK_SUPPLY_BROWNOUTS = 2;
const BROWNOUTS: readonly string[] = Object.freeze(["brownout", "power glitch"]);
/** Somebody at the device: the plug is pulled, it is flashed, a monitor or a debugger is started. */
const BY_HAND: readonly string[] = Object.freeze(["power on", "USB", "JTAG"]);
/** A run that has lasted this long did not end early. */
export const STABLE_AFTER_MS = 60_000;
/** After so many restarts that a peer has asked for the device has to run for `ASKED_WINDOW_MS` before the next one. */
export const MAX_ASKED = 3;
export const ASKED_WINDOW_MS = 600_000;
/** How many restarts and how many disconnects are remembered. */
export const MAX_REASONS = 10;
const MAX_REASON_LENGTH = 100;

/** Why a connection ended, and when. */
export interface Disconnect {
	readonly reason: string;
	/** In UTC, as ISO 8601; absent when the clock was not set. */
	readonly at?: string;
}

export interface BootLogOptions {
	system: System;
	/** The trial of a new firmware, which it begins. */
	trial: FirmwareTrial;
	timers: Timers;
	log(line: string): void;
}

/** It writes to flash at a start, once after it, and before a restart that was asked for. */
export class BootLog {
	/** Has the device failed so often that only the common tools and the main session should run? */
	readonly safeMode: boolean;
	/** Why whatever draws much current must stay off; undefined where it need not. */
	readonly weakSupply: string | undefined;
	/** Why the last starts happened, oldest first, this one last. */
	readonly restarts: readonly string[];
	readonly disconnects: Disconnect[] = [];
	readonly #options: BootLogOptions;
	readonly #store: BootStore;
	readonly #stable: Timeout;
	/** Until a brown-out no longer counts, whatever a peer has said meanwhile. */
	readonly #powered: Timeout;
	/** The time until restarts that were asked for no longer count. */
	readonly #asked: Timeout;
	#lasted = false;
	#closed = false;

	constructor(options: BootLogOptions) {
		const { system, trial, timers, log } = options;
		this.#options = options;
		this.#store = new BootStore(log);
		this.#stable = new Timeout(timers);
		this.#powered = new Timeout(timers);
		this.#asked = new Timeout(timers);
		const planned = this.#store.anyText("planned");
		let reason = planned ?? system.resetReason ?? "unknown";
		// A plan of any other kind was made by the firmware that runs, for the upgrade.
		if (trial.rolledBack && !planned?.startsWith(ROLLED_BACK))
			reason = `${ROLLED_BACK}the new firmware ended early (${system.resetReason ?? "unknown"})`;
		const crashes = this.#store.integer("crashes", 0, SAFE_MODE_CRASHES, 0);
		const counts = planned === undefined && !BY_HAND.includes(reason) && !trial.rolledBack;
		this.safeMode = counts && crashes >= SAFE_MODE_CRASHES;
		this.weakSupply = this.countBrownouts(BROWNOUTS.includes(system.resetReason ?? ""));
		this.restarts = Object.freeze([...lines(this.#store.anyText("restarts")), reason].slice(-MAX_REASONS));
		this.#store.keep("restarts", this.restarts.join("\n"));
		this.#store.keep("crashes", counts ? Math.min(crashes + 1, SAFE_MODE_CRASHES) : 1);
		if (planned !== undefined) this.#store.forget("planned");
		if (this.safeMode) log("boot: safe mode after repeated failures: only the common tools and the main session");
		this.#stable.set(STABLE_AFTER_MS, () => this.hasLasted());
		if (this.askedCount) this.#asked.set(ASKED_WINDOW_MS, () => this.#store.keep("asked", 0));
		if (trial.rolledBack) log(`boot: the firmware from before the upgrade runs again; ${reason}`);
		trial.begin({
			crashed: planned === undefined,
			plan: (reason) => this.keepPlan(reason),
			unplan: () => this.#store.forget("planned"),
		});
	}

	/** Remembers why a connection ended. */
	lost(name: string, reason: string): void {
		const now = Date.now();
		const line = clip(`${name}: ${reason}`);
		this.disconnects.push(now > EARLIEST_CLOCK_MS ? { reason: line, at: new Date(now).toISOString() } : { reason: line });
		if (this.disconnects.length > MAX_REASONS) this.disconnects.shift();
	}

	/** Restarts the device for a reason that the next start knows; such a restart is no failure. */
	restart(reason: string): void {
		this.plan(reason);
		this.#options.system.restart();
	}

	/** Why a peer may not restart the device now; undefined where it may. A server that always asks would keep it from ever working. */
	get askedProblem(): string | undefined {
		if (this.askedCount < MAX_ASKED) return undefined;
		return `The device has been restarted ${MAX_ASKED} times on request; it has to run for ${ASKED_WINDOW_MS / 60_000} minutes before the next time`;
	}

	/** As `plan`, at the request of a peer. */
	planAsked(reason: string): void {
		this.#store.keep("asked", Math.min(this.askedCount + 1, MAX_ASKED));
		this.plan(reason);
	}

	/** The restart that comes is wanted, for this reason. */
	plan(reason: string): void {
		this.#options.log(`boot: restart: ${reason}`);
		this.keepPlan(reason);
		this.#options.trial.allowRestart();
	}

	/** A new firmware is in its place: restarts with it. */
	upgraded(): void {
		this.#options.trial.announce();
		this.planAsked("self.upgrade_firmware");
		this.#options.system.restart();
	}

	/** Stops watching. May be called twice. */
	close(): void {
		this.#closed = true;
		this.#stable.clear();
		this.#powered.clear();
		this.#asked.clear();
		this.#options.trial.close();
	}

	/** Pulling the plug ends the row, and so does a run that lasted although everything was on. */
	private countBrownouts(brownout: boolean): string | undefined {
		const before = this.#store.integer("brownouts", 0, WEAK_SUPPLY_BROWNOUTS, 0);
		const brownouts = brownout ? Math.min(before + 1, WEAK_SUPPLY_BROWNOUTS) : 0;
		if (brownouts !== before) this.#store.keep("brownouts", brownouts);
		if (brownouts === WEAK_SUPPLY_BROWNOUTS)
			return `${WEAK_SUPPLY_BROWNOUTS} brown-outs in a row; charge it or use a stronger supply, then switch it off and on`;
		if (brownouts > 0) this.#powered.set(STABLE_AFTER_MS, () => this.#store.keep("brownouts", 0));
	}

	private get askedCount(): number {
		return this.#store.integer("asked", 0, MAX_ASKED, 0);
	}

	/** This run did not end early. */
	private hasLasted(): void {
		if (this.#lasted || this.#closed) return;
		this.#lasted = true;
		this.#stable.clear();
		this.#store.keep("crashes", 0);
	}

	private keepPlan(reason: string): void {
		this.#store.keep("planned", clip(reason));
		this.#store.keep("crashes", 0);
	}
}

function lines(text: string | undefined): string[] {
	return text ? text.split("\n") : [];
}

/** A reason as it is kept: one short line, without what would take four bytes a character in a reply. */
function clip(text: string): string {
	return oneLine(text, MAX_REASON_LENGTH).replaceAll('"', "'").replaceAll("\\", "/");
}
