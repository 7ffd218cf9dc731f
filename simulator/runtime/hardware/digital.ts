// "embedded:io/digital": pins as in ECMA-419; outputs show their level, inputs rest at the level of their pull resistor,
// and an input that wants to hear of changes is a button.

import { describe, onInput, show } from "simulator/panel";
import { freePin, takePin } from "./pins.js";
import { Press } from "./press.js";

export interface DigitalOptions {
	pin: number;
	mode: number;
	initialValue?: number;
	edge?: number;
	onReadable?: () => void;
	target?: unknown;
}

/** Shows `{level}` as part `gpio<pin>`, or `{pressed}` as part `button<pin>`, which takes the same as input. */
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
		// Where the resistor is outside of the chip, it is taken for one to the supply.
		else if (onReadable) this.#becomeButton(mode === Digital.InputPullDown ? 0 : 1, edge as number, () => onReadable.call(this));
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

	#becomeButton(pulled: 0 | 1, edge: number, onReadable: () => void): void {
		const part = `button${this.#pin}`;
		const { rest = pulled } = describe(part, { kind: "button", pin: this.#pin }, `pin ${this.#pin}`) as { rest?: 0 | 1 };
		this.#level = rest;
		show(part, { pressed: false });
		const press = new Press<true>((pressed) => {
			const level = pressed ? ((1 - rest) as 0 | 1) : rest;
			if (this.#closed || level === this.#level) return;
			this.#level = level;
			show(part, { pressed: pressed === true });
			if (edge & (level ? Digital.Rising : Digital.Falling)) onReadable();
		});
		onInput(part, ({ pressed }) => press.set(pressed === true ? true : undefined));
	}

	#show(): void {
		show(`gpio${this.#pin}`, { level: this.#level });
	}
}
