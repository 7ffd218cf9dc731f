// The robots on fakes of Moddable's modules: every action at the corners of its ranges, and what the servos get to see.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Board } from "hardware/board";
import type { Body } from "hardware/body";
import type { Rule } from "mcp/schema";
import type { Tool } from "mcp/tool";
import Preference from "preference";
import { getDeviceStatus } from "tools/status";
import { made } from "../fakes/moddable.js";
import { FakeServo, pulses, servos, trail } from "../fakes/servo.js";
import { createPeer } from "../mcp/support.js";
import { call } from "../tools/call.js";

const FRAME_MS = 20;
/** The longest that one call may keep a robot busy: 100 steps of 3 s with fixed poses around them. */
const LONGEST_MS = 700_000;

type Arguments = { [name: string]: unknown };
type RobotBoard = Board & { readonly body: Body };

interface Robot {
	name: string;
	thing: string;
	domain: string;
	pins: readonly number[];
	homes: readonly number[];
	minimums: readonly number[];
	maximums: readonly number[];
	trimLimit: number;
	/** The boot button's pin. */
	button: number;
	/** A command that takes seconds. */
	long: readonly [tool: string, args: Arguments];
}

const same = (length: number, value: number) => new Array<number>(length).fill(value);

const ROBOTS: Robot[] = [
	{
		name: "esp_hi",
		thing: "dog",
		domain: "dog-trims",
		pins: [21, 19, 20, 18],
		homes: same(4, 90),
		minimums: same(4, 20),
		maximums: same(4, 160),
		trimLimit: 30,
		button: 9,
		long: ["self.dog.basic_control", { action: "forward", steps: 100 }],
	},
	{
		name: "otto",
		thing: "otto",
		domain: "otto-trims",
		pins: [17, 39, 18, 38, 8, 12],
		homes: [90, 90, 90, 90, 45, 135],
		minimums: same(6, 0),
		maximums: same(6, 180),
		trimLimit: 50,
		button: 0,
		long: ["self.otto.action", { action: "walk", steps: 100, speed: 1000 }],
	},
	{
		name: "electron_bot",
		thing: "electron",
		domain: "electron-trims",
		pins: [5, 4, 7, 15, 6, 16],
		homes: [180, 180, 0, 0, 90, 90],
		minimums: [0, 100, 0, 0, 30, 75],
		maximums: [180, 180, 180, 80, 150, 105],
		trimLimit: 30,
		button: 0,
		long: ["self.electron.hand_action", { action: 3, steps: 10, speed: 1500 }],
	},
];

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

async function load(name: string): Promise<{ createBoard: () => RobotBoard; tools: readonly Tool<RobotBoard>[] }> {
	const { createBoard } = await import(`../../boards/${name}/board.ts`);
	const { default: list } = await import(`../../boards/${name}/tools/index.ts`);
	return { createBoard, tools: list.tools };
}

/** Runs the clock until nothing moves. */
function untilRest(board: RobotBoard, stepMs = FRAME_MS): number {
	let time = 0;
	for (; board.body.moving && time < LONGEST_MS; time += stepMs) jest.advanceTimersByTime(stepMs);
	expect(board.body.moving).toBe(false);
	return time;
}

/** The values of an argument that are worth a try: all choices, or the ends of the range. */
function corners(rule: Rule): unknown[] {
	if (rule.enum) return [...rule.enum];
	if (rule.kind !== "integer") throw new Error(`no corners for ${rule.kind}`);
	return [rule.minimum, rule.maximum];
}

/** Every combination of the corners of a tool's arguments. */
function combinations(tool: Tool<never>): Arguments[] {
	let all: Arguments[] = [{}];
	tool.members.names.forEach((name, i) => {
		const values = corners(tool.members.rules[i] as Rule);
		all = all.flatMap((args) => values.map((value) => ({ ...args, [name]: value })));
	});
	return all;
}

