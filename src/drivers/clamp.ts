// Keeps numbers within what hardware takes.

/** `value` within `minimum` and `maximum`; what is no number becomes `minimum`. */
export function clamp(value: number, minimum: number, maximum: number): number {
	return value > maximum ? maximum : value >= minimum ? value : minimum;
}

/** `clamp`, and rounded to a whole number. */
export function clampInteger(value: number, minimum: number, maximum: number): number {
	return Math.round(clamp(value, minimum, maximum));
}
