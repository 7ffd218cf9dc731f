// Motions from tables on a body of fake servos, with a clock that the test moves.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { PinServo } from "drivers/pin-servo";
import { FRAME_MS, MAX_WAITING, RISE_MS, ServoBody } from "drivers/servo-body";
import type { Motion } from "hardware/body";
import Preference from "preference";
import { PreferenceStore } from "settings/preference-store";
import { timers } from "../fakes/moddable.js";
import { FakeServo, pulses, servos, trail } from "../fakes/servo.js";

const DOMAIN = "body-test";
/** The joints' indexes; each one's pin is 10 more. */
const LEFT = 0;
const RIGHT = 1;
const HEAD = 2;
const MAXIMUM_SPEED = 500;
const START_PAUSE_MS = 200;

function createBody() {
	const joint = (index: number, name: string, home: number, side: number, mirror: number, minimum = 0, maximum = 180) => ({
		name,
		home,
		side,
		mirror,
		servo: new PinServo({ io: FakeServo, timers, pin: 10 + index, angle: home, minimum, maximum, idleMs: 0 }),
	});
	return new ServoBody({
		joints: [joint(LEFT, "left", 60, 1, RIGHT), joint(RIGHT, "right", 120, -1, LEFT), joint(HEAD, "head", 90, 0, HEAD, 75, 105)],
		timers,
		trims: new PreferenceStore(DOMAIN),
		trimLimit: 30,
		maximumSpeed: MAXIMUM_SPEED,
		startPauseMs: START_PAUSE_MS,
	});
}

let body: ReturnType<typeof createBody>;

/** A body whose joints have not risen yet. */
function createFreshBody() {
	body.close();
	servos.length = 0;
	return createBody();
}

beforeEach(() => {
	jest.useFakeTimers();
	servos.length = 0;
	for (const key of Preference.keys(DOMAIN)) Preference.delete(DOMAIN, key);
	body = createBody();
	body.start();
	untilRest();
	jest.advanceTimersByTime(1000);
	servos.length = 0;
});
afterEach(() => {
	body.close();
	expect(jest.getTimerCount()).toBe(0);
	jest.useRealTimers();
});

function angles(): number[] {
	return body.joints.map((_, joint) => body.angle(joint));
}

function untilRest(limitMs = 60_000): number {
	let time = 0;
	for (; body.moving && time < limitMs; time += FRAME_MS) jest.advanceTimersByTime(FRAME_MS);
	expect(body.moving).toBe(false);
	return time;
}

const raise: Motion = { cycle: [{ angles: [[LEFT, 160]], time: 500 }], direction: "mirror", stays: true };
const nod: Motion = {
	cycle: [{ swings: [[HEAD, 90, [0, 1]]] }],
	amount: [5, 40],
};

test("touches no servo before the first motion", () => {
	body = createFreshBody();
	jest.advanceTimersByTime(5000);
	expect(servos).toHaveLength(0);
	expect(angles()).toEqual([60, 120, 90]);
});