describe.each(ROBOTS)("$name", (robot) => {
	const { pins, minimums, maximums, homes, thing, domain } = robot;
	let board: RobotBoard;
	let recreate: (weakSupply?: string) => RobotBoard;
	let tools: readonly Tool<RobotBoard>[];

	beforeEach(async () => {
		servos.length = 0;
		for (const key of Preference.keys(domain)) Preference.delete(domain, key);
		const loaded = await load(robot.name);
		tools = loaded.tools;
		recreate = (weakSupply) => {
			const fresh = loaded.createBoard();
			fresh.start?.(weakSupply);
			return fresh;
		};
		board = recreate();
	});
	afterEach(() => {
		board.close();
		expect(jest.getTimerCount()).toBe(0);
	});

	function ask(verb: string, args: Arguments = {}): unknown {
		const name = verb.startsWith("self.") ? verb : `self.${thing}.${verb}`;
		return call(
			tools.find((tool) => tool.name === name),
			args,
			board,
		);
	}

	function expectWithinRanges(): void {
		const outside = pins.map((pin, joint) =>
			trail(pin).filter((degrees) => !(degrees >= (minimums[joint] as number) && degrees <= (maximums[joint] as number))),
		);
		expect(outside).toEqual(pins.map(() => []));
	}

	test("has the wiring of its README, and stands at rest after the start", () => {
		expect(pins.map(pulses)).toEqual(pins.map(() => undefined));
		expect(servos.map(({ options }) => options.pin)).toEqual(pins);
		untilRest(board);
		expect(pins.map(pulses)).toEqual(homes);
		jest.advanceTimersByTime(1000);
		expect(pins.map(pulses)).toEqual(pins.map(() => undefined));
		expect(jest.getTimerCount()).toBe(0);
	});

	test("performs every command at every corner of its ranges within the servos' ranges, and comes to rest", () => {
		let commands = 0;
		untilRest(board);
		for (const tool of tools) {
			if (!tool.name.startsWith(`self.${thing}.`) || /trim|servo_sequences/.test(tool.name)) continue;
			for (const args of combinations(tool)) {
				// A hundred steps of a motion are the same as two.
				if (args.steps === 100) args.steps = 2;
				servos.splice(0, servos.length, ...servos.filter(({ closed }) => !closed));
				for (const { history } of servos) history.length = 0;
				expect(call(tool, args, board)).toBeDefined();
				untilRest(board, 1000);
				jest.advanceTimersByTime(1000);
				expectWithinRanges();
				expect(pins.map(pulses)).toEqual(pins.map(() => undefined));
				expect(jest.getTimerCount()).toBe(0);
				commands++;
			}
		}
		expect(commands).toBeGreaterThan(15);
	});

	test("answers at once and tells whether it moves", () => {
		untilRest(board);
		expect(ask("get_status")).toBe("idle");
		expect(ask(...robot.long)).toBe(true);
		expect(ask("get_status")).toBe("moving");
		jest.advanceTimersByTime(1000);
		expect(ask("get_status")).toBe("moving");
	});

	test.each([100, 730, 1990])("stops within 20 ms after %p ms of a long motion, and stays there", (when) => {
		ask(...robot.long);
		jest.advanceTimersByTime(when);
		ask("stop");
		jest.advanceTimersByTime(20);
		const stopped = pins.map(pulses);
		expect(ask("get_status")).toBe("idle");
		jest.advanceTimersByTime(500);
		expect(pins.map(pulses)).toEqual(stopped);
		jest.advanceTimersByTime(10_000);
		for (const pin of pins) expect(trail(pin).at(-1)).toBe(stopped[pins.indexOf(pin)]);
	});

	test("has a boot button, which its owner can hold", () => {
		const events: unknown[] = [];
		board.onEvent = (...event) => events.push(event);
		const button = made.digitals.find(({ options, closed }) => options.pin === robot.button && !closed);
		button?.drive(0);
		jest.advanceTimersByTime(100);
		button?.drive(1);
		jest.advanceTimersByTime(100);
		expect(events).toEqual([true, false].map((pressed) => ["button_changed", { button: "boot", pressed }]));
	});

	test("leaves its servos off where the supply is too weak, and says so", () => {
		board.close();
		servos.length = 0;
		board = recreate("2 brown-outs in a row");
		expect(ask("get_status")).toBe("off: 2 brown-outs in a row");
		expect(call(getDeviceStatus, {}, board)).toMatchObject({ servos: { off: "2 brown-outs in a row" } });
		for (const motion of [() => ask("home"), () => ask(...robot.long)]) expect(motion).toThrow("the servos are off: 2 brown-outs in a row");
		expect(ask("set_trim", { servo_type: board.body.joints[0], trim_value: 1 })).toBe(true);
		expect(ask("stop")).toBe(true);
		jest.advanceTimersByTime(10_000);
		expect(servos).toHaveLength(0);
	});

	test("goes home from the middle of a long motion", () => {
		untilRest(board);
		ask(...robot.long);
		jest.advanceTimersByTime(1310);
		ask("home");
		expect(untilRest(board)).toBeLessThan(2000);
		expect(pins.map(pulses)).toEqual(homes);
	});

	test("keeps trims across a restart, and shows them", () => {
		untilRest(board);
		const joint = board.body.joints[1] as string;
		expect(ask("set_trim", { servo_type: joint, trim_value: -9 })).toBe(true);
		untilRest(board);
		expect(pulses(pins[1] as number)).toBe((homes[1] as number) - 9);
		board.close();
		board = recreate();
		untilRest(board);
		expect(pulses(pins[1] as number)).toBe((homes[1] as number) - 9);
		const expected = Object.fromEntries(board.body.joints.map((name) => [name, name === joint ? -9 : 0]));
		expect(ask("get_trims")).toEqual(expected);
	});

	test("ignores trims that are damaged, and begins with those that are not", () => {
		const [first, second, third] = board.body.joints as [string, string, string];
		Preference.set(domain, first, "crooked");
		Preference.set(domain, second, robot.trimLimit + 1);
		Preference.set(domain, third, robot.trimLimit);
		board.close();
		board = recreate();
		expect(ask("get_trims")).toMatchObject({ [first]: 0, [second]: 0, [third]: robot.trimLimit });
	});

	test("stays inside the servo's pulses whatever the trims are", () => {
		for (const sign of [1, -1]) {
			for (const joint of board.body.joints) ask("set_trim", { servo_type: joint, trim_value: sign * robot.trimLimit });
			ask(...robot.long);
			// The fake refuses what is not from 0 to 180.
			jest.advanceTimersByTime(3000);
		}
	});

	test("refuses trims and joints that are not there, with the range in words", () => {
		expect(() => ask("set_trim", { servo_type: board.body.joints[0], trim_value: robot.trimLimit + 1 })).toThrow(
			`from -${robot.trimLimit} to ${robot.trimLimit}`,
		);
		expect(() => ask("set_trim", { servo_type: "tail", trim_value: 1 })).toThrow("tail");
	});
});

