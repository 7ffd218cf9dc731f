// Tools of a board with a lamp.

import type { Lamp } from "../hardware/lamp.js";
import { boolean } from "../mcp/schema.js";
import { defineTool, type MayLack, READS, SETS, type Tool } from "../mcp/tool.js";

interface WithLamp {
	readonly lamp: Lamp;
}

/** `self.lamp.get_state` */
export const getState = defineTool({
	name: "self.lamp.get_state",
	description: "Returns whether the lamp is on.",
	annotations: READS,
	output: { power: boolean({ description: "Is the lamp on?" }) },
	needs: ["lamp"],
	call(_args: object, board: WithLamp) {
		return { power: board.lamp.on };
	},
});

/** `self.lamp.turn_on` */
export const turnOn = defineTool({
	name: "self.lamp.turn_on",
	description: "Turns the lamp on.",
	annotations: SETS,
	needs: ["lamp"],
	call(_args: object, board: WithLamp) {
		board.lamp.setPower(true);
		return true;
	},
});

/** `self.lamp.turn_off` */
export const turnOff = defineTool({
	name: "self.lamp.turn_off",
	description: "Turns the lamp off.",
	annotations: SETS,
	needs: ["lamp"],
	call(_args: object, board: WithLamp) {
		board.lamp.setPower(false);
		return true;
	},
});

/** The tools of every lamp. */
export const lampTools: readonly Tool<MayLack<WithLamp>>[] = Object.freeze([getState, turnOn, turnOff]);
