// What a board's parts say about themselves.

import type { Board } from "./board.js";
import type { Lamp } from "./lamp.js";
import type { Network } from "./network.js";
import type { RgbLight } from "./rgb-light.js";

/** The state of each part by its name. */
export interface BoardState {
	[part: string]: object;
}

/** Volume, screen, battery, network and chip as the reference firmware reports them, each only if the board has it; and servos that must stay off. */
export function deviceStatus({ speaker, screen, battery, body, system }: Board): BoardState {
	const { network, temperature } = system;
	const status: BoardState = {};
	if (speaker) status.audio_speaker = { volume: speaker.volume };
	if (screen) status.screen = "theme" in screen ? { brightness: screen.brightness, theme: screen.theme } : { brightness: screen.brightness };
	if (battery) status.battery = { level: battery.level, charging: battery.charging };
	if (body?.off !== undefined) status.servos = { off: body.off };
	if (network) status.network = networkStatus(network);
	if (temperature !== undefined) status.chip = { temperature };
	return status;
}

/** `deviceStatus`, and what the reference does not report: a text on the screen, light, lamp and body. */
export function boardState(board: Board & { readonly light?: RgbLight | undefined; readonly lamp?: Lamp | undefined }): BoardState {
	const { light, lamp, body, screen } = board;
	const state = deviceStatus(board);
	if (screen && "text" in screen && screen.text) state.screen = { ...state.screen, text: screen.text };
	if (light) state.light = { on: light.on, brightness: light.brightness };
	if (lamp) state.lamp = { on: lamp.on };
	if (body && body.off === undefined) state.body = { moving: body.moving };
	return state;
}

function networkStatus(network: Network): object {
	const { type, ssid, rssi } = network;
	const status: { type: string; ssid?: string; signal?: string } = { type };
	if (ssid !== undefined) status.ssid = ssid;
	if (rssi !== undefined) status.signal = rssi >= -60 ? "strong" : rssi >= -70 ? "medium" : "weak";
	return status;
}