describe("esp_hi", () => {
	let board: RobotBoard & { light: { on: boolean } };
	let tools: readonly Tool<RobotBoard>[];
	beforeEach(async () => {
		servos.length = 0;
		const loaded = await load("esp_hi");
		tools = loaded.tools;
		board = loaded.createBoard() as typeof board;
		board.start?.();
		untilRest(board);
	});
	afterEach(() => board.close());
	const ask = (name: string, args: Arguments = {}) =>
		call(
			tools.find((tool) => tool.name === name),
			args,
			board,
		);

	/** How far each foot swung forward of its middle position at each frame of one period; the same sense on both sides. */
	function gait(args: Arguments, period: number): number[][] {
		ask("self.dog.basic_control", args);
		// The first period brings the feet into the wave.
		jest.advanceTimersByTime(period);
		const frames: number[][] = [];
		for (let time = 0; time < period; time += FRAME_MS) {
			jest.advanceTimersByTime(FRAME_MS);
			const [fl = 0, fr = 0, bl = 0, br = 0] = [21, 19, 20, 18].map(pulses);
			frames.push([90 - fl, fr - 90, bl - 90, 90 - br]);
		}
		ask("self.dog.stop");
		return frames;
	}

	test("walks with opposite sides, and backward in the reverse order", () => {
		const forward = gait({ action: "forward", steps: 10 }, 500);
		for (const [fl = 0, , , br = 0] of forward) expect(fl).toBeCloseTo(-br, 5);
		expect(Math.max(...forward.map(([fl = 0]) => fl))).toBeGreaterThan(19);
		const order = (frames: number[][]) => {
			// Which of the left feet reaches its foremost point first?
			const at = (leg: number) => frames.reduce((best, frame, i) => ((frame[leg] as number) > (frames[best]?.[leg] as number) ? i : best), 0);
			return (at(2) - at(0) + frames.length * 1.5) % frames.length > frames.length / 2;
		};
		ask("self.dog.home");
		untilRest(board);
		const backward = gait({ action: "backward", steps: 10 }, 500);
		expect(order(forward)).toBe(true);
		expect(order(backward)).toBe(false);
	});

	test("turns right as the mirror image of left", () => {
		const left = gait({ action: "turn_left", steps: 10 }, 400);
		ask("self.dog.home");
		untilRest(board);
		const right = gait({ action: "turn_right", steps: 10 }, 400);
		const mirrored = left.map(([fl, fr, bl, br]) => [fr, fl, br, bl]);
		right.forEach((frame, i) => {
			frame.forEach((way, leg) => {
				expect(way).toBeCloseTo((mirrored[i] as number[])[leg] as number, 5);
			});
		});
	});

	test("does the last of two commands", () => {
		ask("self.dog.basic_control", { action: "forward", steps: 100 });
		jest.advanceTimersByTime(300);
		ask("self.dog.advanced_control", { action: "lay_down" });
		expect(untilRest(board)).toBeLessThan(1500);
		expect([21, 19, 20, 18].map(pulses)).toEqual([35, 145, 35, 145]);
	});

	test("basic_control stops it", () => {
		ask("self.dog.forward");
		jest.advanceTimersByTime(200);
		ask("self.dog.basic_control", { action: "stop" });
		expect(ask("self.dog.get_status")).toBe("idle");
	});

	test("refuses an action that it has not", () => {
		expect(() => ask("self.dog.basic_control", { action: "fly" })).toThrow("fly");
		expect(() => ask("self.dog.advanced_control", {})).toThrow("action");
	});

	test("lights up without the servos", () => {
		ask("self.light.set_rgb", { r: 1, g: 2, b: 3 });
		expect(board.light.on).toBe(true);
	});

	test("says that a servo could not be had, and starts none", () => {
		jest.advanceTimersByTime(2000);
		FakeServo.refuse = true;
		try {
			expect(() => ask("self.dog.forward")).toThrow("channels");
		} finally {
			FakeServo.refuse = false;
		}
		expect(ask("self.dog.get_status")).toBe("idle");
	});
});

