// Sentences and emotions on a screen, however many there are.

import { expect, test } from "@jest/globals";
import { DRAW_INTERVAL_MS, SHOWN_MS, Subtitles } from "../../src/system/subtitles.js";
import { ManualTimers } from "../mcp/support.js";

function createSubtitles() {
	const timers = new ManualTimers();
	const shown: string[] = [];
	return { timers, shown, subtitles: new Subtitles(timers, (text) => shown.push(text)) };
}

test("the newest sentence is shown with the emotion, and taken away after a while", () => {
	const { timers, shown, subtitles } = createSubtitles();
	subtitles.take("user", "Hello");
	timers.advance(DRAW_INTERVAL_MS);
	subtitles.take("emotion", "happy");
	subtitles.take("assistant", "Hi!");
	subtitles.take("call", "self.light.turn_on");
	timers.advance(DRAW_INTERVAL_MS);
	timers.advance(SHOWN_MS);
	expect(shown).toEqual(["- Hello", "(happy) Hi!", ""]);
	expect(timers.size).toBe(0);
});

test("a backend that sends texts and emotions without end is drawn once each interval", () => {
	const { timers, shown, subtitles } = createSubtitles();
	for (let i = 0; i < 10_000; i++) {
		subtitles.take("assistant", `${i}`);
		subtitles.take("emotion", `${i}`);
		timers.advance(1);
	}
	expect(shown.length).toBeLessThanOrEqual(10_000 / DRAW_INTERVAL_MS);
	// And what is new is seen all the same.
	expect(shown.length).toBeGreaterThan(30);
	expect(timers.size).toBeLessThanOrEqual(2);
	subtitles.close();
	expect(timers.size).toBe(0);
});
