// "simulator/panel" in Moddable's simulator: sends the state of simulated hardware to the panel, which draws it.

/** The simulator's global that talks to the panel. */
interface PanelScreen {
	postMessage?(message: string): void;
}

// Made when it is needed, because a module that lives in flash cannot change what it made there.
let shown: Set<string> | undefined;

/**
 * Shows what a part looks like now.
 * @param part such as "light"; each new state replaces the part's last one
 */
export function show(part: string, state: object): void {
	shown ??= new Set();
	shown.add(part);
	const { screen } = globalThis as { screen?: PanelScreen };
	screen?.postMessage?.(JSON.stringify({ part, state }));
}

/** Has a part been shown? */
export function isShown(part: string): boolean {
	return shown?.has(part) ?? false;
}