describe("otto", () => {
	const pin = { ll: 17, rl: 39, lf: 18, rf: 38, lh: 8, rh: 12 };
	let board: RobotBoard;
	let tools: readonly Tool<RobotBoard>[];
	beforeEach(async () => {
		servos.length = 0;
		const loaded = await load("otto");
		tools = loaded.tools;
		board = loaded.createBoard();
		board.start?.();
		untilRest(board);
		for (const servo of servos) servo.history.length = 0;
	});
	afterEach(() => board.close());
	const ask = (name: string, args: Arguments = {}) =>
		call(
			tools.find((tool) => tool.name === `self.otto.${name}`),
			args,
			board,
		);
	const width = (key: keyof typeof pin) => Math.max(...trail(pin[key])) - Math.min(...trail(pin[key]));
	const sequence = (...a: Arguments[]) => ask("servo_sequences", { sequence: { a } });

	test("knows every action of the reference firmware", () => {
		const action = tools.find(({ name }) => name === "self.otto.action");
		expect(action?.members.rules[0]?.enum).toEqual(
			expect.arrayContaining(
				"walk turn jump swing moonwalk bend shake_leg updown whirlwind_leg sit showcase home hands_up hands_down hand_wave windmill takeoff fitness greeting shy radio_calisthenics magic_circle".split(
					" ",
				),
			),
		);
	});

	test("goes home after every action, except where it is meant to stay", () => {
		const stays = ["sit", "hands_up"];
		const actions = tools.find(({ name }) => name === "self.otto.action")?.members.rules[0]?.enum as string[];
		for (const action of actions) {
			ask("action", { action, steps: 2 });
			untilRest(board);
			const angles = [17, 39, 18, 38, 8, 12].map(pulses);
			if (stays.includes(action)) expect(angles).not.toEqual([90, 90, 90, 90, 45, 135]);
			else expect(angles).toEqual([90, 90, 90, 90, 45, 135]);
			ask("home");
			untilRest(board);
		}
	});

	test("every action moves something", () => {
		const actions = tools.find(({ name }) => name === "self.otto.action")?.members.rules[0]?.enum as string[];
		for (const action of actions) {
			if (["home", "hands_down"].includes(action)) continue;
			for (const servo of servos) servo.history.length = 0;
			ask("action", { action });
			untilRest(board);
			expect(Math.max(...(Object.keys(pin) as (keyof typeof pin)[]).map(width))).toBeGreaterThan(9);
			ask("home");
			untilRest(board);
		}
	});

	test("takes as long as steps and speed say", () => {
		ask("action", { action: "walk", steps: 4, speed: 800 });
		const time = untilRest(board);
		expect(time).toBeGreaterThanOrEqual(4 * 800);
		expect(time).toBeLessThanOrEqual(4 * 800 + 600);
	});

	test("swings its arms as far as it is told", () => {
		ask("action", { action: "walk", arm_swing: 0 });
		untilRest(board);
		expect(width("lh")).toBe(0);
		ask("action", { action: "walk", arm_swing: 100, speed: 1500 });
		untilRest(board);
		expect(width("lh")).toBeGreaterThan(90);
	});

	test("keeps the amount within what an action can bear", () => {
		ask("action", { action: "jitter", amount: 170, speed: 1000 });
		untilRest(board);
		expect(width("ll")).toBeCloseTo(50, 0);
	});

	test.each([
		[1, ["lh"]],
		[-1, ["rh"]],
		[0, ["lh", "rh"]],
	] as const)("raises the hand of direction %p", (direction, hands) => {
		ask("action", { action: "hands_up", direction });
		untilRest(board);
		expect([pulses(pin.lh), pulses(pin.rh)]).toEqual([hands.includes("lh" as never) ? 170 : 45, hands.includes("rh" as never) ? 10 : 135]);
		ask("action", { action: "hands_down", direction: 0 });
		untilRest(board);
		expect([pulses(pin.lh), pulses(pin.rh)]).toEqual([45, 135]);
	});

	test("shakes the leg of the direction", () => {
		ask("action", { action: "shake_leg", direction: -1, steps: 1 });
		untilRest(board);
		expect(Math.max(...trail(pin.rf))).toBe(120);
		expect(Math.min(...trail(pin.rf))).toBe(35);
		expect(Math.min(...trail(pin.lf))).toBe(58);
	});

	test("performs several commands one after the other, and refuses the twelfth", () => {
		for (let i = 0; i < 11; i++) expect(ask("action", { action: "jump", steps: 1 })).toBe(true);
		expect(() => ask("action", { action: "jump" })).toThrow("stop the robot");
		expect(() => ask("action", { action: "showcase" })).toThrow("stop the robot");
		expect(ask("action", { action: "home" })).toBe(true);
		expect(untilRest(board)).toBeLessThan(1000);
	});

	describe("servo_sequences", () => {
		test("goes from pose to pose in the time given, and pauses", () => {
			ask("servo_sequences", {
				sequence: {
					a: [
						{ s: { lh: 170, rh: 10 }, v: 600, d: 400 },
						{ s: { lh: 90 }, v: 500 },
					],
					d: 300,
				},
			});
			jest.advanceTimersByTime(990);
			expect([pulses(pin.lh), pulses(pin.rh), pulses(pin.ll)]).toEqual([170, 10, 90]);
			expect(untilRest(board)).toBeGreaterThanOrEqual(800);
			expect([pulses(pin.lh), pulses(pin.rh)]).toEqual([90, 10]);
		});

		test("swings servos around their centers, with the phases given", () => {
			sequence({ osc: { a: { ll: 20, rl: 20 }, o: { ll: 90, lf: 90, lh: 100 }, ph: { rl: 180 }, p: 1000, c: 2.25 } });
			untilRest(board);
			expect(width("ll")).toBeCloseTo(40, 0);
			expect([pulses(pin.ll), pulses(pin.rl), pulses(pin.lh)].map((angle) => Math.round(angle as number))).toEqual([110, 70, 100]);
			expect(width("lf")).toBe(0);
		});

		test("comes through the server with all its members", async () => {
			const { default: list } = await import("../../boards/otto/tools/index.js");
			const peer = createPeer(board, list as never);
			peer.ask("initialize", { protocolVersion: "2024-11-05", capabilities: {} });
			const sequence = {
				a: [
					{ osc: { a: { lh: 40 }, o: { lh: 100 }, ph: { lh: 90 }, p: 1000, c: 2 }, d: 100 },
					{ s: { rh: 20 }, v: 300 },
				],
				d: 50,
			};
			expect(peer.call("self.otto.servo_sequences", { sequence }).result.content[0].text).toBe("true");
			untilRest(board);
			expect(Math.max(...trail(pin.lh))).toBeCloseTo(140, 0);
			expect(pulses(pin.rh)).toBe(20);
			const refused = peer.call("self.otto.servo_sequences", { sequence: { a: [{ s: { ll: 200 } }] } });
			expect(JSON.stringify(refused)).toContain("sequence.a[0].s.ll must be an integer from 0 to 180, got 200");
		});

		test("stays as it is at the end", () => {
			sequence({ s: { ll: 100 }, v: 100 });
			untilRest(board);
			expect(pulses(pin.ll)).toBe(100);
		});

		test("reaches the corners of every range within the servos' ranges", () => {
			const all = (value: number) => Object.fromEntries(Object.keys(pin).map((key) => [key, value]));
			for (const s of [0, 180]) sequence({ s: all(s), v: 100 });
			for (const p of [100, 3000]) for (const c of [0.1, 20]) sequence({ osc: { a: all(90), o: all(180), ph: all(360), p, c } });
			untilRest(board);
			for (const key of Object.values(pin)) expect(Math.max(...trail(key))).toBe(180);
		});

		test.each([
			[{}, "sequence is missing"],
			[{ sequence: '{"a":[{"s":{"ll":90}}]}' }, "sequence must be"],
			[{ sequence: {} }, "sequence.a is missing"],
			[{ sequence: { a: [] } }, "sequence.a must be"],
			[{ sequence: { a: same(21, 0).map(() => ({ s: { ll: 90 } })) } }, "sequence.a must be"],
			[{ sequence: { a: [{}] } }, "sequence.a[0] must have either s or osc"],
			[{ sequence: { a: [{ s: { ll: 90 } }, { s: { ll: 90 }, osc: {} }] } }, "sequence.a[1] must have either s or osc"],
			[{ sequence: { a: [{ s: {} }] } }, "sequence.a[0] moves no servo"],
			[{ sequence: { a: [{ s: { xx: 5 } }] } }, "sequence.a[0] moves no servo"],
			[{ sequence: { a: [{ osc: {} }] } }, "sequence.a[0] moves no servo"],
			[{ sequence: { a: [{ s: { ll: 181 } }] } }, "sequence.a[0].s.ll must be an integer from 0 to 180, got 181"],
			[{ sequence: { a: [{ s: { ll: "90" } }] } }, "sequence.a[0].s.ll must be"],
			[{ sequence: { a: [{ s: { ll: 90 }, v: 99 }] } }, "from 100 to 3000"],
			[{ sequence: { a: [{ osc: { a: { ll: 91 } } }] } }, "from 10 to 90"],
			[{ sequence: { a: [{ osc: { a: { ll: 20 }, c: 20.1 } }] } }, "from 0.1 to 20"],
			[{ sequence: { a: [{ s: { ll: 90 } }], d: -1 } }, "from 0 to 10000"],
		])("refuses %j", (args, words) => {
			expect(() => ask("servo_sequences", args)).toThrow(words);
			expect(ask("get_status")).toBe("idle");
		});
	});
});

