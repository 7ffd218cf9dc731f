// What the simulated board asks of its surroundings: boards/simulator/moddable and simulator/runtime provide it.

declare module "simulator/panel" {
	/**
	 * Shows what a part looks like now.
	 * @param part such as "light"; each new state replaces the part's last one
	 * @param state plain data
	 */
	export function show(part: string, state: object): void;
}

declare module "simulator/restart" {
	/** Ends this machine and starts a new one; it may return before that happens. */
	export function restart(): void;
}
