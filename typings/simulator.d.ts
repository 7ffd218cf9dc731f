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
}

declare module "simulator/restart" {
	/** Ends this machine and starts a new one; it may return before that happens. */
	export function restart(): void;
}

declare module "simulator/turns" {
	/** Registers who is called again and again, at the latest shortly after each event. */
	export function onTurn(callback: () => void): void;
}

/** The chosen board's own board.ts, when "board/board" is the one with somebody who looks at it. */
declare module "board/unwatched" {
	export { createBoard } from "board/board";
}
