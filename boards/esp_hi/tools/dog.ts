// The actions of the dog: a new command replaces the previous one.

import { integer, string } from "mcp/schema";
import { ACTS, defineTool } from "mcp/tool";
import type { WithBody } from "tools/robot";
import { ADVANCED, BASIC, type DogAction } from "../motions.js";

const STOP = "stop";

/** `self.dog.basic_control` */
export const basicControl = defineTool({
	name: "self.dog.basic_control",
	description:
		"Makes the robot dog walk or turn, or stops it. Returns at once, while it moves; a new command replaces the previous one. stop ends every movement of the dog immediately.",
	properties: {
		action: string({
			description: "forward: walk forward; backward: walk backward; turn_left, turn_right: turn on the spot; stop: stop at once",
			enum: ["forward", "backward", "turn_left", "turn_right", "stop"],
		}),
		steps: integer({ description: "How many steps to take", minimum: 1, maximum: 100, default: 4 }),
	},
	annotations: ACTS,
	needs: ["body"],
	call({ action, steps }, board: WithBody) {
		if (action === STOP) board.body.stop();
		else replace(board, BASIC[action] as DogAction, steps);
		return true;
	},
});

/** `self.dog.advanced_control` */
export const advancedControl = defineTool({
	name: "self.dog.advanced_control",
	description: "Makes the robot dog do a trick. Returns at once, while it moves; a new command replaces the previous one.",
	properties: {
		action: string({
			description:
				"sway_back_forth: rock forward and back; lay_down: lie down; sway: sway from side to side; retract_legs: draw the legs in; " +
				"shake_hand: give a paw; shake_back_legs: stretch; jump_forward: jump forward",
			enum: ["sway_back_forth", "lay_down", "sway", "retract_legs", "shake_hand", "shake_back_legs", "jump_forward"],
		}),
	},
	annotations: ACTS,
	needs: ["body"],
	call({ action }, board: WithBody) {
		const chosen = ADVANCED[action] as DogAction;
		replace(board, chosen, chosen.steps);
		return true;
	},
});

/** `self.dog.forward` */
export const forward = defineTool({
	name: "self.dog.forward",
	description: "Makes the robot dog walk some steps forward. Returns at once, while it walks.",
	annotations: ACTS,
	needs: ["body"],
	call(_args: object, board: WithBody) {
		const chosen = BASIC.forward as DogAction;
		replace(board, chosen, chosen.steps);
		return true;
	},
});

function replace({ body }: WithBody, { motion, direction = 1, period }: DogAction, steps: number): void {
	body.stop();
	body.perform({ motion, direction, period, steps });
}
