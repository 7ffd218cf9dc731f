// The trial of a new firmware: it is kept at the first valid hello of its main session, and otherwise gives way to the one before.

import { Timeout, type Timers } from "../base/timers.js";
import type { System } from "../hardware/system.js";
import type { ConnectionSettings } from "../settings/connection-settings.js";
import { connectionSettings, setting } from "../settings/settings.js";
import { BootStore } from "./boot-store.js";
import { isMainSession } from "./safe-mode.js";

/** A new firmware that could have had a valid hello for so long, and had none, gives way to the one before. */
export const TRIAL_MS = 600_000;
/** So does one that has crashed so often before a valid hello. */
export const TRIAL_CRASHES = 3;
/** How the reason of a start begins that followed a roll-back. */
export const ROLLED_BACK = "rolled back: ";

/**
 * Does this peer's first sign of life show that a new firmware works? The main session's does; any other's only on a device that
 * is to have no main session.
 */
export function confirmsFirmware(connection: ConnectionSettings): boolean {
	return isMainSession(connection) || !(setting("ota_url") || connectionSettings().some(isMainSession));
}

export interface FirmwareTrialOptions {
	system: System;
	timers: Timers;
	log(line: string): void;
}

/** What the trial needs to know of this start, and does to the next one. */
export interface TrialStart {
	/** Has the run before this one, of the same firmware, ended without being asked to? */
	crashed: boolean;
	/** Keeps the reason of the restart that comes. */
	plan(reason: string): void;
	/** That restart does not come. */
	unplan(): void;
}

/** Judges the firmware that runs, if it is new. */
export class FirmwareTrial {
	/** Has the new firmware given way to the one that runs now? */
	readonly rolledBack: boolean;
	readonly #options: FirmwareTrialOptions;
	readonly #store: BootStore;
	readonly #limit: Timeout;
	readonly #replaced: string | undefined;
	#start: TrialStart | undefined;
	#running = false;
	#closed = false;

	constructor(options: FirmwareTrialOptions) {
		this.#options = options;
		this.#store = new BootStore(options.log);
		this.#limit = new Timeout(options.timers);
		this.#replaced = this.#store.anyText("replaced");
		this.rolledBack = this.#replaced !== undefined && this.#replaced === options.system.firmware?.running;
	}

	/** Begins the trial of a firmware that is new; clears up after one that was rolled back. */
	begin(start: TrialStart): void {
		const { log, system } = this.#options;
		this.#start = start;
		if (this.rolledBack) return this.end();
		if (this.#replaced === undefined && !system.firmware?.onTrial) return;
		this.#running = true;
		const crashes = this.#store.integer("trialCrashes", 0, TRIAL_CRASHES, 0) + (start.crashed ? 1 : 0);
		if (crashes >= TRIAL_CRASHES) return this.rollBack(`it ended early ${crashes} times`);
		this.#store.keep("trialCrashes", crashes);
		log("boot: this firmware is new and on trial until a valid hello");
	}

	/** A peer has said a valid hello: the firmware is kept. */
	pass(): void {
		if (!this.#running || this.#closed) return;
		this.end();
		this.confirm();
		this.#options.log("boot: the new firmware is kept");
	}

	/**
	 * Can a valid hello come now? Not without a network, while the set-up page has the radio, or before the main session's server
	 * is known. A new firmware has a limited time for it, which begins anew when one can come again.
	 */
	expectHello(expected: boolean): void {
		if (!expected) this.#limit.clear();
		else if (this.#running && !this.#closed && !this.#limit.pending)
			this.#limit.set(TRIAL_MS, () => this.rollBack(`no valid hello in ${TRIAL_MS / 60_000} minutes`));
	}

	/** A restart that was asked for comes: the bootloader would take it for a failure, so from now on the trial is the device's own. */
	allowRestart(): void {
		if (this.#running) this.confirm();
	}

	/** A new firmware is in its place: the next start is its trial. */
	announce(): void {
		const running = this.#options.system.firmware?.running;
		if (running === undefined) return;
		this.#store.keep("replaced", running);
		this.#store.keep("trialCrashes", 0);
	}

	/** Stops watching. May be called twice. */
	close(): void {
		this.#closed = true;
		this.#limit.clear();
	}

	private end(): void {
		this.#running = false;
		this.#limit.clear();
		this.#store.forget("replaced");
		this.#store.forget("trialCrashes");
	}

	private confirm(): void {
		try {
			this.#options.system.firmware?.confirm();
		} catch (error) {
			this.#options.log(`boot: the new firmware could not be confirmed: ${(error as Error).message}`);
		}
	}

	/** Gives way to the firmware before; where that cannot be, this one is as good as any. */
	private rollBack(reason: string): void {
		const { log, system } = this.#options;
		log(`boot: the new firmware is rolled back: ${reason}`);
		this.#start?.plan(ROLLED_BACK + reason);
		try {
			system.firmware?.rollBack();
		} catch (error) {
			log(`boot: the firmware before cannot be started (${(error as Error).message}); this one stays`);
			this.#start?.unplan();
			this.end();
		}
	}
}
