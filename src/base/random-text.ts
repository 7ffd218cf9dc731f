// Random texts that a person can copy, for passwords and tokens.

/** None that is mistaken for another one when it is read from a screen or a label: 4.95 bits each. */
const CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789";

/** A text of so many random characters. An ESP32's `Math.random` is its hardware's. */
export function randomText(length: number): string {
	let text = "";
	for (let i = 0; i < length; i++) text += CHARACTERS[Math.floor(Math.random() * CHARACTERS.length)];
	return text;
}
