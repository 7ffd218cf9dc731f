import { facts, made } from "../moddable.js";

export function show(part: string, state: object): void {
	made.panel.set(part, JSON.parse(JSON.stringify(state)));
}

/** Describes nothing, and nobody does anything to a part. @throws Error for the part that does not answer */
export function describe(part: string): { readonly [fact: string]: unknown } {
	if (part === facts.deadPart) throw new Error(`the ${part} does not answer`);
	return {};
}

export function onInput(): void {}

export function stateOf(part: string): object | undefined {
	return made.panel.get(part) as object | undefined;
}

export function isShown(part: string): boolean {
	return made.panel.has(part);
}
