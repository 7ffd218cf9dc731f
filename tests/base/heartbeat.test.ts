// When a silent peer is pinged, and when it is given up.

import { expect, test } from "@jest/globals";
import { Heartbeat } from "base/heartbeat";
import { ManualTimers } from "../mcp/support.js";

function start(always: boolean) {
	const timers = new ManualTimers();
	const events: string[] = [];
	const watched = { ping: () => void events.push(`ping at ${timers.now}`), onSilent: () => void events.push(`silent at ${timers.now}`) };
	const heartbeat = new Heartbeat(watched, timers, 1000, always);
	heartbeat.start();
	return { timers, events, heartbeat };
}

test("pings after a silent interval and gives up after another one", () => {
	const { timers, events } = start(false);
	timers.advance(999);
	expect(events).toEqual([]);
	timers.advance(10_000);
	expect(events).toEqual(["ping at 1000", "silent at 2000"]);
	expect(timers.size).toBe(0);
});

test("does not ping a peer that was heard, and forgets a ping that was answered", () => {
	const { timers, events, heartbeat } = start(false);
	for (let i = 0; i < 5; i++) {
		timers.advance(500);
		heartbeat.alive = true;
		timers.advance(500);
	}
	expect(events).toEqual([]);
	timers.advance(1000);
	heartbeat.alive = true;
	timers.advance(2000);
	expect(events).toEqual(["ping at 6000", "ping at 8000"]);
	timers.advance(1000);
	expect(events.at(-1)).toBe("silent at 9000");
});

test("pings in every interval where that is asked for, from the start, and gives up after the first silent one", () => {
	const { timers, events, heartbeat } = start(true);
	expect(events).toEqual(["ping at 0"]);
	timers.advance(500);
	heartbeat.alive = true;
	timers.advance(500);
	heartbeat.alive = true;
	timers.advance(10_000);
	expect(events).toEqual(["ping at 0", "ping at 1000", "ping at 2000", "silent at 3000"]);
});

test("stops at once, and can be started again", () => {
	const { timers, events, heartbeat } = start(false);
	timers.advance(1500);
	heartbeat.stop();
	heartbeat.stop();
	expect(timers.size).toBe(0);
	heartbeat.start();
	expect(timers.size).toBe(1);
	timers.advance(999);
	expect(events).toEqual(["ping at 1000"]);
});

test("a ping that ends the connection leaves no timer behind", () => {
	const timers = new ManualTimers();
	const heartbeat: Heartbeat = new Heartbeat({ ping: () => heartbeat.stop(), onSilent: () => {} }, timers, 1000, true);
	heartbeat.start();
	expect(timers.size).toBe(0);
});
