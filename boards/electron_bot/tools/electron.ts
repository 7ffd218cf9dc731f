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
const QUEUED_ZH = "立即返回，动作随后进行；多次调用会依次执行，最多十个。";

const steps = integer({ description: { en: "How many times", zh: "多少次" }, minimum: 1, maximum: 10, default: 1 });
const speed = integer({
	description: { en: "How long one movement takes, in milliseconds: the smaller, the faster", zh: "一个动作用多长时间，单位为毫秒：越小越快" },
	minimum: 500,
	maximum: 1500,
	default: 1000,
});

/** `self.electron.hand_action` */
export const handAction = defineTool({
	name: "self.electron.hand_action",
	title: { zh: "手部动作" },
	description: {
		en: `Raises, lowers, waves or flaps the robot's hands. Raised hands stay up. ${QUEUED}`,
		zh: `举手、放手、挥手或拍打手臂。举起的手会保持。${QUEUED_ZH}`,
	},
	properties: {
		action: integer({
			description: { en: "1: raise, 2: lower, 3: wave, 4: flap", zh: "1：举手，2：放手，3：挥手，4：拍打" },
			minimum: 1,
			maximum: 4,
			default: 1,
		}),
		hand: integer({ description: { en: "1: left, 2: right, 3: both", zh: "1：左手，2：右手，3：双手" }, minimum: 1, maximum: 3, default: 3 }),
		steps,
		speed,
		amount: integer({
			description: { en: "How far the hands flap, in degrees", zh: "手臂拍打的幅度，单位为度" },
			minimum: 10,
			maximum: 50,
			default: 30,
		}),
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
	title: { zh: "身体转动" },
	description: {
		en: `Turns the robot's body on its foot; it stays turned. With several steps it turns back in between. ${QUEUED}`,
		zh: `让机器人的身体转动，并保持在那里。多步时中间会转回来。${QUEUED_ZH}`,
	},
	properties: {
		steps,
		speed,
		direction: integer({
			description: { en: "1: to the left, 2: to the right, 3: straight ahead", zh: "1：向左，2：向右，3：正前方" },
			minimum: 1,
			maximum: 3,
			default: 1,
		}),
		angle: integer({
			description: { en: "How far from straight ahead, in degrees; the body turns 60 at most", zh: "偏离正前方多少度；身体最多转 60 度" },
			minimum: 0,
			maximum: 90,
			default: 45,
		}),
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
	title: { zh: "头部动作" },
	description: {
		en: `Moves the robot's head up and down: to nod, to look up (curious) or down (thoughtful). ${QUEUED}`,
		zh: `让机器人的头上下动：点头、抬头（好奇）或低头（思考）。${QUEUED_ZH}`,
	},
	properties: {
		action: integer({
			description: {
				en: "1: look up, 2: look down, 3: nod once, 4: look straight ahead, 5: nod several times",
				zh: "1：抬头，2：低头，3：点头一次，4：看正前方，5：连续点头",
			},
			minimum: 1,
			maximum: 5,
			default: 3,
		}),
		steps,
		speed,
		angle: integer({ description: { en: "How far, in degrees", zh: "幅度，单位为度" }, minimum: 1, maximum: 15, default: 5 }),
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
	title: { zh: "转动单个舵机" },
	description: {
		en: "Turns a single servo to an angle, which is kept within what the mechanics allow, and returns at once. Ends what the robot does otherwise; servos that were turned like this go on.",
		zh: "把单个舵机转到某个角度，保持在机械允许的范围内，立即返回。会结束机器人正在做的其他动作；用同样方式转动的舵机继续。",
	},
	properties: {
		servo_type: string({
			description: {
				en:
					"Which servo: right_pitch or rp (right arm, 180 down, 0 up), right_roll or rr (180 at the side, 100 spread), left_pitch or lp (left arm, 0 down, 180 up), " +
					"left_roll or lr (0 at the side, 80 spread), body or b (30 right, 150 left), head or h (75 down, 105 up)",
				zh: "哪个舵机：right_pitch 或 rp（右臂，180 为下，0 为上）、right_roll 或 rr（180 为贴身，100 为张开）、left_pitch 或 lp（左臂，0 为下，180 为上）、left_roll 或 lr（0 为贴身，80 为张开）、body 或 b（30 为右，150 为左）、head 或 h（75 为下，105 为上）",
			},
			enum: [...JOINTS, ...SHORT_NAMES],
		}),
		position: integer({ description: { en: "The angle in degrees", zh: "角度，单位为度" }, minimum: 0, maximum: 180 }),
		speed: integer({
			description: { en: "How long the movement takes, in milliseconds: the smaller, the faster", zh: "动作用多长时间，单位为毫秒：越小越快" },
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
