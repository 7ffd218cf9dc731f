// Which part of the simulated hardware has which pin: two parts on one pin are a mistake in the board, and reported as one.

// Made when it is needed, because a module that lives in flash cannot change what it made there.
let owners: Map<number, string> | undefined;

/**
 * Takes a pin.
 * @param owner in words, for the error of whoever comes second
 * @throws Error when the pin is taken; RangeError when it is no pin
 */
export function takePin(pin: number, owner: string): void {
	if (!Number.isInteger(pin) || pin < 0 || pin > 63) throw new RangeError(`${owner}: ${pin} is no pin`);
	owners ??= new Map();
	const other = owners.get(pin);
	if (other) throw new Error(`${owner}: pin ${pin} is in use by ${other}`);
	owners.set(pin, owner);
}

/** Gives a pin back. One that is not taken is fine. */
export function freePin(pin: number): void {
	owners?.delete(pin);
}
