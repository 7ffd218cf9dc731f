// Moddable's digital IO (ECMA-419).

import EmbeddedDigital from "embedded:io/digital";

export interface DigitalOptions {
	pin: number;
	mode: number;
	initialValue?: 0 | 1;
	/** Which edges are told, as a sum of `Rising` and `Falling`; with `onReadable` only. */
	edge?: number;
	onReadable?: () => void;
}

/** A pin that has been opened. */
export interface DigitalPin {
	read(): 0 | 1;
	write(value: 0 | 1): void;
	close(): void;
}

export interface DigitalConstructor {
	/** @throws Error when the pin is in use */
	new (options: DigitalOptions): DigitalPin;
	readonly Input: number;
	readonly InputPullUp: number;
	readonly InputPullDown: number;
	readonly Output: number;
	readonly Rising: number;
	readonly Falling: number;
}

const Digital = EmbeddedDigital as unknown as DigitalConstructor;
export default Digital;