describe("the start", () => {
	/** The joints that get pulses, at every frame until the body rests. */
	function watch(): number[][] {
		const frames: number[][] = [];
		for (; body.moving && frames.length < 1000; ) {
			jest.advanceTimersByTime(FRAME_MS);
			frames.push([10, 11, 12].filter((pin) => pulses(pin) !== undefined));
		}
		return frames;
	}

	test("brings one joint after the other to rest, with more and more pulses, and a pause between", () => {
		body = createFreshBody();
		body.start();
		expect([10, 11, 12].map(pulses)).toEqual([undefined, undefined, undefined]);
		const frames = watch();
		for (const [index, pin] of [10, 11, 12].entries()) {
			const begin = (index * (RISE_MS + START_PAUSE_MS)) / FRAME_MS;
			const rise = frames.slice(begin, begin + RISE_MS / FRAME_MS);
			const own = rise.map((pins) => pins.includes(pin));
			// Sparse in its first half, dense in its second one, whole from then on.
			const half = own.length / 2;
			const count = (list: boolean[]) => list.filter(Boolean).length;
			expect(count(own.slice(0, half))).toBeGreaterThan(0);
			expect(count(own.slice(0, half))).toBeLessThan(count(own.slice(half)));
			expect(frames.slice(begin + RISE_MS / FRAME_MS).every((pins) => pins.includes(pin))).toBe(true);
			// Nobody else begins meanwhile.
			const later = [10, 11, 12].slice(index + 1);
			expect(frames.slice(0, begin + (RISE_MS + START_PAUSE_MS) / FRAME_MS - 1).every((pins) => !pins.some((other) => later.includes(other)))).toBe(
				true,
			);
		}
		expect([trail(10), trail(11), trail(12)].map((path) => [...new Set(path)])).toEqual([[60], [120], [90]]);
	});

	test("comes before a motion that is asked for meanwhile", () => {
		body = createFreshBody();
		body.start();
		jest.advanceTimersByTime(RISE_MS);
		body.perform({ motion: raise });
		jest.advanceTimersByTime(2 * (RISE_MS + START_PAUSE_MS));
		expect(body.angle(LEFT)).toBe(60);
		untilRest();
		expect(body.angle(LEFT)).toBe(160);
	});

	test("goes on where it was stopped", () => {
		body = createFreshBody();
		body.start();
		jest.advanceTimersByTime(RISE_MS + START_PAUSE_MS + FRAME_MS);
		body.stop();
		expect(body.moving).toBe(false);
		body.goHome();
		expect([10, 11, 12].map(pulses)).toEqual([60, undefined, undefined]);
		jest.advanceTimersByTime(RISE_MS + FRAME_MS);
		expect([10, 11, 12].map(pulses)).toEqual([60, 120, undefined]);
	});

	test("leaves the servos off where the supply is too weak, and every motion says why", () => {
		body = createFreshBody();
		body.start("2 brown-outs");
		expect([body.off, body.moving]).toEqual(["2 brown-outs", false]);
		for (const move of [() => body.perform({ motion: raise }), () => body.goHome(), () => body.turn(LEFT, 90, 100)])
			expect(move).toThrow("the servos are off: 2 brown-outs");
		body.setTrim(LEFT, 5);
		expect(body.trim(LEFT)).toBe(5);
		body.stop();
		jest.advanceTimersByTime(5000);
		expect(servos).toHaveLength(0);
	});
});

describe("a pose", () => {
	test("is reached smoothly, in the time that was asked for, without the other joints", () => {
		body.perform({ motion: raise });
		jest.advanceTimersByTime(260);
		expect(body.angle(LEFT)).toBeGreaterThan(100);
		expect(body.angle(LEFT)).toBeLessThan(120);
		jest.advanceTimersByTime(240);
		expect(angles()).toEqual([160, 120, 90]);
		const path = trail(10);
		for (let i = 1; i < path.length; i++) expect(path[i]).toBeGreaterThanOrEqual(path[i - 1] as number);
		expect(trail(11)).toEqual([120]);
	});

	test("swaps left and right when it is mirrored", () => {
		body.perform({ motion: raise, direction: -1 });
		untilRest();
		expect(angles()).toEqual([60, 20, 90]);
	});

	test("is held", () => {
		body.perform({ motion: { cycle: [{ angles: [[LEFT, 90]], time: [0, 0.5], hold: 400 }] }, period: 1000 });
		jest.advanceTimersByTime(900);
		expect(body.angle(LEFT)).toBe(90);
		expect(untilRest()).toBe(520);
		expect(body.angle(LEFT)).toBe(60);
	});

	test("takes longer where a joint would turn too fast", () => {
		body.perform({ motion: { cycle: [{ angles: [[LEFT, 180]], time: 0 }], stays: true } });
		expect(untilRest()).toBeGreaterThanOrEqual((120 / MAXIMUM_SPEED) * 1000);
		expect(body.angle(LEFT)).toBe(180);
	});
});

