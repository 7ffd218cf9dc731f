// "simulator/panel": shows the state of simulated hardware to whoever started the machine, and takes what is done to it.
import names from "simulator/names";
import { descriptionOf, type PartDescription } from "../parts.js";
import { callHost, hosted, onEvent } from "./bridge.js";

type InputHandler = (input: { readonly [member: string]: unknown }) => void;

const shown = new Map<string, object>();
const described = new Set<string>();
const handlers = new Map<string, InputHandler>();

/** Says what a part is, and gives it back; nobody hears it directly on Node. */
export function describe(part: string, facts: object = {}, place = part): PartDescription & { readonly [fact: string]: unknown } {
	described.add(part);
	const description = descriptionOf(part, facts, Object.hasOwn(names, place) ? names[place] : undefined);
	if (hosted) callHost(["describe", part, description]);
	return description as PartDescription & { readonly [fact: string]: unknown };
}

/** Shows a part's whole state, as data that JSON can carry; nobody sees it directly on Node. */
export function show(part: string, state: object): void {
	if (!described.has(part)) describe(part);
	shown.set(part, state);
	if (hosted) callHost(["show", part, state]);
}

/** Has a part been shown? */
export function isShown(part: string): boolean {
	return shown.has(part);
}

/** The last state that a part has shown. */
export function stateOf(part: string): object | undefined {
	return shown.get(part);
}

/** Registers who takes what a person does to a part. */
export function onInput(part: string, handler: InputHandler): void {
	handlers.set(part, handler);
}

onEvent("input", ([, part, input]) => handlers.get(part as string)?.(input as { readonly [member: string]: unknown }));
