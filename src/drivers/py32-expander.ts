// The port expander of M5Stack's StackChan base: a PY32 microcontroller with M5Stack's firmware at I2C address 0x6F, which
// switches pins and drives WS2812 pixels. Registers as in M5Stack's own open source driver (repository m5stack/StackChan,
// "PY32IOExpander_Class"); there is no data sheet for that firmware.

import type { DriverTimers } from "./interval.js";
import { PixelLight } from "./pixel-light.js";
import { type I2cBus, openRegisters, type Registers } from "./registers.js";

const ADDRESS = 0x6f;
const VERSION = 0x02;
/** The first of each pair of registers is for pins 0 to 7, the second for pins 8 to 13. */
const DIRECTION = 0x03;
const OUTPUT = 0x05;
const PULL_UP = 0x09;
const PULL_DOWN = 0x0b;
const OPEN_DRAIN = 0x13;
const LED_CONFIG = 0x24;
const LED_COLORS = 0x30;
const LED_REFRESH = 0x40;
const MAX_PIN = 13;
const MAX_PIXELS = 32;
/** The pin of the pixels; the chip's firmware supports no other. */
const LED_PIN = 13;
/** How long the chip may take to start after power-on. */
const START_LIMIT_MS = 1200;
const RETRY_MS = 200;

export interface Py32ExpanderOptions {
	bus: I2cBus;
	timers: DriverTimers;
}

/** The expander; its pins are used as outputs. */
export class Py32Expander {
	readonly #registers: Registers;
	readonly #high = new Set<number>();
	#closed = false;

	/**
	 * Waits up to 1.2 s for the chip.
	 * @throws Error when it does not answer by then, or the bus is not available
	 */
	constructor(options: Py32ExpanderOptions) {
		this.#registers = openPatiently(options);
	}

	/**
	 * Makes a pin an output.
	 * @param pin 0 to 13
	 * @throws RangeError for another pin; Error when the chip no longer answers
	 */
	setOutput(pin: number, high: boolean): void {
		if (!(Number.isInteger(pin) && pin >= 0 && pin <= MAX_PIN)) throw new RangeError(`the expander has the pins 0 to ${MAX_PIN}, not ${pin}`);
		if (this.#closed) return;
		// The level first, so that the pin does not start at another one.
		this.#setBit(OUTPUT, pin, high);
		this.#setBit(PULL_DOWN, pin, false);
		this.#setBit(PULL_UP, pin, true);
		this.#setBit(OPEN_DRAIN, pin, false);
		this.#setBit(DIRECTION, pin, true);
		if (high) this.#high.add(pin);
		else this.#high.delete(pin);
	}

	/**
	 * Shows these colors on the pixels.
	 * @param colors RGB565, at most 32
	 * @throws Error when the chip no longer answers
	 */
	showPixels(colors: readonly number[]): void {
		if (this.#closed) return;
		colors.forEach((color, index) => {
			this.#registers.writeUint16(LED_COLORS + 2 * index, color, false);
		});
		this.#registers.writeUint8(LED_CONFIG, colors.length | LED_REFRESH);
	}

	/** Sets all outputs that are high to low. */
	close(): void {
		if (this.#closed) return;
		try {
			for (const pin of this.#high) this.#setBit(OUTPUT, pin, false);
		} catch {
			// A chip that no longer answers cannot be switched off either.
		}
		this.#closed = true;
		this.#registers.close();
	}

	#setBit(register: number, pin: number, on: boolean): void {
		const at = register + (pin >> 3);
		const bit = 1 << (pin & 7);
		const others = this.#registers.readUint8(at) & ~bit;
		this.#registers.writeUint8(at, on ? others | bit : others);
	}
}

function openPatiently({ bus, timers }: Py32ExpanderOptions): Registers {
	for (let waited = 0; ; waited += RETRY_MS) {
		try {
			return openRegisters({ bus, address: ADDRESS }, (registers) => {
				const version = registers.readUint8(VERSION);
				if (version === 0 || version === 0xff) throw new Error(`${version} is not a version`);
			});
		} catch (error) {
			if (waited >= START_LIMIT_MS) throw error;
			timers.delay(RETRY_MS);
		}
	}
}

export interface Py32LightOptions {
	expander: Py32Expander;
	timers: DriverTimers;
	/** How many pixels there are, at most 32. */
	length: number;
	/** 0 to 100; 100 by default. */
	brightness?: number;
}

/** WS2812 pixels on the expander, in 65,536 colors. It does not close the expander. */
export class Py32Light extends PixelLight {
	readonly #expander: Py32Expander;

	/** @throws RangeError for too many pixels; Error when the chip does not answer */
	constructor({ expander, timers, length, brightness = 100 }: Py32LightOptions) {
		if (length > MAX_PIXELS) throw new RangeError(`the expander has room for ${MAX_PIXELS} pixels, not ${length}`);
		super({ timers, length, brightness });
		this.#expander = expander;
		expander.setOutput(LED_PIN, false);
		this.render();
	}

	protected override render(): void {
		const { colors, length, on, brightness } = this;
		const part = (at: number, steps: number) => Math.round(((colors[at] as number) * brightness * steps) / (255 * 100));
		const shown: number[] = [];
		for (let at = 0; at < length * 3; at += 3) shown.push(on ? (part(at, 31) << 11) | (part(at + 1, 63) << 5) | part(at + 2, 31) : 0);
		this.#expander.showPixels(shown);
	}
}
