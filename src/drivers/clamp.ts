// Keeps numbers within what hardware accepts.

/** `value` within `minimum` and `maximum`; NaN becomes `minimum`. */
export function clamp(value: number, minimum: number, maximum: number): number {
	return value > maximum ? maximum : value >= minimum ? value : minimum;
}

/** `clamp`, and rounded to an integer. */
export function clampInteger(value: number, minimum: number, maximum: number): number {
	return Math.round(clamp(value, minimum, maximum));
}
