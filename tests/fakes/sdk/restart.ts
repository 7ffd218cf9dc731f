import { made } from "../moddable.js";

export function restart(): void {
	made.restarts++;
}
