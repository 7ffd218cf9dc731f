// Tools for a board whose servos make up a body: stop, home, status and trims.

import type { Body } from "../hardware/body.js";
import { ToolError } from "../mcp/content.js";
import { integer, string } from "../mcp/schema.js";
import { defineTool, type MayLack, READS, SETS, type Tool } from "../mcp/tool.js";

/** What a board with a body has. */
export interface WithBody {
	readonly body: Body;
}

export interface RobotToolOptions {
	/** The part of the tools' names between `self.` and the verb, such as "otto". */
	thing: string;
	/** The names of the body's joints. */
	joints: readonly string[];
	/** The largest trim to either side in degrees. */
	trimLimit: number;
}

type RobotTool = Tool<MayLack<WithBody>>;
/** In the order of `robotTools`. */
type RobotTools = readonly [home: RobotTool, stop: RobotTool, getStatus: RobotTool, setTrim: RobotTool, getTrims: RobotTool];

/** `home`, `stop`, `get_status`, `set_trim` and `get_trims` of one robot. Call it at module level. */
export function robotTools({ thing, joints, trimLimit }: RobotToolOptions): RobotTools {
	const home = defineTool({
		name: `self.${thing}.home`,
		title: { zh: "机器人：复位" },
		description: {
			en: "Ends every movement and brings the robot back to its rest position. Returns at once, while it moves.",
			zh: "结束所有动作，让机器人回到初始姿势。立即返回，动作随后进行。",
		},
		annotations: SETS,
		needs: ["body"],
		call: goHome,
	});
	const stopTool = defineTool({
		name: `self.${thing}.stop`,
		title: { zh: "机器人：停止" },
		description: {
			en: `Stops every movement at once, including those that are waiting, and stays in that position. To stand upright again afterwards, call self.${thing}.home.`,
			zh: `立即停止所有动作，包括正在等待的，并保持当前姿势。之后要重新站好，请调用 self.${thing}.home。`,
		},
		annotations: SETS,
		needs: ["body"],
		call: stop,
	});
	const getStatus = defineTool({
		name: `self.${thing}.get_status`,
		title: { zh: "机器人：状态" },
		description: { en: "Returns whether the robot is moving: moving or idle.", zh: "返回机器人是否在动：moving 表示在动，idle 表示空闲。" },
		annotations: READS,
		needs: ["body"],
		call: status,
	});
	const setTrim = defineTool({
		name: `self.${thing}.set_trim`,
		title: { zh: "机器人：校准舵机" },
		description: {
			en: "Calibrates one servo whose rest position is not straight: adds some degrees to all its angles, keeps that across restarts, and moves to the rest position.",
			zh: "校准一个初始位置不正的舵机：给它的所有角度加上若干度，重启后仍然保留，并回到初始姿势。",
		},
		properties: {
			servo_type: string({ description: { en: "Which servo", zh: "哪个舵机" }, enum: joints }),
			trim_value: integer({
				description: { en: "What to add, in degrees; 0 means no correction", zh: "加多少度；0 为不校正" },
				minimum: -trimLimit,
				maximum: trimLimit,
			}),
		},
		annotations: SETS,
		needs: ["body"],
		call: trim,
	});
	const getTrims = defineTool({
		name: `self.${thing}.get_trims`,
		title: { zh: "机器人：舵机校正值" },
		description: { en: "Returns the correction of every servo in degrees.", zh: "返回每个舵机的校正值，单位为度。" },
		annotations: READS,
		output: Object.fromEntries(joints.map((joint) => [joint, integer()])),
		needs: ["body"],
		call: trims,
	});
	return Object.freeze([home, stopTool, getStatus, setTrim, getTrims] as const);
}

/**
 * Turns the result of `Body.perform` into a tool's.
 * @throws ToolError when too many movements are waiting
 */
export function accepted(performed: boolean): true {
	if (!performed) throw new ToolError("Too many movements are waiting already: try again later, or stop the robot first");
	return true;
}

function goHome(_args: object, board: WithBody): boolean {
	board.body.goHome();
	return true;
}

function stop(_args: object, board: WithBody): boolean {
	board.body.stop();
	return true;
}

function status(_args: object, board: WithBody): string {
	const { moving, off } = board.body;
	return off === undefined ? (moving ? "moving" : "idle") : `off: ${off}`;
}

function trim(args: { servo_type: string; trim_value: number }, board: WithBody): boolean {
	board.body.setTrim(board.body.joints.indexOf(args.servo_type), args.trim_value);
	return true;
}

function trims(_args: object, { body }: WithBody): { [joint: string]: number } {
	const all: { [joint: string]: number } = {};
	body.joints.forEach((name, index) => {
		all[name] = body.trim(index);
	});
	return all;
}
