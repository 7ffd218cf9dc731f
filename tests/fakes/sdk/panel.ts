import { made } from "../moddable.js";

export function show(part: string, state: object): void {
	made.panel.set(part, JSON.parse(JSON.stringify(state)));
}

export function isShown(part: string): boolean {
	return made.panel.has(part);
}
