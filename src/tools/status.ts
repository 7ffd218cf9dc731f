// The tool that reports the state of the device, in the shape of the reference firmware.

import type { Board } from "../hardware/board.js";
import { deviceStatus } from "../hardware/state.js";
import { boolean, number, object, string } from "../mcp/schema.js";
import { defineTool, READS } from "../mcp/tool.js";

/** `self.get_device_status`: volume, screen, battery, network and chip, each only if the board has it; and servos that must stay off. */
export const getDeviceStatus = defineTool({
	name: "self.get_device_status",
	title: { zh: "设备状态" },
	description: {
		en:
			"Returns the current state of the device: audio speaker (volume), screen (brightness, theme), battery, network, chip. " +
			"Use it to answer questions about the current state, such as how loud the speaker is, and before changing something that depends on it, such as turning the volume up or down.",
		zh: "返回设备的当前状态：扬声器（音量）、屏幕（亮度、主题）、电池、网络、芯片。用于回答关于当前状态的问题，例如音量有多大；以及在改变依赖它的东西之前，例如调高或调低音量。",
	},
	annotations: READS,
	output: {
		audio_speaker: object({ properties: { volume: number() }, optional: true }),
		screen: object({ properties: { brightness: number(), theme: string({ optional: true }) }, optional: true }),
		battery: object({ properties: { level: number(), charging: boolean() }, optional: true }),
		servos: object({ description: { en: "Why they stay off", zh: "舵机为何保持关闭" }, properties: { off: string() }, optional: true }),
		network: object({ properties: { type: string(), ssid: string({ optional: true }), signal: string({ optional: true }) }, optional: true }),
		chip: object({ properties: { temperature: number({ description: { en: "In degrees Celsius", zh: "单位为摄氏度" } }) }, optional: true }),
	},
	call: (_args: object, board: Board) => deviceStatus(board),
});
