// Timers and reminders as tools, for every board whose build has the feature "timers".

import type { Device, DeviceTimers } from "../hardware/device.js";
import { ToolError } from "../mcp/content.js";
import { array, boolean, integer, object, string } from "../mcp/schema.js";
import { ACTS, defineTool, READS, SETS, type Tool } from "../mcp/tool.js";

const MAX_TEXT = 200;
/** A year. */
const MAX_SECONDS = 31_536_000;

const TIMER = {
	id: integer({ description: "By this it can be cancelled" }),
	in_seconds: integer({ description: "In so many seconds it is due" }),
	at: string({ optional: true, description: "The local time at which it is due, if the device knows the time" }),
	repeat: boolean(),
	say: string({ optional: true }),
	tool: string({ optional: true }),
	arguments: string({ optional: true }),
};

/** `self.timer.set` */
const setTimer = defineTool({
	name: "self.timer.set",
	description:
		"Sets a timer or a reminder on the device. When it is due, the device says a sentence to the assistant, or calls one of its own tools by itself, even without a network. " +
		"Give seconds or at, and say or tool.",
	properties: {
		seconds: integer({ optional: true, minimum: 1, maximum: MAX_SECONDS, description: "How many seconds from now" }),
		at: string({ optional: true, maxLength: 19, description: 'A local time: "22:00", or with its day "2027-01-31T22:00"' }),
		say: string({ optional: true, maxLength: MAX_TEXT, description: "What the assistant is to hear then, such as: Remind the user of the oven" }),
		tool: string({ optional: true, maxLength: 64, description: "The name of the tool to call then, such as self.light.turn_off" }),
		arguments: string({ optional: true, maxLength: MAX_TEXT, description: 'The arguments of that tool as JSON, such as {"volume": 30}' }),
		repeat: boolean({
			default: false,
			description: "Again and again: every day at that time, or each time that the seconds have passed (60 at least)",
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
	description: "Lists the timers and reminders that are set on the device.",
	annotations: READS,
	output: { timers: array({ items: object({ properties: TIMER }) }) },
	call: (_args: object, device: Device) => ({ timers: timersOf(device).list() }),
});

/** `self.timer.cancel` */
const cancelTimer = defineTool({
	name: "self.timer.cancel",
	description: "Cancels a timer or a reminder of the device.",
	properties: { id: integer({ minimum: 1, maximum: 16, description: "As self.timer.list gives it" }) },
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
