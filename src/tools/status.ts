// The tool that reports the state of the device, in the shape of the reference firmware.

import type { Board } from "../hardware/board.js";
import type { Network } from "../hardware/network.js";
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
	call(_args: object, board: Board) {
		const { speaker, screen, battery, body, system } = board;
		const { network, temperature } = system;
		const status: { [part: string]: object } = {};
		if (speaker) status.audio_speaker = { volume: speaker.volume };
		if (screen) status.screen = "theme" in screen ? { brightness: screen.brightness, theme: screen.theme } : { brightness: screen.brightness };
		if (battery) status.battery = { level: battery.level, charging: battery.charging };
		if (body?.off !== undefined) status.servos = { off: body.off };
		if (network) status.network = networkStatus(network);
		if (temperature !== undefined) status.chip = { temperature };
		return status;
	},
});

function networkStatus(network: Network): object {
	const { type, ssid, rssi } = network;
	const status: { type: string; ssid?: string; signal?: string } = { type };
	if (ssid !== undefined) status.ssid = ssid;
	if (rssi !== undefined) status.signal = rssi >= -60 ? "strong" : rssi >= -70 ? "medium" : "weak";
	return status;
}
