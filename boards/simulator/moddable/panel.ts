// Sends the state of simulated hardware to the panel in Moddable's simulator, which draws it.

/** The simulator's global that talks to the panel. */
interface PanelScreen {
	postMessage?(message: string): void;
}

/**
 * Shows what a part looks like now.
 * @param part such as "light"; each new state replaces the part's last one
 */
export function show(part: string, state: object): void {
	const { screen } = globalThis as { screen?: PanelScreen };
	screen?.postMessage?.(JSON.stringify({ part, state }));
}
