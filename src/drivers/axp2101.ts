// The power chip AXP2101 (X-Powers, data sheet, "Register Description"): battery gauge, and the backlight that boards such as
// M5Stack's CoreS3 feed from its regulator DLDO1.

import type { Battery } from "../hardware/battery.js";
import type { Backlight } from "../hardware/screen.js";
import type { PreferenceStore } from "../settings/preference-store.js";
import { clampInteger } from "./clamp.js";
import type { Registers } from "./registers.js";

const STATUS = 0x01;
const REGULATORS_ON = 0x90;
const DLDO1_ON = 0x80;
const DLDO1_VOLTAGE = 0x99;
const CHARGE = 0xa4;
/** DLDO1's setting for 2.5 V, at which the LEDs of a backlight begin to glow, and for 3.3 V. */
const DARKEST = 20;
const BRIGHTEST = 28;
const DEFAULT_BRIGHTNESS = 75;

/** The battery as the chip's fuel gauge sees it. When a reading fails, the previous one counts. */
export class Axp2101Battery implements Battery {
	readonly #registers: Registers;
	#level = 0;
	#charging = false;

	/** @throws Error when the chip does not answer */
	constructor(registers: Registers) {
		this.#registers = registers;
		this.#read();
	}

	get level(): number {
		this.#try();
		return this.#level;
	}

	get charging(): boolean {
		this.#try();
		return this.#charging;
	}

	#try(): void {
		try {
			this.#read();
		} catch {
			// The device's state is read as a whole: one part that fails must not take the others with it.
		}
	}

	#read(): void {
		this.#level = clampInteger(this.#registers.readUint8(CHARGE), 0, 100);
		// Bits 6 and 5 are the direction of the battery's current: 01 is charging.
		this.#charging = ((this.#registers.readUint8(STATUS) >> 5) & 3) === 1;
	}
}

/** A backlight on DLDO1: its voltage is the brightness. */
export class Axp2101Backlight implements Backlight {
	readonly #registers: Registers;
	readonly #settings: PreferenceStore;
	#brightness: number;
	#closed = false;

	/** @throws Error when the chip does not answer */
	constructor(registers: Registers, settings: PreferenceStore) {
		this.#registers = registers;
		this.#settings = settings;
		this.#brightness = settings.integer("brightness", 0, 100, DEFAULT_BRIGHTNESS);
		this.#show(this.#brightness);
	}

	get brightness(): number {
		return this.#brightness;
	}

	/** @throws Error when the chip no longer answers */
	setBrightness(brightness: number): void {
		if (this.#closed) return;
		this.#brightness = clampInteger(brightness, 0, 100);
		this.#show(this.#brightness);
		this.#settings.set("brightness", this.#brightness);
	}

	/** Turns the light off. */
	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		try {
			this.#show(0);
		} catch {
			// A chip that no longer answers cannot be switched off either.
		}
	}

	#show(brightness: number): void {
		const registers = this.#registers;
		const others = registers.readUint8(REGULATORS_ON) & ~DLDO1_ON;
		if (brightness > 0) registers.writeUint8(DLDO1_VOLTAGE, Math.round(DARKEST + ((BRIGHTEST - DARKEST) * brightness) / 100));
		registers.writeUint8(REGULATORS_ON, brightness > 0 ? others | DLDO1_ON : others);
	}
}
