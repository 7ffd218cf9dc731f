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
	description:
		"Turns the robot's head. Returns at once, while it moves; a later call replaces an unfinished movement. 0 and 0 is straight ahead. " +
		"Stay within 45 degrees for a natural look; go beyond 70 only when asked to look far to the side or up. An angle that is omitted stays as it is.",
	properties: {
		yaw: integer({
			description: "To the side, in degrees: -128 is to its left, 128 to its right",
			minimum: -YAW_LIMIT,
			maximum: YAW_LIMIT,
			optional: true,
		}),
		pitch: integer({ description: "Up, in degrees: 0 is straight, 90 is up", minimum: 0, maximum: PITCH_LIMIT, optional: true }),
		speed: integer({ description: "How fast: 100 is slow, 150 natural, 1000 the fastest", minimum: 100, maximum: 1000, default: 150 }),
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
	description: "Returns where the robot's head points now, in degrees, and whether it is moving. Yaw 0 and pitch 0 is straight ahead.",
	annotations: READS,
	output: {
		yaw: integer({ description: "To the side: below 0 is to its left, above 0 to its right" }),
		pitch: integer({ description: "Up: 0 is straight, 90 is up" }),
		moving: boolean({ description: "Is the head moving?" }),
	},
	needs: ["head"],
	call(_args: object, { head: { yaw, pitch } }: WithHead) {
		return { yaw: measure(yaw), pitch: measure(pitch), moving: yaw.moving || pitch.moving };
	},
});

/** `self.robot.stop` */
export const stopHead = defineTool({
	name: "self.robot.stop",
	description: "Stops the robot's head at once; it stays where it is.",
	annotations: SETS,
	needs: ["head"],
	call(_args: object, { head }: WithHead) {
		head.yaw.stop();
		head.pitch.stop();
		return true;
	},
});

const part = (name: string) =>
	integer({ description: `The ${name} part: 0 is none, ${MAX_COLOR} is the most`, minimum: 0, maximum: MAX_COLOR, default: 0 });

/** `self.robot.set_led_color` */
export const setLedColor = defineTool({
	name: "self.robot.set_led_color",
	description:
		"Sets the color of the robot's own LEDs, not of lights in the room. Red is 168,0,0, green 0,168,0, blue 0,0,168, white 100,100,100; 0,0,0 turns them off.",
	properties: { red: part("red"), green: part("green"), blue: part("blue") },
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
