// "simulator/panel" in Moddable's simulator: sends the state of simulated hardware to the panel, which draws it and sends back what is
// done to it.

import names from "simulator/names";
import { descriptionOf, type PartDescription } from "simulator/parts";

type InputHandler = (input: { readonly [member: string]: unknown }) => void;

/** The simulator's global that talks to the panel. */
interface PanelScreen {
	postMessage?(message: string): void;
	onMessage?: (message: string) => void;
}

// Made when it is needed, because a module that lives in flash cannot change what it made there.
let shown: Map<string, object> | undefined;
let described: Set<string> | undefined;
let handlers: Map<string, InputHandler> | undefined;

function send(message: object): void {
	const { screen } = globalThis as { screen?: PanelScreen };
	screen?.postMessage?.(JSON.stringify(message));
}

/**
 * Says what a part is, and gives it back.
 * @param place where it is, such as "pin 5", by which the board's names find it
 */
export function describe(part: string, facts: object = {}, place = part): PartDescription {
	described ??= new Set();
	described.add(part);
	const description = descriptionOf(part, facts, Object.hasOwn(names, place) ? names[place] : undefined);
	send({ part, description });
	return description;
}

/**
 * Shows what a part looks like now.
 * @param part such as "light"; each new state replaces the part's last one
 */
export function show(part: string, state: object): void {
	if (!described?.has(part)) describe(part);
	shown ??= new Map();
	shown.set(part, state);
	send({ part, state });
}

/** Has a part been shown? */
export function isShown(part: string): boolean {
	return shown?.has(part) ?? false;
}

/** The last state that a part has shown. */
export function stateOf(part: string): object | undefined {
	return shown?.get(part);
}

/** Registers who takes what a person does to a part. */
export function onInput(part: string, handler: InputHandler): void {
	handlers ??= new Map();
	handlers.set(part, handler);
	const { screen } = globalThis as { screen?: PanelScreen };
	if (screen) screen.onMessage = (message) => receive(message);
}

function receive(message: string): void {
	const { part, input } = JSON.parse(message) as { part?: unknown; input?: unknown };
	if (typeof part === "string" && typeof input === "object" && input !== null) handlers?.get(part)?.(input as { readonly [member: string]: unknown });
}