describe("electron_bot", () => {
	const [rightPitch, rightRoll, leftPitch, leftRoll, body, head] = [5, 4, 7, 15, 6, 16] as const;
	let board: RobotBoard;
	let tools: readonly Tool<RobotBoard>[];
	beforeEach(async () => {
		servos.length = 0;
		const loaded = await load("electron_bot");
		tools = loaded.tools;
		board = loaded.createBoard();
		board.start?.();
		untilRest(board);
		for (const servo of servos) servo.history.length = 0;
	});
	afterEach(() => board.close());
	const ask = (name: string, args: Arguments = {}) =>
		call(
			tools.find((tool) => tool.name === `self.electron.${name}`),
			args,
			board,
		);

	test("raises a hand, keeps it up and lowers it", () => {
		ask("hand_action", { action: 1, hand: 1 });
		untilRest(board);
		expect([pulses(leftPitch), pulses(rightPitch)]).toEqual([180, 180]);
		ask("hand_action", { action: 2, hand: 3 });
		untilRest(board);
		expect([pulses(leftPitch), pulses(rightPitch)]).toEqual([0, 180]);
	});

	test("flaps as far as the amount says", () => {
		ask("hand_action", { action: 4, hand: 2, amount: 50, speed: 1500, steps: 3 });
		untilRest(board);
		expect(Math.min(...trail(rightRoll))).toBeCloseTo(100, 0);
		expect(Math.max(...trail(leftRoll), 0)).toBe(0);
		expect(pulses(rightRoll)).toBe(180);
	});

	test.each([
		[1, 45, 135],
		[2, 45, 45],
		[1, 90, 150],
		[3, 45, 90],
	])("turns the body in direction %p by %p to %p degrees", (direction, angle, expected) => {
		ask("body_turn", { direction, angle });
		untilRest(board);
		expect(pulses(body)).toBe(expected);
	});

	test("turns back between several turns", () => {
		ask("body_turn", { direction: 1, angle: 30, steps: 3 });
		untilRest(board);
		const path = trail(body);
		expect(path.filter((angle, i) => angle === 120 && path[i - 1] !== 120)).toHaveLength(3);
		expect(pulses(body)).toBe(120);
	});

	test("nods and looks straight ahead again", () => {
		ask("head_move", { action: 5, steps: 4, angle: 10, speed: 500 });
		untilRest(board);
		expect(Math.max(...trail(head))).toBeCloseTo(100, 0);
		expect(Math.min(...trail(head))).toBeCloseTo(80, 0);
		expect(pulses(head)).toBe(90);
	});

	test.each([
		["head", 180, head, 105],
		["h", 0, head, 75],
		["lr", 180, leftRoll, 80],
		["right_roll", 0, rightRoll, 100],
		["b", 45, body, 45],
	] as const)("servo_move takes %p to %p, no further than the mechanics allow", (servo_type, position, pin, expected) => {
		ask("servo_move", { servo_type, position });
		untilRest(board);
		expect(pulses(pin)).toBe(expected);
	});

	test("two commands to one servo at once end in the last one's position", () => {
		ask("servo_move", { servo_type: "body", position: 150, speed: 500 });
		ask("servo_move", { servo_type: "body", position: 40, speed: 500 });
		untilRest(board);
		expect(pulses(body)).toBe(40);
		expect(Math.max(...trail(body))).toBe(90);
	});

	test("commands to different servos go on together", () => {
		ask("servo_move", { servo_type: "body", position: 120, speed: 600 });
		ask("servo_move", { servo_type: "head", position: 100, speed: 600 });
		expect(untilRest(board)).toBe(600);
		expect([pulses(body), pulses(head)]).toEqual([120, 100]);
	});
});
