// Melodies and the strip's animations, as a model asks for them.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { createBoard } from "board/board";
import { blinkStrip, showEffect, stripAnimationTools } from "tools/light";
import { playMelody } from "tools/speaker";
import { made } from "../fakes/moddable.js";
import { call } from "./call.js";

let board: ReturnType<typeof createBoard>;

beforeEach(() => {
	jest.useFakeTimers();
	board = createBoard();
});
afterEach(() => {
	board.close();
	jest.useRealTimers();
});

/** What is heard, in Hz; undefined while it is silent. */
const tone = () => (made.panel.get("sound") as { frequency: number }).frequency || undefined;
const pixels = () => (made.panel.get("light") as { pixels: number[][] }).pixels;

describe("self.audio_speaker.play_melody", () => {
	test.each([
		["A4", 440],
		["A5", 880],
		["C4", 261.63],
		["C#4", 277.18],
		["Db4", 277.18],
		["Cb4", 246.94],
		["B#4", 523.25],
		["C1", 32.7],
		["B8", 7902.13],
	])("plays %p as %p Hz", (note, frequency) => {
		expect(call(playMelody, { notes: note }, board)).toBe(true);
		expect(tone()).toBeCloseTo(frequency, 2);
	});

	test("plays notes in their order, in their lengths, with gaps between them", () => {
		call(playMelody, { notes: " A4  A4:100 R A5:200 ", duration: 400 }, board);
		const heard: (number | undefined)[] = [];
		for (let time = 10; time < 1200; time += 10) {
			if (heard.at(-1) !== tone() || !heard.length) heard.push(tone());
			jest.advanceTimersByTime(10);
		}
		expect(heard).toEqual([440, undefined, 440, undefined, 880, undefined]);
		expect(jest.getTimerCount()).toBe(0);
	});

	test.each(["H4", "a4", "A", "A9", "A0", "C##4", "A4:", "A4:5000", "A4:4001", "A4:0", "A4:20", "A4,A5", "R4", "C4 x", " "])(
		"refuses %p and says why",
		(notes) => {
			expect(() => call(playMelody, { notes }, board)).toThrow(/is not a note|must hold 1 to 64/);
			expect(tone()).toBeUndefined();
		},
	);

	test("takes 64 notes and not 65", () => {
		call(playMelody, { notes: "A4 ".repeat(64) }, board);
		expect(() => call(playMelody, { notes: "A4 ".repeat(65) }, board)).toThrow("got 65");
	});
});

describe("the strip's animations", () => {
	const [, scroll] = stripAnimationTools(8);

	test("blink goes on until another command", () => {
		call(blinkStrip, { red: 1, green: 2, blue: 3, interval: 500 }, board);
		expect(pixels()).toEqual(new Array(8).fill([1, 2, 3]));
		jest.advanceTimersByTime(500);
		expect(pixels()).toEqual(new Array(8).fill([0, 0, 0]));
		board.light.setAll(9, 9, 9);
		jest.advanceTimersByTime(5000);
		expect(pixels()).toEqual(new Array(8).fill([9, 9, 9]));
	});

	test.each([
		[1, 0],
		[7, 1000],
	])("scroll with %p LEDs every %p ms", (length, interval) => {
		call(scroll, { red: 255, green: 0, blue: 0, length, interval }, board);
		jest.advanceTimersByTime(interval || 20);
		expect(pixels().filter(([red]) => red === 255)).toHaveLength(length);
		expect(pixels()[0]).toEqual([0, 0, 0]);
	});

	test.each([{ length: 0 }, { length: 8 }, { interval: -1 }, { interval: 1001 }, { red: 256 }])("scroll refuses %p", (wrong) => {
		expect(() => call(scroll, { red: 1, green: 1, blue: 1, length: 2, interval: 100, ...wrong }, board)).toThrow(RangeError);
	});

	test("breathe takes its color, rainbow needs none", () => {
		call(showEffect, { effect: "breathe", green: 0, blue: 0 }, board);
		jest.advanceTimersByTime(20 * 50);
		expect(pixels()[0]).toEqual([255, 0, 0]);
		call(showEffect, { effect: "rainbow" }, board);
		expect(new Set(pixels().map(String)).size).toBeGreaterThan(5);
		expect(() => call(showEffect, { effect: "fire" }, board)).toThrow(RangeError);
	});

	test("a single LED has nothing to scroll over", () => {
		expect(stripAnimationTools(1).map(({ name }) => name)).toEqual(["self.led_strip.blink"]);
	});
});
