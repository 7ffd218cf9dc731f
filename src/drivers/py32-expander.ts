// The port expander of M5Stack's StackChan base: a PY32 microcontroller with M5Stack's firmware at I2C address 0x6F, which
// switches pins and drives WS2812 pixels. Its registers as M5Stack's own open source driver (repository m5stack/StackChan,
// "PY32IOExpander_Class") uses them; there is no data sheet of that firmware.

import Timer from "timer";
import { PixelLight } from "./pixel-light.js";
import { openRegisters, type Registers } from "./registers.js";

const ADDRESS = 0x6f;
const VERSION = 0x02;
/** Of each pair of registers the first has pins 0 to 7, the next pins 8 to 13. */
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
/** The pin that the pixels hang on; the chip's firmware knows no other. */
const LED_PIN = 13;
/** It starts slowly after power-on. */
const START_LIMIT_MS = 1200;
const RETRY_MS = 200;

export interface Py32ExpanderOptions {
	/** The GPIO of the I2C data line. */
	data: number;
	/** The GPIO of the I2C clock line. */
	clock: number;
}

/** The expander, with its pins as outputs. */
export class Py32Expander {
	readonly #registers: Registers;
	readonly #high = new Set<number>();
	#closed = false;

	/**
	 * Waits for the chip up to 1.2 s.
	 * @throws Error when it does not answer by then, or the bus cannot be had
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
		// The level first, so that the pin does not begin with another one.
		this.#setBit(OUTPUT, pin, high);
		this.#setBit(PULL_DOWN, pin, false);
		this.#setBit(PULL_UP, pin, true);
		this.#setBit(OPEN_DRAIN, pin, false);
		this.#setBit(DIRECTION, pin, true);
		if (high) this.#high.add(pin);
		else this.#high.delete(pin);
	}

	/**
	 * Shows the colors of all pixels.
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

	/** Takes outputs that are high low. */
	close(): void {
		if (this.#closed) return;
		try {
			for (const pin of this.#high) this.#setBit(OUTPUT, pin, false);
		} catch {
			// What no longer answers cannot be switched off either.
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

function openPatiently({ data, clock }: Py32ExpanderOptions): Registers {
	for (let waited = 0; ; waited += RETRY_MS) {
		try {
			return openRegisters({ data, clock, address: ADDRESS }, (registers) => {
				const version = registers.readUint8(VERSION);
				if (version === 0 || version === 0xff) throw new Error(`the version ${version} is none`);
			});
		} catch (error) {
			if (waited >= START_LIMIT_MS) throw error;
			Timer.delay(RETRY_MS);
		}
	}
}

export interface Py32LightOptions {
	expander: Py32Expander;
	/** How many pixels there are, at most 32. */
	length: number;
	/** 0 to 100; 100 where it is not given. */
	brightness?: number;
}

/** WS2812 pixels on the expander, in 65,536 colors. It does not close the expander. */
export class Py32Light extends PixelLight {
	readonly #expander: Py32Expander;

	/** @throws RangeError for too many pixels; Error when the chip does not answer */
	constructor({ expander, length, brightness = 100 }: Py32LightOptions) {
		if (length > MAX_PIXELS) throw new RangeError(`the expander has room for ${MAX_PIXELS} pixels, not ${length}`);
		super(length, brightness);
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
