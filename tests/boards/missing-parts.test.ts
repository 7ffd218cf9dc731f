// Boards with codecs and other chips: with everything there, and with nothing that answers.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { isUsable, type Tool } from "mcp/tool";
import Preference from "preference";
import { deviceInformation } from "system/information";
import Timer from "timer";
import { McpServer } from "../../src/mcp/server.js";
import { addChip, chips, type FakeDigital, FakeTouch, facts, made } from "../fakes/moddable.js";
import { drawn } from "../fakes/poco.js";
import { addServos, FakeSerial, ports, resetSerial } from "../fakes/serial.js";

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

// As the setup of a target does.
Object.assign(globalThis, { device: { sensor: { Touch: FakeTouch } } });

let loaded: Loaded | undefined;

beforeEach(() => {
	jest.useFakeTimers();
	chips.clear();
	for (const list of [made.buses, made.digitals, made.audio, made.touches, made.pixels]) list.length = 0;
	resetSerial();
	facts.temperature = 41.26;
	facts.deadPart = undefined;
});
afterEach(() => {
	loaded?.board.close();
	loaded?.board.close();
	expect(jest.getTimerCount()).toBe(0);
	expect(made.digitals.every(({ closed }) => closed === 1)).toBe(true);
	expect(ports.every(({ closed }) => closed === 1)).toBe(true);
	jest.useRealTimers();
});

/** What main.ts makes of the board, and the names that a model then sees. */
function listed({ board, tools }: Loaded): string[] {
	const hide = board.missing.length ? (tool: Tool<never>) => !isUsable(tool, board) : undefined;
	const server = new McpServer({ name: board.name, version: "1", board, tools, hide, timers: Timer });
	const names: string[] = [];
	server.forEachTool(({ name }) => names.push(name));
	return names;
}

