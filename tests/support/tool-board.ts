// A board of a few tools for scripted devices, with a state that its calls change.

import type { Answer } from "./scripted-device.js";

export const INITIALIZE_RESULT = { protocolVersion: "2024-11-05", capabilities: { tools: {} }, serverInfo: { name: "scripted", version: "1.2.3" } };

export const tool = (name: string, properties: Record<string, unknown> = {}, required = Object.keys(properties)) => ({
	name,
	description: `The tool ${name}`,
	inputSchema: { type: "object", properties, required },
});

export const text = (value: unknown) => ({
	content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
	isError: false,
});

/** Tools on two pages and one for people only, with the answers of a device that has them. */
export function createToolBoard(): { answers: Record<string, Answer>; state: { volume: number; power: boolean } } {
	const state = { volume: 70, power: false };
	const first = [tool("self.get_device_status"), tool("self.audio_speaker.set_volume", { volume: { type: "integer", minimum: 0, maximum: 100 } })];
	const second = [
		tool("self.light.get_power"),
		tool("self.light.set_rgb", Object.fromEntries(["r", "g", "b"].map((part) => [part, { type: "integer", minimum: 0, maximum: 255 }]))),
		tool("self.light.turn_off"),
	];
	const people = [{ ...tool("self.reboot"), annotations: { audience: ["user"] } }];
	const calls: Record<string, (args: Record<string, unknown>) => unknown> = {
		"self.get_device_status": () => ({ audio_speaker: { volume: state.volume } }),
		"self.audio_speaker.set_volume": ({ volume }) => {
			if (typeof volume !== "number" || volume > 100) throw { code: -32602, message: `volume must be an integer from 0 to 100, got ${volume}` };
			state.volume = volume;
			return true;
		},
		"self.light.get_power": () => state.power,
		"self.light.set_rgb": () => {
			state.power = true;
			return true;
		},
		"self.light.turn_off": () => {
			state.power = false;
			return true;
		},
		"self.reboot": () => true,
	};
	const answers: Record<string, Answer> = {
		initialize: () => INITIALIZE_RESULT,
		"tools/list": ({ cursor, withUserTools }) =>
			cursor === undefined ? { tools: first, nextCursor: "self.light.get_power" } : { tools: withUserTools ? [...second, ...people] : second },
		"tools/call": ({ name, arguments: args }) => {
			const call = calls[String(name)];
			if (!call) throw { code: -32601, message: `Unknown tool: ${name}` };
			return text(call((args ?? {}) as Record<string, unknown>));
		},
	};
	return { answers, state };
}
