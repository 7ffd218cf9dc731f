// Timers: when they are due, what outlives a restart, and what is refused.

import { beforeEach, describe, expect, test } from "@jest/globals";
import Preference from "preference";
import { MAX_TIMERS, TimerList, type TimerListOptions } from "system/timer-list";
import { ManualTimers } from "../mcp/support.js";

const DOMAIN = "mcp-timers";
/** 2026-11-21T20:00:00Z */
const EVENING = Date.UTC(2026, 10, 21, 20);

beforeEach(() => {
	for (const key of Preference.keys(DOMAIN)) Preference.delete(DOMAIN, key);
});

/** A device that is switched on at `startMs`; its clock goes on with the timers. */
function switchOn(startMs = EVENING, more: Partial<TimerListOptions> = {}) {
	const timers = new ManualTimers();
	const said: string[] = [];
	const called: string[] = [];
	const told: object[] = [];
	const logged: string[] = [];
	const clock = { ahead: startMs };
	const list = new TimerList({
		timers,
		log: (line) => logged.push(line),
		say: (text) => said.push(text),
		checkCall: (tool, args) =>
			tool === "lamp.off" || tool === "volume" ? ("volume" in args && args.volume === 900 ? "too loud" : undefined) : `Unknown tool: ${tool}`,
		call(tool, args, done) {
			called.push(`${tool} ${JSON.stringify(args)}`);
			done(tool === "volume" ? "it is stuck" : undefined);
		},
		names: () => ["volume"],
		notify: (params) => told.push(params),
		now: () => clock.ahead + timers.now,
		...more,
	});
	return { list, timers, said, called, told, logged, clock };
}

const once = { repeat: false };

describe("a timer", () => {
	test("says its sentence when its seconds have passed, once", () => {
		const { list, timers, said, told } = switchOn();
		expect(list.set({ seconds: 90, say: "The oven", ...once })).toEqual({
			id: 1,
			in_seconds: 90,
			at: "2026-11-21T20:01:30",
			repeat: false,
			say: "The oven",
		});
		timers.advance(89_999);
		expect(said).toEqual([]);
		timers.advance(1);
		timers.advance(86_400_000);
		expect(said).toEqual(["A timer that was set is due: The oven"]);
		expect(told).toEqual([{ id: 1, say: "The oven" }]);
		expect([list.list(), Preference.keys(DOMAIN), timers.size]).toEqual([[], [], 0]);
	});

	test("calls its tool, and what goes wrong is told and logged", () => {
		const { list, timers, called, told, logged } = switchOn();
		list.set({ seconds: 1, tool: "lamp.off", ...once });
		list.set({ seconds: 2, tool: "volume", args: '{"volume":30}', ...once });
		timers.advance(2000);
		expect(called).toEqual(["lamp.off {}", 'volume {"volume":30}']);
		expect(told).toEqual([
			{ id: 1, tool: "lamp.off", error: undefined },
			{ id: 2, tool: "volume", error: "it is stuck" },
		]);
		expect(logged.at(-1)).toBe("timer 2: it is stuck");
	});

	test.each([
		["22:00", 0, 7200],
		["19:59:30", 0, 86_370],
		["22:00", 480, 64_800],
		["2026-11-21T20:00:01", 0, 1],
		["2026-11-22 04:30", 480, 1800],
	])("at %p, %p minutes ahead of UTC, is due in %p seconds", (at, zone, seconds) => {
		const { list } = switchOn(EVENING, { zone });
		expect(list.set({ at, say: "x", ...once }).in_seconds).toBe(seconds);
	});

	test("that repeats is due each day at its time, or each time that its seconds have passed", () => {
		const { list, timers, said } = switchOn();
		list.set({ at: "22:00", say: "bed", repeat: true });
		list.set({ seconds: 3 * 3600, say: "drink", repeat: true });
		timers.advance(2 * 86_400_000);
		expect(said.filter((text) => text.endsWith("bed"))).toHaveLength(2);
		expect(said.filter((text) => text.endsWith("drink"))).toHaveLength(16);
		expect(list.list().map(({ in_seconds }) => in_seconds)).toEqual([7200, 10_800]);
	});

	test("that was cancelled is not due", () => {
		const { list, timers, said } = switchOn();
		const { id } = list.set({ seconds: 5, say: "x", ...once });
		list.cancel(id);
		timers.advance(10_000);
		expect([said, timers.size]).toEqual([[], 0]);
		expect(() => list.cancel(id)).toThrow("There is no timer 1");
	});
});

