// The tool of a board with positional servos.

import type { Servo } from "../hardware/servo.js";
import { ToolError } from "../mcp/content.js";
import { localized, type Text } from "../mcp/localized.js";
import { integer, number } from "../mcp/schema.js";
import { defineTool, type MayLack, SETS, type Tool } from "../mcp/tool.js";

interface WithServos {
	readonly servos: readonly Servo[];
}

/** The highest speed that can be requested, in degrees per second: faster than any hobby servo turns. */
const MAX_SPEED = 1000;

export interface ServoToolOptions {
	/** What each servo moves, in the order of the board's `servos`, for the description: "left arm", … */
	labels: readonly Text[];
	/** The smallest angle of any of them in degrees; 0 by default. */
	minimum?: number;
	/** The largest angle of any of them in degrees; 180 by default. */
	maximum?: number;
}

/** `self.servo.set_angle`, for as many servos as there are labels. Call it at module level. */
export function servoTool(options: ServoToolOptions): Tool<MayLack<WithServos>> {
	const { labels, minimum = 0, maximum = 180 } = options;
	const which = (is: string) => labels.map((label, index) => `${index}${is}${localized(label)}`).join(", ");
	return defineTool({
		name: "self.servo.set_angle",
		title: { zh: "舵机：设置角度" },
		description: {
			en: "Turns a servo to an angle. Returns at once, while it moves; a later call replaces an unfinished movement.",
			zh: "把一个舵机转到某个角度。立即返回，动作随后进行；后来的调用会取代未完成的动作。",
		},
		properties: {
			servo: integer({
				description: { en: `Which servo: ${which(" is the ")}`, zh: `哪个舵机：${which(" 是")}` },
				minimum: 0,
				maximum: labels.length - 1,
			}),
			angle: number({ description: { en: "The angle to turn to, in degrees", zh: "要转到的角度，单位为度" }, minimum, maximum }),
			speed: number({
				description: { en: "How fast, in degrees per second; 0 is as fast as possible", zh: "多快，单位为度每秒；0 为尽可能快" },
				minimum: 0,
				maximum: MAX_SPEED,
				default: 0,
			}),
		},
		annotations: SETS,
		needs: ["servos"],
		call: setAngle,
	});
}

function setAngle(args: { servo: number; angle: number; speed: number }, board: WithServos): boolean {
	const servo = board.servos[args.servo];
	if (!servo) throw new ToolError(`There is no servo ${args.servo}`);
	if (args.angle < servo.minimum || args.angle > servo.maximum)
		throw new ToolError(`The angle of servo ${args.servo} must be from ${servo.minimum} to ${servo.maximum} degrees`);
	servo.setAngle(args.angle, args.speed);
	return true;
}
