// Boards with codecs and other chips: with everything there, and with nothing that answers.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import Timer from "timer";
import { McpServer } from "../../src/mcp/server.js";
import { addChip, chips, type FakeDigital, facts, installFakes, made } from "../fakes/moddable.js";

installFakes();

interface Loaded {
	// biome-ignore lint/suspicious/noExplicitAny: four boards of four types
	board: any;
	// biome-ignore lint/suspicious/noExplicitAny: four boards of four types
	tools: any;
}

async function load(name: string): Promise<Loaded> {
	const { createBoard } = await import(`../../boards/${name}/board.ts`);
	const { default: tools } = await import(`../../boards/${name}/tools/index.ts`);
	return { board: createBoard(), tools };
}

let loaded: Loaded | undefined;

beforeEach(() => {
	jest.useFakeTimers();
	chips.clear();
	for (const list of [made.buses, made.digitals, made.audio, made.touches, made.pixels]) list.length = 0;
	facts.temperature = 41.26;
});
afterEach(() => {
	loaded?.board.close();
	loaded?.board.close();
	expect(jest.getTimerCount()).toBe(0);
	expect(made.digitals.every(({ closed }) => closed === 1)).toBe(true);
	jest.useRealTimers();
});

/** What main.ts makes of the board, and the names that a model then sees. */
function listed({ board, tools }: Loaded): string[] {
	const missing: { tools: string }[] = board.missing;
	const hide = missing.length ? (name: string) => missing.some(({ tools }) => tools && name.startsWith(tools)) : undefined;
	const server = new McpServer({ name: board.name, version: "1", board, tools, hide, timers: Timer });
	const names: string[] = [];
	for (let cursor: string | undefined = ""; cursor !== undefined; ) {
		const page = server.page(cursor, false);
		names.push(...JSON.parse(`[${page?.text}]`).map(({ name }: { name: string }) => name));
		cursor = page?.next || undefined;
	}
	return names;
}

describe.each([
	["c3_led_strip", [0x18], { data: 0, clock: 1 }],
	["m5atom_matrix_echo_base", [0x18, 0x43], { data: 25, clock: 21 }],
	["m5atom_echo_s3r", [0x18], { data: 45, clock: 0 }],
	["m5stack_cores3", [0x34, 0x36, 0x58], { data: 12, clock: 11 }],
])("%s", (name, addresses, bus) => {
	test("has every tool when everything answers", async () => {
		for (const address of addresses) addChip(address, { 164: 50 });
		loaded = await load(name);
		expect(loaded.board.missing).toEqual([]);
		expect(listed(loaded)).toEqual(loaded.tools.tools.map(({ name }: { name: string }) => name));
		for (const { options } of made.buses) expect(options).toMatchObject(bus);
		expect(new Set(made.buses.map(({ options }) => options.address))).toEqual(new Set(addresses));
		loaded.board.speaker.playTone(440, 100);
		expect(made.audio).toHaveLength(1);
		expect(made.audio[0]?.options.sampleRate).toBe(48000);
	});

	test("starts without its speaker when nothing answers, and says so", async () => {
		facts.temperature = undefined;
		loaded = await load(name);
		const { board, tools } = loaded;
		const names = listed(loaded);
		expect(names).toContain("self.get_device_status");
		expect(names.filter((name) => name.startsWith("self.audio_speaker."))).toEqual([]);
		expect(tools.find("self.get_device_status").call({}, board).audio_speaker).toBeUndefined();
		const { missing } = tools.find("self.get_system_info").call({}, board);
		expect(missing).toContainEqual({ part: expect.stringMatching(/^speaker/), reason: expect.stringMatching(/^nothing answers at I2C address 0x/) });
		expect(made.buses.every(({ closed }) => closed === 1)).toBe(true);
		if (board.light) {
			board.light.setAll(1, 2, 3);
			expect(names).toContain("self.led_strip.blink");
		}
	});
});

test.each([
	["c3_led_strip", 6],
	["m5atom_matrix_echo_base", 39],
	["m5atom_echo_s3r", 41],
])("%s tells of its button on GPIO %p", async (name, pin) => {
	loaded = await load(name);
	const events: unknown[] = [];
	const input = made.digitals.find(({ options }) => options.pin === pin) as FakeDigital;
	input.drive(1);
	jest.advanceTimersByTime(50);
	loaded.board.onEvent = (...event: unknown[]) => events.push(event);
	input.drive(0);
	jest.advanceTimersByTime(50);
	expect(events).toEqual([["button_changed", { button: "button", pressed: true }]]);
});

test("m5stack_cores3 tells of its touch panel and wakes its display", async () => {
	const { writes } = addChip(0x58);
	addChip(0x34);
	addChip(0x36);
	loaded = await load("m5stack_cores3");
	expect(writes.filter(([register]) => register === 3).map(([, value]) => value & 0x20)).toEqual([0, 0x20]);
	const events: unknown[] = [];
	loaded.board.onEvent = (...event: unknown[]) => events.push(event);
	if (made.touches[0]) made.touches[0].points = [{ x: 5, y: 6 }];
	jest.advanceTimersByTime(50);
	expect(events).toEqual([["touch_changed", { pressed: true, x: 5, y: 6 }]]);
	expect(loaded.tools.find("self.get_device_status").call({}, loaded.board).screen).toEqual({ brightness: 75 });
});

test("the keys of bread_compact change the volume and stay in its range", async () => {
	loaded = await load("bread_compact");
	const { board } = loaded;
	const press = (pin: number) => {
		const input = made.digitals.find(({ options }) => options.pin === pin);
		for (const level of [0, 1] as const) {
			input?.drive(level);
			jest.advanceTimersByTime(50);
		}
	};
	board.speaker.setVolume(85);
	press(40);
	expect(board.speaker.volume).toBe(95);
	press(40);
	expect(board.speaker.volume).toBe(100);
	for (let i = 0; i < 11; i++) press(39);
	expect(board.speaker.volume).toBe(0);
	board.speaker.setVolume(70);
});
