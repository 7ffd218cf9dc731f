// What the start-up adds to a board: the parts of a device's life that the system tools work on.

import type { Board } from "../hardware/board.js";
import type { SettingName } from "../settings/setting-names.js";
import type { Life } from "./life.js";

/** A board in a running firmware. In a test, or before the start, the added members are absent. */
export interface LivingBoard extends Board {
	readonly life?: Life | undefined;
	readonly settings?: OwnerSettings | undefined;
	/** Opens the page on which the owner chooses Wi-Fi and server; gives the address where it is found. */
	readonly openSetup?: (() => string) | undefined;
	/**
	 * Takes a new firmware from a web address. Settles when its beginning has been checked and the rest is on its way;
	 * rejects with a ToolError before that.
	 */
	readonly upgrade?: ((url: string) => Promise<UpgradeStart>) | undefined;
}

/** The settings that the owner may change. */
export interface OwnerSettings {
	/** As they may be shown: no secret is in it. */
	list(): { [name in SettingName]: string };
	/** @throws RangeError in words that do not repeat the value */
	set(name: SettingName, value: string): void;
	/** Factory reset. */
	reset(): void;
}

/** A firmware on its way. */
export interface UpgradeStart {
	/** In bytes. */
	readonly size: number;
	/** The version that the image says it has, where it says one. */
	readonly version?: string | undefined;
}
