// The actions of the ElectronBot: commands are performed one after the other; a single servo moves at once.

import type { Motion } from "hardware/body";
import { integer, string } from "mcp/schema";
import { ACTS, defineTool, SETS } from "mcp/tool";
import { accepted, type WithBody } from "tools/robot";
import { JOINTS, SHORT_NAMES } from "../joints.js";
import { HAND, HEAD_MOVE, TURN } from "../motions.js";

/** The direction of a motion for each number of a hand: 1 left, 2 right, 3 both. */
const SIDES = Object.freeze([0, 1, -1, 0]);

const QUEUED = "Returns at once, while it moves; several calls are performed one after the other, up to ten.";

const steps = integer({ description: "How many times", minimum: 1, maximum: 10, default: 1 });
const speed = integer({
	description: "How long one movement takes, in milliseconds: the smaller, the faster",
	minimum: 500,
	maximum: 1500,
	default: 1000,
});

/** `self.electron.hand_action` */
export const handAction = defineTool({
	name: "self.electron.hand_action",
	description: `Raises, lowers, waves or flaps the robot's hands. Raised hands stay up. ${QUEUED}`,
	properties: {
		action: integer({ description: "1: raise, 2: lower, 3: wave, 4: flap", minimum: 1, maximum: 4, default: 1 }),
		hand: integer({ description: "1: left, 2: right, 3: both", minimum: 1, maximum: 3, default: 3 }),
		steps,
		speed,
		amount: integer({ description: "How far the hands flap, in degrees", minimum: 10, maximum: 50, default: 30 }),
	},
	annotations: ACTS,
	needs: ["body"],
	call({ action, hand, steps, speed, amount }, { body }: WithBody) {
		return accepted(body.perform({ motion: HAND[action] as Motion, direction: SIDES[hand] as number, steps, period: speed, amount }));
	},
});

/** `self.electron.body_turn` */
export const bodyTurn = defineTool({
	name: "self.electron.body_turn",
	description: `Turns the robot's body on its foot; it stays turned. With several steps it turns back in between. ${QUEUED}`,
	properties: {
		steps,
		speed,
		direction: integer({ description: "1: to the left, 2: to the right, 3: straight ahead", minimum: 1, maximum: 3, default: 1 }),
		angle: integer({ description: "How far from straight ahead, in degrees; the body turns 60 at most", minimum: 0, maximum: 90, default: 45 }),
	},
	annotations: ACTS,
	needs: ["body"],
	call({ steps, speed, direction, angle }, { body }: WithBody) {
		return accepted(body.perform({ motion: TURN[direction] as Motion, steps, period: speed, amount: angle }));
	},
});

/** `self.electron.head_move` */
export const headMove = defineTool({
	name: "self.electron.head_move",
	description: `Moves the robot's head up and down: to nod, to look up (curious) or down (thoughtful). ${QUEUED}`,
	properties: {
		action: integer({
			description: "1: look up, 2: look down, 3: nod once, 4: look straight ahead, 5: nod several times",
			minimum: 1,
			maximum: 5,
			default: 3,
		}),
		steps,
		speed,
		angle: integer({ description: "How far, in degrees", minimum: 1, maximum: 15, default: 5 }),
	},
	annotations: ACTS,
	needs: ["body"],
	call({ action, steps, speed, angle }, { body }: WithBody) {
		return accepted(body.perform({ motion: HEAD_MOVE[action] as Motion, steps, period: speed, amount: angle }));
	},
});

/** `self.electron.servo_move` */
export const servoMove = defineTool({
	name: "self.electron.servo_move",
	description:
		"Turns a single servo to an angle, which is kept within what the mechanics allow, and returns at once. Ends what the robot does otherwise; servos that were turned like this go on.",
	properties: {
		servo_type: string({
			description:
				"Which servo: right_pitch or rp (right arm, 180 down, 0 up), right_roll or rr (180 at the side, 100 spread), left_pitch or lp (left arm, 0 down, 180 up), " +
				"left_roll or lr (0 at the side, 80 spread), body or b (30 right, 150 left), head or h (75 down, 105 up)",
			enum: [...JOINTS, ...SHORT_NAMES],
		}),
		position: integer({ description: "The angle in degrees", minimum: 0, maximum: 180 }),
		speed: integer({
			description: "How long the movement takes, in milliseconds: the smaller, the faster",
			minimum: 100,
			maximum: 3000,
			default: 800,
		}),
	},
	annotations: SETS,
	needs: ["body"],
	call({ servo_type, position, speed }, { body }: WithBody) {
		const index = JOINTS.indexOf(servo_type);
		body.turn(index >= 0 ? index : SHORT_NAMES.indexOf(servo_type), position, speed);
		return true;
	},
});