describe("a restart", () => {
	test("loses no timer, and those that are still to come are due in time", () => {
		const before = switchOn();
		before.list.set({ seconds: 600, say: "later", ...once });
		before.list.set({ at: "22:00", tool: "lamp.off", repeat: true });
		before.list.close();
		const { timers, said, called } = switchOn(EVENING + 300_000);
		timers.advance(300_000);
		expect(said).toEqual(["A timer that was set is due: later"]);
		timers.advance(7_000_000);
		expect(called).toEqual(["lamp.off {}"]);
	});

	test("tells once what came due while the device was off, and does not make up for it", () => {
		const before = switchOn();
		before.list.set({ seconds: 60, say: "oven", ...once });
		before.list.set({ seconds: 60, tool: "lamp.off", ...once });
		before.list.set({ at: "20:05", say: "news", repeat: true });
		before.list.set({ seconds: 120, say: "drink", repeat: true });
		before.list.close();
		const { said, called, list, timers, logged } = switchOn(EVENING + 600_000);
		expect(said).toEqual(["While the device was off, this came due: oven; lamp.off; news"]);
		expect(logged).toEqual(["timer: 3 came due while the device was off"]);
		expect(list.list().map(({ id, in_seconds }) => [id, in_seconds])).toEqual([
			[3, 86_400 - 300],
			[4, 120],
		]);
		list.close();
		expect([switchOn(EVENING + 610_000).said, called, timers.size]).toEqual([[], [], 0]);
	});

	test("without the time waits for it, while what has no need of it goes on", () => {
		switchOn().list.set({ at: "22:00", tool: "lamp.off", repeat: true });
		const { list, timers, called, said, clock } = switchOn(5000);
		expect(() => list.set({ at: "21:00", say: "x", ...once })).toThrow("The device does not know the time: give seconds instead of at");
		list.set({ seconds: 10, say: "short", ...once });
		list.set({ seconds: 600, say: "long", ...once });
		timers.advance(60_000);
		expect(said).toEqual(["A timer that was set is due: short"]);
		// The clock is set, from one moment to the next.
		clock.ahead = EVENING - 60_000;
		timers.advance(60_000);
		expect(list.list().map(({ in_seconds }) => in_seconds)).toEqual([7140, 480]);
		timers.advance(7_140_000);
		expect([said, called]).toEqual([["A timer that was set is due: short", "A timer that was set is due: long"], ["lamp.off {}"]]);
	});

	test("forgets what is damaged in the store, with a line in the log", () => {
		for (const [at, damaged] of [
			"{",
			"5",
			'{"due":"x"}',
			'{"due":1,"every":1,"say":"x","tool":"","args":""}',
			'{"due":1,"every":0,"say":"x"}',
		].entries())
			Preference.set(DOMAIN, `t${at + 1}`, damaged);
		const { list, logged } = switchOn();
		expect([list.list(), Preference.keys(DOMAIN)]).toEqual([[], []]);
		expect(logged).toHaveLength(5);
	});
});

describe("it refuses", () => {
	test.each([
		[{ say: "x" }, "Give either seconds or at"],
		[{ seconds: 1, at: "22:00", say: "x" }, "Give either seconds or at"],
		[{ seconds: 1 }, "Give either say or tool"],
		[{ seconds: 1, say: "x", tool: "lamp.off" }, "Give either say or tool"],
		[{ seconds: 1, say: "\ud800" }, "Half of a character cannot be kept"],
		[{ seconds: 1, tool: "gone" }, "Unknown tool: gone"],
		[{ seconds: 1, tool: "volume", args: '{"volume":900}' }, "too loud"],
		[{ seconds: 1, tool: "volume", args: "[]" }, 'arguments must be a JSON object as text, such as {"volume": 30}'],
		[{ seconds: 1, tool: "volume", args: `${'{"volume":'.repeat(19)}1` }, "arguments must be a JSON object"],
		[{ at: "25:00", say: "x" }, "There is no time 25:00"],
		[{ at: "tomorrow", say: "x" }, 'at must look like "22:00" or "2027-01-31T22:00"'],
		[{ at: "2026-02-30T25:00", say: "x" }, "at must look like"],
		[{ at: "2026-11-21T19:59", say: "x" }, "That time has passed: it is 2026-11-21T20:00:00"],
		[{ at: "2036-11-21T19:59", say: "x" }, "That is more than a year ahead"],
		[{ at: "2026-12-21T19:59", say: "x", repeat: true }, "A timer that repeats has a time of day, as in 22:00"],
		[{ seconds: 59, say: "x", repeat: true }, "A timer that repeats waits at least 60 seconds"],
	])("%j", (timer, problem) => {
		const { list } = switchOn();
		expect(() => list.set({ repeat: false, ...timer })).toThrow(problem);
		expect([list.list(), Preference.keys(DOMAIN)]).toEqual([[], []]);
	});

	test("a 17th timer, until one of the 16 is cancelled", () => {
		const { list } = switchOn();
		for (let i = 0; i < MAX_TIMERS; i++) list.set({ seconds: 60, say: "x".repeat(200), ...once });
		expect(() => list.set({ seconds: 60, say: "x", ...once })).toThrow("16 timers are set already: cancel one first");
		list.cancel(7);
		expect(list.set({ seconds: 60, say: "x", ...once }).id).toBe(7);
	});
});

test("the zone that a server told is kept, the owner's goes before it", () => {
	switchOn().list.setZone(480);
	const { list } = switchOn();
	expect(list.set({ seconds: 60, say: "x", ...once }).at).toBe("2026-11-22T04:01:00");
	const own = switchOn(EVENING, { zone: -60 }).list;
	own.setZone(120);
	expect(own.list()[0]?.at).toBe("2026-11-21T19:01:00");
	for (const wrong of [0.5, 100_000, Number.NaN]) list.setZone(wrong);
	expect(list.list()[0]?.at).toBe("2026-11-22T04:01:00");
});
