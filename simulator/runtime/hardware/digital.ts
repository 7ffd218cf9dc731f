// "embedded:io/digital": pins as in ECMA-419; outputs show their level, inputs rest at the level of their pull resistor.

import { show } from "simulator/panel";
import { freePin, takePin } from "./pins.js";

export interface DigitalOptions {
	pin: number;
	mode: number;
	initialValue?: number;
	edge?: number;
	onReadable?: () => void;
	target?: unknown;
}

/** Shows `{level}` as part `gpio<pin>`. */
export default class Digital {
	static readonly Input = 0;
	static readonly InputPullUp = 1;
	static readonly InputPullDown = 2;
	static readonly InputPullUpDown = 3;
	static readonly Output = 8;
	static readonly OutputOpenDrain = 9;
	static readonly Rising = 1;
	static readonly Falling = 2;

	target: unknown;
	readonly #pin: number;
	readonly #output: boolean;
	#level: 0 | 1;
	#closed = false;

	/** @throws RangeError or Error when mode, edge or pin cannot be had */
	constructor(options: DigitalOptions) {
		const { pin, mode, onReadable, edge } = options;
		if (![0, 1, 2, 3, 8, 9].includes(mode)) throw new RangeError("digital: invalid mode");
		if (onReadable && !(edge && edge > 0 && edge < 4)) throw new RangeError("digital: onReadable needs an edge");
		takePin(pin, "digital");
		this.#pin = pin;
		this.#output = mode >= Digital.Output;
		this.#level = this.#output ? (options.initialValue ? 1 : 0) : mode === Digital.InputPullUp ? 1 : 0;
		this.target = options.target;
		if (this.#output) this.#show();
	}

	read(): 0 | 1 {
		this.#check();
		return this.#level;
	}

	/** @throws Error for an input */
	write(value: number): void {
		this.#check();
		if (!this.#output) throw new Error("digital: an input cannot be written");
		this.#level = value ? 1 : 0;
		this.#show();
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		freePin(this.#pin);
	}

	#check(): void {
		if (this.#closed) throw new Error("digital: closed");
	}

	#show(): void {
		show(`gpio${this.#pin}`, { level: this.#level });
	}
}
