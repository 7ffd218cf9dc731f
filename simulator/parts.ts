// What the parts of a simulated board are, for everyone who draws them: a description that is told once, then states.

/** What can be drawn; a part of any other kind is told in words. */
export type PartKind = "light" | "servo" | "speaker" | "sound" | "screen" | "display" | "lamp" | "battery" | "button" | "touch" | "camera";

/** What a part is. It is told before the part's first state, and again after a restart. */
export interface PartDescription {
	/** A `PartKind`, or what the part's name begins with. */
	readonly kind: string;
	/** Its name in English, and in Chinese, where the board has given it one. */
	readonly label?: string;
	readonly zh?: string;
	/** Where it is wired to: its pin, or its id on a bus. */
	readonly pin?: number;
	readonly id?: number;
	/** Is it of interest only to those who look at the electronics? */
	readonly detail?: boolean;
	/** Of a light: how many pixels are in a row; all of them where it is not given. */
	readonly columns?: number;
	/** Of a servo: the smallest and the largest angle in degrees. */
	readonly range?: readonly [minimum: number, maximum: number];
	/** Of a servo whose angles are not those that the board speaks of: the board's are `(angle - zero) * scale`. Done when they are shown. */
	readonly zero?: number;
	readonly scale?: number;
	/** Of a button: the level of its pin while nobody presses it; that of the pull resistor where it is not given, or 1. */
	readonly rest?: 0 | 1;
	/** Of a screen, a display, a touch panel: in pixels. */
	readonly width?: number;
	readonly height?: number;
}

/** On `lights`, unlit pixels are black; `brightness` is in percent and not in the pixels. */
export interface LightState {
	readonly on: boolean;
	readonly brightness: number;
	readonly pixels: readonly (readonly [red: number, green: number, blue: number])[];
}

/** In degrees: where the servo was sent, and where it is. */
export interface ServoState {
	readonly angle: number;
	readonly position: number;
	readonly moving: boolean;
}

/** What is heard: in hertz, 0 is silence; `gain` from 0 to 1, without the volume that an amplifier adds. */
export interface SoundState {
	readonly frequency: number;
	readonly gain: number;
}

/** One thing that was drawn on a display. */
export type DisplayItem =
	| readonly ["rectangle", color: string, x: number, y: number, width: number, height: number]
	| readonly ["text", color: string, x: number, y: number, size: number, text: string];

/** Parts that only those who look at the electronics care for. */
const DETAILS: readonly string[] = Object.freeze(["device", "gpio", "pwm", "codec", "amplifier", "serial", "firmware"]);

/** The description of a part: what its name says, then the facts, then what the board calls it. */
export function descriptionOf(part: string, facts: object, named: object | undefined): PartDescription {
	const kind = part.replace(/\d+$/, "");
	return { kind, ...(DETAILS.includes(kind) ? { detail: true } : {}), ...facts, ...(named && (copyOf(named) as object)) };
}

/** JSON.stringify throws on what lies in flash, as the names do in Moddable's simulator. */
function copyOf(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(copyOf);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]));
}
