// What simulated hardware asks of its surroundings: simulator/moddable and simulator/runtime provide it.

declare module "simulator/panel" {
	/**
	 * Shows what a part looks like now.
	 * @param part such as "light"; each new state replaces the part's last one
	 * @param state plain data
	 */
	export function show(part: string, state: object): void;
	/** Has a part been shown? */
	export function isShown(part: string): boolean;
	/** The last state that a part has shown. */
	export function stateOf(part: string): object | undefined;
	/**
	 * Says what a part is, before its first state; a part that nobody describes is what its name says.
	 * @param facts see `PartDescription` in simulator/parts.ts; the names that the board gives its parts are added
	 * @param place where it is, such as "pin 5", which is how the board's names find it; the part's name where it is not given
	 * @returns the description
	 */
	export function describe(part: string, facts?: object, place?: string): { readonly [fact: string]: unknown };
	/** Registers who takes what a person does to a part, such as `{pressed: true}`. */
	export function onInput(part: string, handler: (input: { readonly [member: string]: unknown }) => void): void;
}

/** The names that the chosen board gives its parts (panel.json in its folder), by place. */
declare module "simulator/names" {
	const names: { readonly [place: string]: object };
	export default names;
}

/** simulator/parts.ts, by the name that it has on Moddable. */
declare module "simulator/parts" {
	export interface PartDescription {
		readonly kind: string;
		readonly [fact: string]: unknown;
	}
	/** The description of a part: what its name says, then the facts, then what the board calls it. */
	export function descriptionOf(part: string, facts: object, named: object | undefined): PartDescription;
}

declare module "simulator/restart" {
	/** Ends this machine and starts a new one; it may return before that happens. */
	export function restart(): void;
}

declare module "simulator/slots" {
	/** How large a place for a firmware is. */
	export const SLOT_BYTES: number;
	/** The parts of the simulated flash, as ESP-IDF's partition table has them. */
	export const PARTITIONS: readonly {
		readonly label: string;
		readonly type: number;
		readonly subtype: number;
		readonly address: number;
		readonly size: number;
	}[];
	export const FLASH_BYTES: number;
	/** What the simulated chip says of itself. */
	export const CHIP_INFO: { readonly model: number; readonly cores: number; readonly revision: number; readonly features: number };
	/** What the firmware's image says of itself. */
	export const IMAGE: { readonly date: string; readonly time: string; readonly idfVersion: string; readonly elfSha256: string };
	/** The label of the place that the firmware runs from: "ota_0" or "ota_1". */
	export function runningSlot(): string;
	/** Does the bootloader start the other place next time? */
	export function isPending(): boolean;
	/** The other place has a new firmware: it is started next time. */
	export function install(): void;
	/** The firmware that runs is kept. */
	export function confirm(): void;
	/** Restarts from the other place. @throws Error where nothing was ever installed */
	export function rollBack(): void;
}

declare module "simulator/turns" {
	/** Registers who is called again and again, at the latest shortly after each event. */
	export function onTurn(callback: () => void): void;
}

/** The chosen board's own board.ts, when "board/board" is the one with somebody who looks at it. */
declare module "board/unwatched" {
	export { createBoard } from "board/board";
}

/** simulator/runtime/jpeg.ts, by the name that it has on Moddable. */
declare module "simulator/jpeg" {
	export type Rgb = readonly [red: number, green: number, blue: number];
	export function encodeBlocks(columns: number, rows: number, color: (x: number, y: number) => Rgb): Uint8Array;
}
