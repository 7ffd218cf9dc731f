// What a device says by itself: how often, how late, and what is refused.

import { expect, test } from "@jest/globals";
import { MAX_SAYINGS_AN_HOUR, MAX_WAITING_SAYINGS, SAY_INTERVAL_MS, SAY_LIMIT_MS, Sayings } from "../../src/session/sayings.js";
import { ManualTimers } from "../mcp/support.js";

function createSayings(online = true) {
	const timers = new ManualTimers();
	const said: string[] = [];
	const logged: string[] = [];
	const state = { online, woken: 0 };
	const sayings = new Sayings({
		timers,
		log: (line) => logged.push(line),
		wake: () => void state.woken++,
		send: (text) => state.online && said.push(text) > 0,
	});
	return { sayings, timers, said, logged, state };
}

test("a sentence is said at once, the next one a second later", () => {
	const { sayings, timers, said, state } = createSayings();
	for (const text of ["a", "b", "c"]) expect(sayings.say(text)).toBe(true);
	timers.advance(0);
	expect(said).toEqual(["a"]);
	timers.advance(SAY_INTERVAL_MS);
	expect(said).toEqual(["a", "b"]);
	timers.advance(2 * SAY_INTERVAL_MS);
	expect(said).toEqual(["a", "b", "c"]);
	expect(state.woken).toBe(3);
	sayings.close();
	expect(timers.size).toBe(0);
});

test("within an hour 30 sentences are said, and then no more until it is over", () => {
	const { sayings, timers, said, logged } = createSayings();
	for (let i = 0; i < MAX_SAYINGS_AN_HOUR; i++) {
		expect(sayings.say(`${i}`)).toBe(true);
		timers.advance(SAY_INTERVAL_MS);
	}
	expect(sayings.say("one more")).toBe(false);
	expect(logged).toEqual(["say: refused: 30 sentences were said within an hour"]);
	timers.advance(3_600_000);
	expect(sayings.say("later")).toBe(true);
	timers.advance(SAY_INTERVAL_MS);
	expect(said).toHaveLength(MAX_SAYINGS_AN_HOUR + 1);
});

test("without an assistant a sentence is dropped after a minute, unless it is to be kept", () => {
	const { sayings, timers, said, logged, state } = createSayings(false);
	sayings.say("soon or never");
	sayings.say("whenever", true);
	timers.advance(SAY_LIMIT_MS + 2 * SAY_INTERVAL_MS);
	expect(logged).toEqual(["say: dropped a sentence: no assistant for a minute"]);
	timers.advance(86_400_000);
	state.online = true;
	timers.advance(SAY_INTERVAL_MS);
	expect(said).toEqual(["whenever"]);
});

test("a sentence in time is said when the assistant comes back", () => {
	const { sayings, timers, said, state } = createSayings(false);
	sayings.say("soon");
	timers.advance(SAY_LIMIT_MS - SAY_INTERVAL_MS);
	state.online = true;
	timers.advance(SAY_INTERVAL_MS);
	expect(said).toEqual(["soon"]);
});

test("control characters become spaces; what is too long, empty, no text or too much is refused in words", () => {
	const { sayings, timers, said, logged } = createSayings();
	expect(["x".repeat(10_240), " \n\u0000 ", ""].map((text) => sayings.say(text))).toEqual([false, false, false]);
	expect(sayings.say(5 as never)).toBe(false);
	expect(sayings.say('a\nb\u0007c"\u2028')).toBe(true);
	timers.advance(0);
	expect(said).toEqual(['a b c"']);
	for (let i = 0; i < MAX_WAITING_SAYINGS; i++) sayings.say("more");
	expect(sayings.say("too many")).toBe(false);
	expect(logged).toEqual([
		"say: refused: a sentence has at most 500 characters",
		"say: refused: there is nothing in it",
		"say: refused: there is nothing in it",
		"say: refused: a sentence has at most 500 characters",
		"say: refused: 4 sentences are waiting",
	]);
});
