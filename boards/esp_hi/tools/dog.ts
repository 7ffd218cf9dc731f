// The actions of the dog: a new command replaces the previous one.

import { integer, string } from "mcp/schema";
import { ACTS, defineTool } from "mcp/tool";
import type { WithBody } from "tools/robot";
import { ADVANCED, BASIC, type DogAction } from "../motions.js";

const STOP = "stop";

/** `self.dog.basic_control` */
export const basicControl = defineTool({
	name: "self.dog.basic_control",
	title: { zh: "机器狗：基本动作" },
	description: {
		en: "Makes the robot dog walk or turn, or stops it. Returns at once, while it moves; a new command replaces the previous one. stop ends every movement of the dog immediately.",
		zh: "让机器狗走动、转身或停下。立即返回，动作随后进行；新的命令会取代之前的。stop 会立即结束机器狗的所有动作。",
	},
	properties: {
		action: string({
			description: {
				en: "forward: walk forward; backward: walk backward; turn_left, turn_right: turn on the spot; stop: stop at once",
				zh: "forward：前进；backward：后退；turn_left、turn_right：原地左转、右转；stop：立即停止",
			},
			enum: ["forward", "backward", "turn_left", "turn_right", "stop"],
		}),
		steps: integer({ description: { en: "How many steps to take", zh: "走多少步" }, minimum: 1, maximum: 100, default: 4 }),
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
	title: { zh: "机器狗：特技" },
	description: {
		en: "Makes the robot dog do a trick. Returns at once, while it moves; a new command replaces the previous one.",
		zh: "让机器狗做一个特技。立即返回，动作随后进行；新的命令会取代之前的。",
	},
	properties: {
		action: string({
			description: {
				en:
					"sway_back_forth: rock forward and back; lay_down: lie down; sway: sway from side to side; retract_legs: draw the legs in; " +
					"shake_hand: give a paw; shake_back_legs: stretch; jump_forward: jump forward",
				zh: "sway_back_forth：前后摇摆；lay_down：趴下；sway：左右摇摆；retract_legs：收腿；shake_hand：握手；shake_back_legs：伸懒腰；jump_forward：向前跳",
			},
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
	title: { zh: "机器狗：前进" },
	description: {
		en: "Makes the robot dog walk some steps forward. Returns at once, while it walks.",
		zh: "让机器狗向前走几步。立即返回，动作随后进行。",
	},
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
