// A device's memory of its lives: when it takes itself back, and what it knows about its restarts.

import { beforeEach, expect, test } from "@jest/globals";
import Preference from "preference";
import { GOOD_LIFE_MS, Life, MAX_REASONS } from "system/life";
import { LONG_PRESS_MS, LongPress } from "system/long-press";
import { ManualTimers } from "../mcp/support.js";

let logged: string[] = [];
let restarts = 0;

beforeEach(() => {
	for (const key of Preference.keys("mcp-life")) Preference.delete("mcp-life", key);
	logged = [];
	restarts = 0;
});

function begin(resetReason?: string): { life: Life; timers: ManualTimers } {
	const timers = new ManualTimers();
	const system = { version: "1", chip: "x", macAddress: "m", uuid: "u", resetReason, restart: () => restarts++ };
	return { timers, life: new Life({ system, timers, log: (line) => logged.push(line) }) };
}

test("three lives that end early make the fourth a safe one", () => {
	for (let i = 0; i < 3; i++) expect(begin().life.safeMode).toBe(false);
	expect(begin().life.safeMode).toBe(true);
	expect(logged).toEqual(["life: safe mode after repeated failures: only the common tools and the main session"]);
	// And it stays so until one is good.
	expect(begin().life.safeMode).toBe(true);
});

test("a good hello ends the count", () => {
	for (let i = 0; i < 3; i++) begin();
	const { life, timers } = begin();
	expect(life.safeMode).toBe(true);
	life.good();
	expect(timers.size).toBe(0);
	for (let i = 0; i < 3; i++) expect(begin().life.safeMode).toBe(false);
	expect(begin().life.safeMode).toBe(true);
});

test("a life of a minute counts as good, one a moment shorter does not", () => {
	for (let i = 0; i < 3; i++) begin().timers.advance(GOOD_LIFE_MS - 1);
	const { life, timers } = begin();
	expect(life.safeMode).toBe(true);
	timers.advance(GOOD_LIFE_MS);
	expect(begin().life.safeMode).toBe(false);
});

test("restarts that were asked for, and a plug that was pulled, are no failures", () => {
	for (let i = 0; i < 5; i++) {
		const { life } = begin();
		expect(life.safeMode).toBe(false);
		life.restart("self.reboot");
	}
	expect(restarts).toBe(5);
	for (let i = 0; i < 5; i++) expect(begin("power on").life.safeMode).toBe(false);
});

test("knows why it was restarted, the last ten times", () => {
	begin("power on").life.restart("self.reboot");
	begin().life.plan("set up");
	begin();
	expect(begin("panic").life.restarts).toEqual(["power on", "self.reboot", "set up", "panic"]);
	for (let i = 0; i < 12; i++) begin("brownout");
	expect(begin("panic").life.restarts).toEqual([...Array(MAX_REASONS - 1).fill("brownout"), "panic"]);
});

test("knows why connections were lost, the last ten, in one line each", () => {
	const { life } = begin();
	life.lost("session", `two\nlines ${"x".repeat(200)}`);
	expect(life.disconnects[0]?.reason).toMatch(/^session: two lines x+…$/);
	expect(life.disconnects[0]?.reason).toHaveLength(100);
	expect(life.disconnects[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
	for (let i = 0; i < 12; i++) life.lost("endpoint", `reason ${i}`);
	expect(life.disconnects.map(({ reason }) => reason)).toEqual(Array.from({ length: MAX_REASONS }, (_, i) => `endpoint: reason ${i + 2}`));
});

test.each([
	["crashes", "many"],
	["crashes", 99],
	["restarts", 5],
	["planned", true],
])("starts whatever is kept under %s", (key, value) => {
	Preference.set("mcp-life", key, value);
	expect(begin().life.safeMode).toBe(false);
});

test("a button that is held for 5 s is a long press, once; one that is let go before is none", () => {
	const timers = new ManualTimers();
	let presses = 0;
	const watch = new LongPress(timers, () => presses++);
	const press = (pressed: unknown, button: unknown = "a") => watch.see("button_changed", { button, pressed });
	press(true);
	timers.advance(LONG_PRESS_MS - 1);
	press(false, "b");
	press(false);
	timers.advance(LONG_PRESS_MS);
	expect(presses).toBe(0);
	press(true);
	timers.advance(60_000);
	press(false);
	expect(presses).toBe(1);
	watch.see("touch_changed", { pressed: true });
	press("yes");
	expect(timers.size).toBe(0);
	press(true);
	watch.close();
	watch.close();
	expect(timers.size).toBe(0);
});

test("close leaves no timer behind, twice", () => {
	const { life, timers } = begin();
	life.close();
	life.close();
	expect(timers.size).toBe(0);
});
