// Colors with names, each with a tool of its own while there is one; they are kept over a restart.

import type { RgbLight } from "hardware/rgb-light";
import { ToolError } from "mcp/content";
import type { RuntimeTools } from "mcp/server";
import { SETS, Tool } from "mcp/tool";
import type { PreferenceStore } from "settings/preference-store";

/** There are fewer names, and flash may say anything. Each takes RAM. */
const MAX_SCENES = 8;
const KEY = "scenes";

export type Color = readonly [red: number, green: number, blue: number];

export class Scenes {
	readonly #light: RgbLight;
	readonly #store: PreferenceStore;
	readonly #colors: [name: string, color: Color][];
	#tools: RuntimeTools<never> | undefined;

	constructor(light: RgbLight, store: PreferenceStore) {
		this.#light = light;
		this.#store = store;
		this.#colors = parse(store.anyText(KEY));
	}

	get names(): string[] {
		return this.#colors.map(([name]) => name);
	}

	/** Adds the tools of the scenes that were kept, and from then on those of new ones. */
	useTools(tools: RuntimeTools<never>): void {
		this.#tools = tools;
		for (const [name, color] of this.#colors) this.#addTool(name, color);
	}

	/** Keeps a color under a name; one of that name is replaced. */
	save(name: string, color: Color): void {
		if (this.names.includes(name)) this.delete(name);
		this.#colors.push([name, color]);
		this.#keep();
		this.#addTool(name, color);
	}

	/** @throws ToolError when there is no such scene */
	delete(name: string): void {
		const at = this.names.indexOf(name);
		if (at < 0) throw new ToolError(`There is no scene ${name}; there are: ${this.names.join(", ") || "none"}`);
		this.#colors.splice(at, 1);
		this.#keep();
		this.#tools?.removeTool(`self.scene.show_${name}`);
	}

	#addTool(name: string, [red, green, blue]: Color): void {
		this.#tools?.addTool(
			new Tool({
				name: `self.scene.show_${name}`,
				description: `Sets the light to the scene ${name}.`,
				annotations: SETS,
				call: () => {
					this.#light.setAll(red, green, blue);
					return true;
				},
			}),
		);
	}

	#keep(): void {
		this.#store.set(KEY, JSON.stringify(this.#colors));
	}
}

/** What flash gave back may be anything. */
function parse(text: string | undefined): [string, Color][] {
	try {
		const value: unknown = JSON.parse(text ?? "[]");
		if (!Array.isArray(value)) return [];
		return value.filter(([name, color]) => typeof name === "string" && color.length === 3).slice(0, MAX_SCENES);
	} catch {
		return [];
	}
}