describe("a wave", () => {
	test("swings as often as there are steps and goes home", () => {
		body.perform({ motion: nod, steps: 3, period: 400, amount: 10 });
		const time = untilRest();
		expect(time).toBeGreaterThanOrEqual(1200 + 500);
		expect(time).toBeLessThan(1200 + 600);
		const path = trail(12);
		expect(Math.max(...path)).toBeCloseTo(100, 0);
		expect(Math.min(...path)).toBeCloseTo(80, 0);
		const rises = path.filter((angle, i) => i > 0 && angle > 90 && (path[i - 1] as number) <= 90).length;
		expect(rises).toBe(3);
		expect(angles()).toEqual([60, 120, 90]);
	});

	test("brings the amount inside the motion's limits, and the angles inside the joint's range", () => {
		body.perform({ motion: nod, period: 2000, amount: 170 });
		jest.advanceTimersByTime(500);
		expect(body.angle(HEAD)).toBe(105);
		untilRest();
		expect(Math.max(...trail(12))).toBe(105);
		expect(Math.min(...trail(12))).toBe(75);
	});

	test("runs backward in time", () => {
		const lean: Motion = {
			cycle: [
				{
					swings: [
						[LEFT, 60, 10],
						[RIGHT, 120, 10, -90],
					],
				},
			],
			direction: "reverse",
			stays: true,
		};
		body.perform({ motion: lean, period: 800, direction: -1 });
		jest.advanceTimersByTime(200);
		expect(body.angle(LEFT)).toBeCloseTo(50);
		jest.advanceTimersByTime(200);
		expect(body.angle(RIGHT)).toBeCloseTo(130);
	});

	test("moves one side only, or both", () => {
		const wave: Motion = {
			cycle: [
				{
					swings: [
						[LEFT, 60, 10],
						[RIGHT, 120, 10],
					],
				},
			],
			direction: "side",
			stays: true,
		};
		for (const [direction, moved] of [
			[1, [10]],
			[-1, [11]],
			[0, [10, 11]],
		] as const) {
			servos.length = 0;
			body.close();
			body = createBody();
			body.perform({ motion: wave, direction });
			untilRest();
			expect([10, 11].filter((pin) => new Set(trail(pin)).size > 1)).toEqual(moved);
		}
	});

	test("never turns a joint faster than allowed, however short the period is", () => {
		body.perform({ motion: { cycle: [{ swings: [[LEFT, 90, 90, -90]] }] }, period: 40, steps: 50 });
		untilRest();
		const path = trail(10);
		for (let i = 1; i < path.length; i++)
			expect(Math.abs((path[i] as number) - (path[i - 1] as number))).toBeLessThanOrEqual((MAXIMUM_SPEED * FRAME_MS) / 1000 + 1e-9);
	});

	test.each([100, 333, 1010])("joins its waves without a jump at a period of %p ms", (period) => {
		body.perform({ motion: nod, steps: 5, period, amount: 5 });
		untilRest();
		const path = trail(12);
		const steepest = (5 * 2 * Math.PI * FRAME_MS) / period;
		for (let i = 1; i < path.length; i++) expect(Math.abs((path[i] as number) - (path[i - 1] as number))).toBeLessThanOrEqual(steepest + 1e-9);
	});
});

describe("several commands", () => {
	test("are performed one after the other", () => {
		body.perform({ motion: raise });
		body.perform({ motion: raise, direction: -1 });
		expect(body.angle(RIGHT)).toBe(120);
		untilRest();
		expect(angles()).toEqual([160, 20, 90]);
	});

	test("are refused as a whole where too many would wait", () => {
		for (let i = 0; i <= MAX_WAITING; i++) expect(body.perform({ motion: nod })).toBe(true);
		expect(body.perform({ motion: raise })).toBe(false);
		body.stop();
		expect(body.perform({ motion: nod }, { motion: nod }, { motion: raise })).toBe(true);
		untilRest();
		expect(body.angle(LEFT)).toBe(160);
	});

	test("to one joint at once end in the last one's position", () => {
		body.turn(LEFT, 180, 500);
		body.turn(LEFT, 10, 500);
		untilRest();
		expect(body.angle(LEFT)).toBe(10);
		expect(Math.max(...trail(10))).toBe(60);
	});

	test("to different joints go on together", () => {
		body.turn(LEFT, 100, 400);
		jest.advanceTimersByTime(200);
		body.turn(HEAD, 100, 400);
		untilRest();
		expect(angles()).toEqual([100, 120, 100]);
	});

	test.each([
		["a turn", () => body.turn(LEFT, 100, 200), [100, 120]],
		["home", () => body.goHome(), [60, 120]],
	])("%s ends what the body performs and all that waits", (_, command, expected) => {
		body.perform({ motion: nod, steps: 100, amount: 10 }, { motion: raise, direction: -1 });
		jest.advanceTimersByTime(230);
		command();
		expect(untilRest()).toBeLessThan(1000);
		expect(angles().slice(0, 2)).toEqual(expected);
	});
});

