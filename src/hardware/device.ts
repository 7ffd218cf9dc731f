// A board together with what the running firmware offers to its owner's tools.

import type { Board } from "./board.js";

/** A board in a running firmware. In a test, or before the start, the services are absent. */
export interface Device extends Board {
	readonly services?: DeviceServices | undefined;
}

/** What the running firmware does for its owner. */
export interface DeviceServices {
	readonly settings: OwnerSettings;
	/** Identity, versions, memory, network link and history, in the shape that the reference firmware reports. */
	information(): { [name: string]: unknown };
	/** Has a vision server look at a JPEG picture; resolves with its answer. Absent in a build without vision. */
	see?(photo: Uint8Array, question: string, vision: { readonly url: string; readonly token: string }): Promise<string>;
	/** Absent in a build without timers. */
	timers?: DeviceTimers | undefined;
	/** Restarts the device after a second, so that an answer leaves it first. The reason is kept at once. @throws ToolError where it may not restart now */
	restart(reason: string): void;
	/**
	 * Opens the page on which the owner chooses Wi-Fi and server.
	 * @returns the page's address
	 */
	openSetup(): string;
	/**
	 * Downloads a new firmware from a web address. Settles when its beginning has been checked and the rest is on its way;
	 * rejects with an Error in plain words before that.
	 * @param url undefined for the firmware that the configuration server offers
	 * @param force takes a version that is older than the running one
	 */
	upgrade(url: string | undefined, force: boolean): Promise<UpgradeStart>;
}

/** A timer to be set: `seconds` or `at`, `say` or `tool`. */
export interface NewTimer {
	/** From now. */
	readonly seconds?: number | undefined;
	/** A local time, "HH:MM[:SS]" or "YYYY-MM-DDTHH:MM[:SS]". */
	readonly at?: string | undefined;
	/** What the assistant is to hear. */
	readonly say?: string | undefined;
	/** The name of the tool to call. */
	readonly tool?: string | undefined;
	/** Its arguments as JSON text. */
	readonly args?: string | undefined;
	readonly repeat: boolean;
}

/** A timer that is set. */
export interface ListedTimer {
	readonly id: number;
	readonly in_seconds: number;
	/** The local time, absent while the device does not know the time. */
	at?: string;
	readonly repeat: boolean;
	say?: string;
	tool?: string;
	arguments?: string;
}

/** Timers that outlive a restart. Each method throws an Error in plain words for what cannot be done. */
export interface DeviceTimers {
	set(timer: NewTimer): ListedTimer;
	list(): ListedTimer[];
	cancel(id: number): void;
}

/** The settings that the owner may change. */
export interface OwnerSettings {
	/** As they may be shown: no secret is in it. */
	list(): { [name: string]: string };
	/**
	 * @returns the names of the secrets that were forgotten because they were entered for another address
	 * @throws RangeError in plain words that do not repeat the value
	 */
	set(name: string, value: string): readonly string[];
	/** Factory reset. @throws ToolError where the device may not restart now */
	reset(): void;
}

/** A firmware on its way. */
export interface UpgradeStart {
	/** In bytes. */
	readonly size: number;
	/** The version that the image says it has, where it says one. */
	readonly version?: string | undefined;
}
