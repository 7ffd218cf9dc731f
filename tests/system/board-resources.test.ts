// A board's parts, buttons and touch as resources.

import { expect, test } from "@jest/globals";
import type { Board, OwnResources } from "../../src/hardware/board.js";
import { isOwnEvent } from "../../src/mcp/json-rpc.js";
import { WATCH_INTERVAL_MS } from "../../src/mcp/resources.js";
import { BoardResources } from "../../src/system/board-resources.js";
import { ManualTimers } from "../mcp/support.js";

const board = {
	name: "test",
	system: { network: { type: "wifi", ssid: "home", rssi: -50 } },
	speaker: { volume: 30 },
	lamp: { on: true },
	light: { on: false, brightness: 100, colors: Uint8Array.of(255, 96, 0, 0, 0, 15) },
} as unknown as Board;

function setUp(own?: OwnResources) {
	const timers = new ManualTimers();
	const resources = new BoardResources({ ...board, resources: own }, timers);
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
	expect(uris).toEqual([
		"board://status",
		...["audio_speaker", "network", "light", "lamp", "input"].map((part) => `board://${part}`),
		"board://drawing",
	]);
	expect(read("board://status")).toEqual({
		audio_speaker: { volume: 30 },
		network: { type: "wifi", ssid: "home", signal: "strong" },
		light: { on: false, brightness: 100 },
		lamp: { on: true },
		input: {},
	});
	expect(read("board://lamp")).toEqual({ on: true });
});

test("whoever draws the board reads each pixel's color and each servo's angle", () => {
	const { read } = setUp();
	expect(read("board://drawing")).toEqual({
		...read("board://status"),
		light: { on: false, brightness: 100, pixels: "ff600000000f" },
		angles: {},
	});
	const servos = [{ angle: 44.6 }];
	const body = { moving: false, off: undefined as string | undefined, joints: ["left_leg", "right_leg"], angle: (joint: number) => 90 + joint };
	const resources = new BoardResources({ ...board, servos, body } as unknown as Board, new ManualTimers());
	const angles = () => {
		const { result } = resources.answer("resources/read", { uri: "board://drawing" }, { tell() {} }) as { result: string };
		return JSON.parse(JSON.parse(`{${result}}`).contents[0].text).angles;
	};
	expect(angles()).toEqual({ left_leg: 90, right_leg: 91, servo0: 45 });
	// Without pulses nobody knows where they are.
	body.off = "brown-out";
	expect(angles()).toEqual({ servo0: 45 });
});

test("what a screen shows can be read", () => {
	const screen = { width: 320, height: 240, theme: "dark", brightness: 75, text: "" };
	const resources = new BoardResources({ ...board, screen } as unknown as Board, new ManualTimers());
	const read = () => {
		const answer = resources.answer("resources/read", { uri: "board://screen" }, { tell() {} }) as { result: string };
		return JSON.parse(JSON.parse(`{${answer.result}}`).contents[0].text);
	};
	expect(read()).toEqual({ brightness: 75, theme: "dark" });
	screen.text = "There is light.";
	expect(read()).toEqual({ brightness: 75, theme: "dark", text: "There is light." });
});

test("a board has resources of its own beside its state, and cannot take the state's place", async () => {
	const { answer, read, resources } = setUp({
		entries: [{ uri: "pictures://last", name: "picture", description: "The last picture", mimeType: "image/png" }],
		templates: [{ uriTemplate: "notes://{number}", name: "note", description: "A note" }],
		read: (uri) => (uri.startsWith("notes://") || uri.startsWith("board://") ? '{"text":""}' : undefined),
		readBlob: async (uri) => [uri === "pictures://last" ? "iVBO" : ""],
	});
	expect(answer("resources/list").resources.at(-1)).toMatchObject({ uri: "pictures://last", mimeType: "image/png" });
	expect(answer("resources/templates/list").resourceTemplates).toHaveLength(1);
	expect(await resources.answer("resources/read", { uri: "pictures://last" }, { tell() {} })).toMatchObject({ texts: ["iVBO", '"}]'] });
	expect(read("notes://3")).toEqual({ text: "" });
	expect(read("board://lamp")).toEqual({ on: true });
	expect(() => answer("resources/read", "pictures://first")).toThrow("Unknown resource");
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

test("a camera is one that is photographed when it is read, once at a time, and its memory given back", async () => {
	const closed: string[] = [];
	const camera = { busy: false, take: async () => ({ base64: () => ["/9j/", "4A=="], close: () => closed.push("closed") }) };
	const resources = new BoardResources({ ...board, camera } as never, new ManualTimers());
	const ask = (method: string, uri?: string) =>
		resources.answer(method, { uri }, { tell() {} }) as unknown as Promise<{ result: string; texts: string[] }>;
	expect((await ask("resources/list")).result).toContain('"uri":"board://camera","name":"camera"');
	const { result, texts } = await ask("resources/read", "board://camera");
	expect(JSON.parse(`{${result}${texts.join("")}}`).contents).toEqual([{ uri: "board://camera", mimeType: "image/jpeg", blob: "/9j/4A==" }]);
	expect(closed).toEqual(["closed"]);
	camera.busy = true;
	await expect(ask("resources/read", "board://camera")).rejects.toThrow("A photo is being taken already");
});