describe("stop", () => {
	test("takes effect within 20 ms, drops what waits and leaves every joint where it is", () => {
		body.perform({ motion: raise }, { motion: raise, direction: -1 });
		jest.advanceTimersByTime(200);
		body.stop();
		expect(body.moving).toBe(false);
		const before = angles();
		expect(before[LEFT]).toBeGreaterThan(60);
		const sent = trail(10).length;
		jest.advanceTimersByTime(20);
		expect(pulses(10)).toBe(before[LEFT]);
		jest.advanceTimersByTime(5000);
		expect(angles()).toEqual(before);
		expect(trail(10)).toHaveLength(sent);
	});

	test("is nothing to a body at rest", () => {
		body.stop();
		expect(jest.getTimerCount()).toBe(0);
	});

	test("lets the next motion begin where it stopped", () => {
		body.turn(LEFT, 160, 1000);
		jest.advanceTimersByTime(500);
		body.stop();
		const stopped = body.angle(LEFT);
		body.turn(LEFT, 160, 1000);
		jest.advanceTimersByTime(FRAME_MS);
		expect(Math.abs(body.angle(LEFT) - stopped)).toBeLessThan(2);
	});
});

describe("the servos", () => {
	test("hold the body while a joint moves, and are let go of a second after it", () => {
		body.turn(LEFT, 100, 200);
		expect([pulses(10), pulses(11), pulses(12)]).toEqual([60, 120, 90]);
		untilRest();
		jest.advanceTimersByTime(999);
		expect(pulses(10)).toBe(100);
		jest.advanceTimersByTime(1);
		expect([pulses(10), pulses(11), pulses(12)]).toEqual([undefined, undefined, undefined]);
		expect(jest.getTimerCount()).toBe(0);
	});

	test("are let go of when one cannot be had, and nothing moves", () => {
		FakeServo.refuse = true;
		expect(() => body.perform({ motion: raise })).toThrow("channels");
		FakeServo.refuse = false;
		expect(body.moving).toBe(false);
		expect(servos.every(({ closed }) => closed)).toBe(true);
		body.perform({ motion: raise });
		untilRest();
		expect(body.angle(LEFT)).toBe(160);
	});

	test("do nothing after the body is closed", () => {
		body.perform({ motion: raise });
		body.close();
		body.close();
		body.perform({ motion: raise });
		body.turn(LEFT, 0, 100);
		body.goHome();
		body.setTrim(LEFT, 5);
		expect(servos.every(({ closed }) => closed)).toBe(true);
		expect(jest.getTimerCount()).toBe(0);
	});
});

describe("trims", () => {
	test("shift the servo, not the joint's angle", () => {
		body.setTrim(LEFT, 7);
		untilRest();
		expect([body.angle(LEFT), pulses(10)]).toEqual([60, 67]);
	});

	test("survive a restart", () => {
		body.setTrim(LEFT, -30);
		body.close();
		body = createBody();
		expect(body.trim(LEFT)).toBe(-30);
		expect(body.trim(RIGHT)).toBe(0);
	});

	test.each(["7", 31, -31, true, new ArrayBuffer(4)])("count as 0 where %p is kept", (kept) => {
		Preference.set(DOMAIN, "left", kept);
		body = createBody();
		expect(body.trim(LEFT)).toBe(0);
	});

	test("are limited", () => {
		body.setTrim(LEFT, 300);
		expect(body.trim(LEFT)).toBe(30);
	});
});

test.each([Number.NaN, -1000])("comes to an end whatever it is asked for, such as a time of %p ms", (time) => {
	body.turn(LEFT, 100, time);
	expect(untilRest()).toBeLessThan(1000);
	expect(body.angle(LEFT)).toBe(100);
	body.perform({ motion: nod, period: time, amount: 10, steps: 2 }, { motion: { cycle: [{ angles: [[LEFT, 20]], time: [0, 1] }] }, period: time });
	untilRest();
	expect(angles()).toEqual([60, 120, 90]);
});

test("ignores a joint that is not there", () => {
	body.turn(7, 90, 100);
	body.setTrim(-1, 5);
	expect([body.angle(7), body.trim(7)]).toEqual([Number.NaN, Number.NaN]);
	expect(body.moving).toBe(false);
});
