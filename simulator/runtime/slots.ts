// "simulator/slots": the flash of a simulated ESP32 with two places for a firmware, and its bootloader, which starts the firmware
// before again when a new one restarts without having been confirmed. The firmware itself is always the same one.

import Preference from "preference";
import { restart } from "simulator/restart";

const DOMAIN = "sim-slots";
/** What the bootloader thinks of the firmware that was installed last. */
type State = "valid" | "new" | "pending";

/** How large a place for a firmware is. */
export const SLOT_BYTES = 0x200000;
const slot = (index: number) =>
	Object.freeze({ label: `ota_${index}`, type: 0, subtype: 0x10 + index, address: 0x10000 + index * SLOT_BYTES, size: SLOT_BYTES });
const SLOTS = Object.freeze([slot(0), slot(1)]);
/** The parts of the simulated flash, as ESP-IDF's partition table has them. */
export const PARTITIONS = Object.freeze([
	Object.freeze({ label: "nvs", type: 1, subtype: 2, address: 0x9000, size: 0x6000 }),
	Object.freeze({ label: "phy_init", type: 1, subtype: 1, address: 0xf000, size: 0x1000 }),
	...SLOTS,
	Object.freeze({ label: "otadata", type: 1, subtype: 0, address: 0x10000 + 2 * SLOT_BYTES, size: 0x2000 }),
]);
export const FLASH_BYTES = 0x800000;
/** What the simulated chip says of itself: ESP-IDF's number for a simulator, and Wi-Fi. */
export const CHIP_INFO = Object.freeze({ model: 999, cores: 2, revision: 0, features: 2 });
/** What the firmware's image says of itself. */
export const IMAGE = Object.freeze({ date: "Jan  1 2026", time: "00:00:00", idfVersion: "v6.0", elfSha256: "0".repeat(64) });

let running: number | undefined;

/** The label of the place that the firmware runs from. */
export function runningSlot(): string {
	return (SLOTS[boot()] as (typeof SLOTS)[0]).label;
}

/** Does the bootloader start the other place next time? */
export function isPending(): boolean {
	boot();
	return state() === "pending";
}

/** The other place has a new firmware: it is started next time. */
export function install(): void {
	keep(boot(), "new");
}

/** The firmware that runs is kept. */
export function confirm(): void {
	keep(boot(), "valid");
}

/** Restarts from the other place. @throws Error where nothing was ever installed */
export function rollBack(): void {
	if (Preference.get(DOMAIN, "running") === undefined) throw new Error("there is no firmware before this one");
	keep(1 - boot(), "valid");
	restart();
}

/** Does once in each life what the bootloader does before the firmware starts. @returns the place that it starts from */
function boot(): number {
	if (running !== undefined) return running;
	const kept = Preference.get(DOMAIN, "running") === 1 ? 1 : 0;
	running = state() === "valid" ? kept : 1 - kept;
	if (state() === "new") keep(running, "pending");
	else if (state() === "pending") keep(running, "valid");
	return running;
}

function state(): State {
	const kept = Preference.get(DOMAIN, "state");
	return kept === "new" || kept === "pending" ? kept : "valid";
}

function keep(slot: number, state: State): void {
	Preference.set(DOMAIN, "running", slot);
	Preference.set(DOMAIN, "state", state);
}
