// The tool that reports the state of the device, in the shape of the reference firmware.

import type { Board } from "../hardware/board.js";
import { deviceStatus } from "../hardware/state.js";
import { boolean, number, object, string } from "../mcp/schema.js";
import { defineTool, READS } from "../mcp/tool.js";

/** `self.get_device_status`: volume, screen, battery, network and chip, each only if the board has it; and servos that must stay off. */
export const getDeviceStatus = defineTool({
	name: "self.get_device_status",
	description:
		"Returns the current state of the device: audio speaker (volume), screen (brightness, theme), battery, network, chip. " +
		"Use it to answer questions about the current state, such as how loud the speaker is, and before changing something that depends on it, such as turning the volume up or down.",
	annotations: READS,
	output: {
		audio_speaker: object({ properties: { volume: number() }, optional: true }),
		screen: object({ properties: { brightness: number(), theme: string({ optional: true }) }, optional: true }),
		battery: object({ properties: { level: number(), charging: boolean() }, optional: true }),
		servos: object({ description: "Why they stay off", properties: { off: string() }, optional: true }),
		network: object({ properties: { type: string(), ssid: string({ optional: true }), signal: string({ optional: true }) }, optional: true }),
		chip: object({ properties: { temperature: number({ description: "In degrees Celsius" }) }, optional: true }),
	},
	call: (_args: object, board: Board) => deviceStatus(board),
});
