// Tools of a board with a lamp.

import type { Lamp } from "../hardware/lamp.js";
import { boolean } from "../mcp/schema.js";
import { defineTool, type MayLack, READS, SETS, type Tool } from "../mcp/tool.js";

interface WithLamp {
	readonly lamp: Lamp;
}

/** `self.lamp.get_state` */
export const getState = defineTool({
	name: "self.lamp.get_state",
	title: { zh: "灯：状态" },
	description: { en: "Returns whether the lamp is on.", zh: "返回灯是否亮着。" },
	annotations: READS,
	output: { power: boolean({ description: { en: "Is the lamp on?", zh: "灯是否亮着" } }) },
	needs: ["lamp"],
	call(_args: object, board: WithLamp) {
		return { power: board.lamp.on };
	},
});

/** `self.lamp.turn_on` */
export const turnOn = defineTool({
	name: "self.lamp.turn_on",
	title: { zh: "灯：打开" },
	description: { en: "Turns the lamp on.", zh: "打开灯。" },
	annotations: SETS,
	needs: ["lamp"],
	call(_args: object, board: WithLamp) {
		board.lamp.setPower(true);
		return true;
	},
});

/** `self.lamp.turn_off` */
export const turnOff = defineTool({
	name: "self.lamp.turn_off",
	title: { zh: "灯：关闭" },
	description: { en: "Turns the lamp off.", zh: "关闭灯。" },
	annotations: SETS,
	needs: ["lamp"],
	call(_args: object, board: WithLamp) {
		board.lamp.setPower(false);
		return true;
	},
});

/** The tools of every lamp. */
export const lampTools: readonly Tool<MayLack<WithLamp>>[] = Object.freeze([getState, turnOn, turnOff]);
