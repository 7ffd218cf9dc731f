// The actions of Otto: commands are performed one after the other.

import type { MotionRequest } from "hardware/body";
import { integer, string } from "mcp/schema";
import { ACTS, defineTool } from "mcp/tool";
import { accepted, type WithBody } from "tools/robot";
import { MOTIONS } from "../motions.js";

const HOME = "home";
const SHOWCASE = "showcase";

/** The program of the action `showcase`. */
const showcase: readonly { readonly action: string; readonly steps: number; readonly direction?: number; readonly amount?: number }[] = Object.freeze(
	[
		{ action: "walk", steps: 3 },
		{ action: "hand_wave", steps: 3 },
		{ action: "moonwalk", steps: 3, amount: 25 },
		{ action: "swing", steps: 3, amount: 30 },
		{ action: "takeoff", steps: 5, amount: 40 },
		{ action: "walk", steps: 3, direction: -1 },
	],
	true,
);

/** `self.otto.action` */
export const action = defineTool({
	name: "self.otto.action",
	description:
		"Makes the robot Otto do something. Returns at once, while it moves; several calls are performed one after the other, up to ten. " +
		"Otto goes back to its rest position after each action, except after sit, hands_up and hands_down.",
	properties: {
		action: string({
			description:
				"walk: direction 1 forward, -1 backward; turn, moonwalk, crusaito, bend, shake_leg: direction 1 left, -1 right; flapping: direction 1 or -1; " +
				"jump, swing, updown (up and down), whirlwind_leg, tiptoe_swing, jitter, ascending_turn, sit; " +
				"hands_up, hands_down, hand_wave: direction 1 left hand, -1 right hand, 0 both; greeting, shy: direction 1 left hand, -1 right hand; " +
				"windmill, takeoff, fitness: with both hands; radio_calisthenics, magic_circle, showcase: fixed programs; home: ends everything and stands upright",
			enum: [...Object.keys(MOTIONS), SHOWCASE, HOME],
		}),
		steps: integer({ description: "How many steps or repetitions", minimum: 1, maximum: 100, default: 3 }),
		speed: integer({
			description: "How long one step takes, in milliseconds: the smaller, the faster; 500 to 1500 is usual",
			minimum: 100,
			maximum: 3000,
			default: 700,
		}),
		direction: integer({ description: "Which way or which side; see action", minimum: -1, maximum: 1, default: 1 }),
		amount: integer({
			description: "How large the movement is, in degrees; each action limits it to what is safe",
			minimum: 0,
			maximum: 170,
			default: 30,
		}),
		arm_swing: integer({
			description: "How far the arms swing in walk and turn, in degrees; 0 is not at all",
			minimum: 0,
			maximum: 170,
			default: 50,
		}),
	},
	annotations: ACTS,
	needs: ["body"],
	call(args, { body }: WithBody) {
		if (args.action === HOME) {
			body.goHome();
			return true;
		}
		if (args.action === SHOWCASE) return accepted(body.perform(...showcase.map(showcaseRequest)));
		const { steps, speed, direction, amount, arm_swing } = args;
		return accepted(body.perform(request(args.action, { steps, period: speed, direction, amount, swing: arm_swing })));
	},
});

function request(name: string, how: Omit<MotionRequest, "motion">): MotionRequest {
	return { ...how, motion: MOTIONS[name] ?? {} };
}

function showcaseRequest({ action, ...how }: (typeof showcase)[number]): MotionRequest {
	return request(action, { ...how, period: 900, swing: 50 });
}
