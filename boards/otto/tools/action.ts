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
	title: { zh: "Otto：动作" },
	description: {
		en:
			"Makes the robot Otto do something. Returns at once, while it moves; several calls are performed one after the other, up to ten. " +
			"Otto goes back to its rest position after each action, except after sit, hands_up and hands_down.",
		zh: "让机器人 Otto 做动作。立即返回，动作随后进行；多次调用会依次执行，最多十个。每个动作之后 Otto 会回到初始姿势，sit、hands_up 和 hands_down 除外。",
	},
	properties: {
		action: string({
			description: {
				en:
					"walk: direction 1 forward, -1 backward; turn, moonwalk, crusaito, bend, shake_leg: direction 1 left, -1 right; flapping: direction 1 or -1; " +
					"jump, swing, updown (up and down), whirlwind_leg, tiptoe_swing, jitter, ascending_turn, sit; " +
					"hands_up, hands_down, hand_wave: direction 1 left hand, -1 right hand, 0 both; greeting, shy: direction 1 left hand, -1 right hand; " +
					"windmill, takeoff, fitness: with both hands; radio_calisthenics, magic_circle, showcase: fixed programs; home: ends everything and stands upright",
				zh: "walk：走路，direction 1 向前，-1 向后；turn（转身）、moonwalk（太空步）、crusaito（混合步）、bend（弯腰）、shake_leg（抖腿）：direction 1 左，-1 右；flapping（拍打）：direction 1 或 -1；jump（跳）、swing（摇摆）、updown（上下）、whirlwind_leg（旋风腿）、tiptoe_swing（踮脚摇摆）、jitter（抖动）、ascending_turn（上升转）、sit（坐下）；hands_up（举手）、hands_down（放手）、hand_wave（挥手）：direction 1 左手，-1 右手，0 双手；greeting（打招呼）、shy（害羞）：direction 1 左手，-1 右手；windmill（大风车）、takeoff（起飞）、fitness（健身）：双手；radio_calisthenics（广播体操）、magic_circle（爱的魔力转圈圈）、showcase（展示）：固定节目；home：结束一切并站好",
			},
			enum: [...Object.keys(MOTIONS), SHOWCASE, HOME],
		}),
		steps: integer({ description: { en: "How many steps or repetitions", zh: "多少步或重复多少次" }, minimum: 1, maximum: 100, default: 3 }),
		speed: integer({
			description: {
				en: "How long one step takes, in milliseconds: the smaller, the faster; 500 to 1500 is usual",
				zh: "一步用多长时间，单位为毫秒：越小越快；通常为 500 到 1500",
			},
			minimum: 100,
			maximum: 3000,
			default: 700,
		}),
		direction: integer({
			description: { en: "Which way or which side; see action", zh: "哪个方向或哪一侧；见 action" },
			minimum: -1,
			maximum: 1,
			default: 1,
		}),
		amount: integer({
			description: {
				en: "How large the movement is, in degrees; each action limits it to what is safe",
				zh: "动作幅度，单位为度；每个动作都限制在安全范围内",
			},
			minimum: 0,
			maximum: 170,
			default: 30,
		}),
		arm_swing: integer({
			description: {
				en: "How far the arms swing in walk and turn, in degrees; 0 is not at all",
				zh: "walk 和 turn 时手臂摆动的幅度，单位为度；0 为不摆动",
			},
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
