// Timers and reminders as tools, for every board whose build has the feature "timers".

import type { Device, DeviceTimers } from "../hardware/device.js";
import { ToolError } from "../mcp/content.js";
import { array, boolean, integer, object, string } from "../mcp/schema.js";
import { ACTS, defineTool, READS, SETS, type Tool } from "../mcp/tool.js";

const MAX_TEXT = 200;
/** A year. */
const MAX_SECONDS = 31_536_000;

const TIMER = {
	id: integer({ description: { en: "By this it can be cancelled", zh: "取消时使用的编号" } }),
	in_seconds: integer({ description: { en: "In so many seconds it is due", zh: "多少秒后到时" } }),
	at: string({
		optional: true,
		description: { en: "The local time at which it is due, if the device knows the time", zh: "到时的本地时间，前提是设备知道时间" },
	}),
	repeat: boolean(),
	say: string({ optional: true }),
	tool: string({ optional: true }),
	arguments: string({ optional: true }),
};

/** `self.timer.set` */
const setTimer = defineTool({
	name: "self.timer.set",
	title: { zh: "定时器：设置" },
	description: {
		en:
			"Sets a timer or a reminder on the device. When it is due, the device says a sentence to the assistant, or calls one of its own tools by itself, even without a network. " +
			"Give seconds or at, and say or tool.",
		zh: "在设备上设置定时器或提醒。到时后，设备对助手说一句话，或自己调用它的一个工具，没有网络也可以。请给出 seconds 或 at，以及 say 或 tool。",
	},
	properties: {
		seconds: integer({ optional: true, minimum: 1, maximum: MAX_SECONDS, description: { en: "How many seconds from now", zh: "从现在起多少秒" } }),
		at: string({
			optional: true,
			maxLength: 19,
			description: { en: 'A local time: "22:00", or with its day "2027-01-31T22:00"', zh: '本地时间："22:00"，或带日期 "2027-01-31T22:00"' },
		}),
		say: string({
			optional: true,
			maxLength: MAX_TEXT,
			description: {
				en: "What the assistant is to hear then, such as: Remind the user of the oven",
				zh: "到时让助手听到的话，例如：提醒用户看看烤箱",
			},
		}),
		tool: string({
			optional: true,
			maxLength: 64,
			description: { en: "The name of the tool to call then, such as self.light.turn_off", zh: "到时要调用的工具的名称，例如 self.light.turn_off" },
		}),
		arguments: string({
			optional: true,
			maxLength: MAX_TEXT,
			description: { en: 'The arguments of that tool as JSON, such as {"volume": 30}', zh: '该工具的参数，JSON 格式，例如 {"volume": 30}' },
		}),
		repeat: boolean({
			default: false,
			description: {
				en: "Again and again: every day at that time, or each time that the seconds have passed (60 at least)",
				zh: "反复：每天在那个时间，或每过那么多秒（至少 60 秒）",
			},
		}),
	},
	annotations: ACTS,
	output: TIMER,
	call({ arguments: args, ...timer }, device: Device) {
		return timersOf(device).set({ ...timer, args });
	},
});

/** `self.timer.list` */
const listTimers = defineTool({
	name: "self.timer.list",
	title: { zh: "定时器：列表" },
	description: { en: "Lists the timers and reminders that are set on the device.", zh: "列出设备上设置的定时器和提醒。" },
	annotations: READS,
	output: { timers: array({ items: object({ properties: TIMER }) }) },
	call: (_args: object, device: Device) => ({ timers: timersOf(device).list() }),
});

/** `self.timer.cancel` */
const cancelTimer = defineTool({
	name: "self.timer.cancel",
	title: { zh: "定时器：取消" },
	description: { en: "Cancels a timer or a reminder of the device.", zh: "取消设备的一个定时器或提醒。" },
	properties: { id: integer({ minimum: 1, maximum: 16, description: { en: "As self.timer.list gives it", zh: "self.timer.list 给出的编号" } }) },
	annotations: SETS,
	call({ id }, device: Device) {
		timersOf(device).cancel(id);
		return true;
	},
});

/** The tools of every board whose build has timers. */
export const timerTools: readonly Tool<Device>[] = Object.freeze([setTimer, listTimers, cancelTimer]);

function timersOf({ services }: Device): DeviceTimers {
	if (!services?.timers) throw new ToolError("This firmware was built without timers");
	return services.timers;
}
