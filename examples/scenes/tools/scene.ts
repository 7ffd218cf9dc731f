// Tools that add and remove other tools.

import { array, integer, string } from "mcp/schema";
import { defineTool, READS, SETS } from "mcp/tool";
import type { ScenesBoard } from "../board.js";

const name = string({ description: "The scene's name", enum: ["sunrise", "day", "sunset", "night", "party", "reading"] });
const part = (color: string) => integer({ description: `The ${color} part: 0 is none, 255 is the most`, minimum: 0, maximum: 255 });

/** `self.scene.save` */
export const saveScene = defineTool({
	name: "self.scene.save",
	description: "Keeps a color as a scene, The scene gets a tool of its own, such as self.scene.show_sunset.",
	properties: { name, red: part("red"), green: part("green"), blue: part("blue") },
	annotations: SETS,
	needs: ["scenes"],
	call({ name, red, green, blue }, board: ScenesBoard) {
		board.scenes.save(name, [red, green, blue]);
		return true;
	},
});

/** `self.scene.delete` */
export const deleteScene = defineTool({
	name: "self.scene.delete",
	description: "Forgets a scene, and its tool.",
	properties: { name },
	// Nothing is lost for good: the scene can be saved again.
	annotations: SETS,
	needs: ["scenes"],
	call({ name }, board: ScenesBoard) {
		board.scenes.delete(name);
		return true;
	},
});

/** `self.scene.list` */
export const listScenes = defineTool({
	name: "self.scene.list",
	description: "Returns the names of the scenes.",
	annotations: READS,
	output: { names: array({ description: "The names", items: string({ description: "A name" }) }) },
	needs: ["scenes"],
	call(_args: object, board: ScenesBoard) {
		return { names: board.scenes.names };
	},
});