describe.each([
	["c3_led_strip", [0x18], { data: 0, clock: 1 }],
	["m5atom_matrix_echo_base", [0x18, 0x43], { data: 25, clock: 21 }],
	["m5atom_echo_s3r", [0x18], { data: 45, clock: 0 }],
	["m5stack_cores3", [0x34, 0x36, 0x58, 0x6f], { data: 12, clock: 11 }],
])("%s", (name, addresses, bus) => {
	test("has every tool when everything answers", async () => {
		for (const address of addresses) addChip(address, { 2: 1, 164: 50 });
		addServos({ 1: 460, 2: 620 });
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
		const { missing } = deviceInformation(board);
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
	expect(loaded.tools.find("self.get_device_status").call({}, loaded.board).screen).toEqual({ brightness: 75, theme: "light" });
});

test("m5stack_cores3 shows its owner a text, and starts without a display that cannot be had", async () => {
	for (const address of [0x34, 0x36, 0x58]) addChip(address);
	loaded = await load("m5stack_cores3");
	loaded.board.screen.showText("Type in 246810");
	expect(drawn.lines).toEqual(["Type in 246810"]);
	loaded.board.close();
	drawn.broken = true;
	loaded = await load("m5stack_cores3");
	drawn.broken = false;
	expect(loaded.board.missing).toContainEqual(expect.objectContaining({ part: "display (ILI9342 and AXP2101)", reason: "no memory" }));
	expect(listed(loaded).filter((name) => name.startsWith("self.screen."))).toEqual([]);
});

describe("m5stack_cores3 on a StackChan base", () => {
	const addBase = (positions: Record<number, number>) => {
		for (const address of [0x34, 0x36, 0x58]) addChip(address);
		addServos(positions);
		return addChip(0x6f, { 2: 1 });
	};
	const call = (name: string, args: object = {}) => loaded?.tools.find(name, true).call(args, loaded.board);

	test("feeds the servos, and sends the head slowly to its rest", async () => {
		const positions = { 1: 620, 2: 780 };
		const { registers, writes } = addBase(positions);
		loaded = await load("m5stack_cores3");
		expect(ports[0]?.options).toMatchObject({ transmit: 6, receive: 7, baud: 1_000_000 });
		expect([(registers.get(5) ?? 0) & 1, (registers.get(3) ?? 0) & 1]).toEqual([1, 1]);
		expect(call("self.robot.get_head_angles")).toEqual({ yaw: 50, pitch: 50, moving: false });
		loaded.board.start();
		jest.advanceTimersByTime(500);
		expect(call("self.robot.get_head_angles")).toEqual({ yaw: 20, pitch: 50, moving: true });
		// The second servo waits for the first one, wherever it stood.
		jest.advanceTimersByTime(1700);
		expect(call("self.robot.get_head_angles")).toEqual({ yaw: 0, pitch: 50, moving: true });
		jest.advanceTimersByTime(1000);
		expect(call("self.robot.get_head_angles")).toEqual({ yaw: 0, pitch: 0, moving: false });
		expect(positions).toEqual({ 1: 460, 2: 620 });
		call("self.robot.set_led_color", { red: 168, green: 0, blue: 0 });
		expect(writes.slice(-13).map(([register]) => register)).toEqual([...Array.from({ length: 12 }, (_, index) => 0x30 + 2 * index), 0x24]);
		loaded.board.close();
		expect([(registers.get(5) ?? 0) & 1, registers.get(0x30)]).toEqual([0, 0]);
	});

	test("leaves the head without power where the supply is too weak, and has no tools for it", async () => {
		const { registers } = addBase({ 1: 620, 2: 780 });
		loaded = await load("m5stack_cores3");
		loaded.board.start("2 brown-outs in a row");
		expect((registers.get(5) ?? 0) & 1).toBe(0);
		expect(loaded.board.missing).toContainEqual({ part: "head (SCServo 1 and 2)", reason: "2 brown-outs in a row" });
		expect(listed(loaded).filter((name) => name.includes("head_angles"))).toEqual([]);
		jest.advanceTimersByTime(5000);
	});

	test("turns the head to all corners, at the speed asked for, and stops it within 20 ms", async () => {
		const positions = { 1: 460, 2: 620 };
		addBase(positions);
		loaded = await load("m5stack_cores3");
		for (const [yaw, pitch] of [
			[-128, 0],
			[128, 90],
			[0, 45],
		] as const) {
			call("self.robot.set_head_angles", { yaw, pitch, speed: 1000 });
			jest.advanceTimersByTime(1000);
			expect(call("self.robot.get_head_angles")).toEqual({ yaw, pitch, moving: false });
		}
		call("self.robot.set_head_angles", { yaw: 120, speed: 100 });
		call("self.robot.set_head_angles", { yaw: -120, speed: 100 });
		jest.advanceTimersByTime(1000);
		expect(call("self.robot.get_head_angles")).toEqual({ yaw: -40, pitch: 45, moving: true });
		call("self.robot.stop");
		const stood = { ...positions };
		jest.advanceTimersByTime(20);
		expect(positions).toEqual(stood);
		expect(() => call("self.robot.set_head_angles", { speed: 150 })).toThrow("Give yaw, pitch or both");
		FakeSerial.reply = () => [];
		expect(() => call("self.robot.get_head_angles")).toThrow("The head does not report its position: servo 1 does not answer");
	});

	test("takes the rest that M5Stack's firmware has measured, unless it is out of range", async () => {
		Preference.set("servo", "zero_pos_1", 500);
		Preference.set("servo", "zero_pos_2", 1000);
		addBase({ 1: 500, 2: 620 });
		loaded = await load("m5stack_cores3");
		expect(call("self.robot.get_head_angles")).toEqual({ yaw: 0, pitch: 0, moving: false });
		Preference.delete("servo", "zero_pos_1");
		Preference.delete("servo", "zero_pos_2");
	});

	test.each([
		["no servo", {}],
		["only one servo", { 1: 460 }],
	])("keeps its lights with %s, and hides the tools of the head", async (_, positions) => {
		addBase(positions);
		loaded = await load("m5stack_cores3");
		const names = listed(loaded).filter((name) => name.startsWith("self.robot."));
		expect(names).toEqual(["self.robot.set_led_color"]);
		const { missing } = deviceInformation(loaded.board);
		expect(missing).toEqual([{ part: "head (SCServo 1 and 2)", reason: expect.stringMatching(/^servo [12] does not answer$/) }]);
		call("self.robot.set_led_color", { red: 1, green: 2, blue: 3 });
	});

	test("has no tool of a robot without a base", async () => {
		for (const address of [0x34, 0x36, 0x58]) addChip(address);
		loaded = await load("m5stack_cores3");
		expect(listed(loaded).filter((name) => name.startsWith("self.robot."))).toEqual([]);
		expect(deviceInformation(loaded.board).missing).toEqual([
			{ part: "StackChan base (expander PY32)", reason: expect.stringMatching(/^nothing answers at I2C address 0x6f/) },
		]);
		expect(ports).toEqual([]);
	});
});

test("xiao_esp32s3_sense starts without a camera that does not answer, and has no tool for it", async () => {
	loaded = await load("xiao_esp32s3_sense");
	expect(listed(loaded)).toContain("self.camera.take_photo");
	loaded.board.close();
	facts.deadPart = "camera";
	loaded = await load("xiao_esp32s3_sense");
	expect(listed(loaded).filter((name) => name.startsWith("self.camera."))).toEqual([]);
	expect(deviceInformation(loaded.board).missing).toEqual([{ part: "camera (OV2640)", reason: "the camera does not answer" }]);
});

test("the talk button of bread_compact speaks to the assistant, once a press", async () => {
	loaded = await load("bread_compact");
	const said: string[] = [];
	loaded.board.say = (text: string) => said.push(text);
	const input = made.digitals.find(({ options }) => options.pin === 47);
	for (const level of [0, 1] as const) {
		input?.drive(level);
		jest.advanceTimersByTime(50);
	}
	expect(said).toEqual(["Hello"]);
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
