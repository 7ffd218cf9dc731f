// The tools of a StackChan: its head and the LEDs of its base, with the names and ranges of M5Stack's own firmware.

import type { RgbLight } from "hardware/rgb-light";
import type { FeedbackServo } from "hardware/servo";
import { ToolError } from "mcp/content";
import { boolean, integer } from "mcp/schema";
import { defineTool, READS, SETS } from "mcp/tool";
import type { Head } from "../head.js";
import { PITCH_LIMIT, YAW_LIMIT } from "../head-limits.js";

interface WithHead {
	readonly head: Head;
}

interface WithLight {
	readonly light: RgbLight;
}

/** What a speed of 1 means; the range is that of M5Stack's firmware, where it is the stiffness of a spring. */
const DEGREES_PER_SECOND = 0.4;
/** What M5Stack calls safe: brighter, all LEDs together would take too much current. */
const MAX_COLOR = 168;

/** `self.robot.set_head_angles` */
export const setHeadAngles = defineTool({
	name: "self.robot.set_head_angles",
	title: { zh: "头部：转动" },
	description: {
		en:
			"Turns the robot's head. Returns at once, while it moves; a later call replaces an unfinished movement. 0 and 0 is straight ahead. " +
			"Stay within 45 degrees for a natural look; go beyond 70 only when asked to look far to the side or up. An angle that is omitted stays as it is.",
		zh: "转动机器人的头。立即返回，动作随后进行；后来的调用会取代未完成的动作。0 和 0 为正前方。想要自然，请保持在 45 度以内；只有被要求看很远的侧面或上方时才超过 70 度。省略的角度保持不变。",
	},
	properties: {
		yaw: integer({
			description: {
				en: "To the side, in degrees: -128 is to its left, 128 to its right",
				zh: "水平方向，单位为度：-128 为它的左边，128 为它的右边",
			},
			minimum: -YAW_LIMIT,
			maximum: YAW_LIMIT,
			optional: true,
		}),
		pitch: integer({
			description: { en: "Up, in degrees: 0 is straight, 90 is up", zh: "向上，单位为度：0 为平视，90 为正上方" },
			minimum: 0,
			maximum: PITCH_LIMIT,
			optional: true,
		}),
		speed: integer({
			description: { en: "How fast: 100 is slow, 150 natural, 1000 the fastest", zh: "多快：100 为慢，150 为自然，1000 为最快" },
			minimum: 100,
			maximum: 1000,
			default: 150,
		}),
	},
	annotations: SETS,
	needs: ["head"],
	call({ yaw, pitch, speed }, { head }: WithHead) {
		if (yaw === undefined && pitch === undefined) throw new ToolError("Give yaw, pitch or both");
		if (yaw !== undefined) head.yaw.setAngle(yaw, speed * DEGREES_PER_SECOND);
		if (pitch !== undefined) head.pitch.setAngle(pitch, speed * DEGREES_PER_SECOND);
		return true;
	},
});

/** `self.robot.get_head_angles` */
export const getHeadAngles = defineTool({
	name: "self.robot.get_head_angles",
	title: { zh: "头部：朝向" },
	description: {
		en: "Returns where the robot's head points now, in degrees, and whether it is moving. Yaw 0 and pitch 0 is straight ahead.",
		zh: "返回机器人的头现在朝向哪里，单位为度，以及是否在动。yaw 为 0、pitch 为 0 即正前方。",
	},
	annotations: READS,
	output: {
		yaw: integer({
			description: { en: "To the side: below 0 is to its left, above 0 to its right", zh: "水平方向：小于 0 为它的左边，大于 0 为它的右边" },
		}),
		pitch: integer({ description: { en: "Up: 0 is straight, 90 is up", zh: "向上：0 为平视，90 为正上方" } }),
		moving: boolean({ description: { en: "Is the head moving?", zh: "头是否在动" } }),
	},
	needs: ["head"],
	call(_args: object, { head: { yaw, pitch } }: WithHead) {
		return { yaw: measure(yaw), pitch: measure(pitch), moving: yaw.moving || pitch.moving };
	},
});

/** `self.robot.stop` */
export const stopHead = defineTool({
	name: "self.robot.stop",
	title: { zh: "头部：停止" },
	description: { en: "Stops the robot's head at once; it stays where it is.", zh: "立即停止机器人头部的动作，停在原处。" },
	annotations: SETS,
	needs: ["head"],
	call(_args: object, { head }: WithHead) {
		head.yaw.stop();
		head.pitch.stop();
		return true;
	},
});

const part = (name: string, nameZh: string) =>
	integer({
		description: { en: `The ${name} part: 0 is none, ${MAX_COLOR} is the most`, zh: `${nameZh}色分量：0 为无，${MAX_COLOR} 为最大` },
		minimum: 0,
		maximum: MAX_COLOR,
		default: 0,
	});

/** `self.robot.set_led_color` */
export const setLedColor = defineTool({
	name: "self.robot.set_led_color",
	title: { zh: "机器人灯：设置颜色" },
	description: {
		en: "Sets the color of the robot's own LEDs, not of lights in the room. Red is 168,0,0, green 0,168,0, blue 0,0,168, white 100,100,100; 0,0,0 turns them off.",
		zh: "设置机器人自己的 LED 的颜色，不是房间里的灯。红色为 168,0,0，绿色为 0,168,0，蓝色为 0,0,168，白色为 100,100,100；0,0,0 为关闭。",
	},
	properties: { red: part("red", "红"), green: part("green", "绿"), blue: part("blue", "蓝") },
	annotations: SETS,
	needs: ["light"],
	call({ red, green, blue }, { light }: WithLight) {
		light.setAll(red, green, blue);
		return true;
	},
});

function measure(servo: FeedbackServo): number {
	try {
		return Math.round(servo.readAngle());
	} catch (error) {
		throw new ToolError(`The head does not report its position: ${(error as Error).message}`);
	}
}
