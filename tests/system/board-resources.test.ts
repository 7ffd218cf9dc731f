// A board's parts, buttons and touch as resources.

import { expect, test } from "@jest/globals";
import type { Board } from "../../src/hardware/board.js";
import { isOwnEvent } from "../../src/mcp/json-rpc.js";
import { WATCH_INTERVAL_MS } from "../../src/mcp/resources.js";
import { BoardResources } from "../../src/system/board-resources.js";
import { ManualTimers } from "../mcp/support.js";

const board = {
	name: "test",
	system: { network: { type: "wifi", ssid: "home", rssi: -50 } },
	speaker: { volume: 30 },
	lamp: { on: true },
	light: { on: false, brightness: 100 },
} as unknown as Board;

function setUp() {
	const timers = new ManualTimers();
	const resources = new BoardResources(board, timers);
	const told: string[] = [];
	const subscriber = { tell: (_method: string, params: string) => told.push(JSON.parse(`{${params}}`).uri) };
	const answer = (method: string, uri?: string) => {
		const found = resources.answer(method, uri === undefined ? {} : { uri }, subscriber);
		if (!found || !("result" in found)) throw new Error(JSON.stringify(found));
		return JSON.parse(`{${found.result}}`);
	};
	const read = (uri: string) => JSON.parse(answer("resources/read", uri).contents[0].text);
	return { timers, resources, told, answer, read };
}

test("there is the whole state, and each part that the board has", () => {
	const { answer, read } = setUp();
	const uris = answer("resources/list").resources.map(({ uri }: { uri: string }) => uri);
	expect(uris).toEqual(["board://status", ...["audio_speaker", "network", "light", "lamp", "input"].map((part) => `board://${part}`)]);
	expect(read("board://status")).toEqual({
		audio_speaker: { volume: 30 },
		network: { type: "wifi", ssid: "home", signal: "strong" },
		light: { on: false, brightness: 100 },
		lamp: { on: true },
		input: {},
	});
	expect(read("board://lamp")).toEqual({ on: true });
});

test("a client sees a button pressed and the screen touched, however short", () => {
	const { answer, read, resources, timers, told } = setUp();
	answer("resources/subscribe", "board://input");
	resources.event("button_changed", { button: "boot", pressed: true });
	resources.event("button_changed", { button: "boot", pressed: false });
	resources.event("touch_changed", { pressed: true, x: 5, y: 6 });
	resources.event("something_else", { pressed: true });
	timers.advance(WATCH_INTERVAL_MS - 1);
	expect(told).toEqual(["board://input"]);
	expect(read("board://input")).toEqual({ boot: { pressed: false, presses: 1 }, touch: { pressed: true, x: 5, y: 6, presses: 1 } });
});

test.each([
	["button_changed", true],
	["cancelled", false],
	["progress", false],
	["resources/updated", false],
])("an event called %s is a board's own: %s", (name, own) => {
	expect(isOwnEvent(name)).toBe(own);
});
