// What the animations draw, step by step.

import { expect, test } from "@jest/globals";
import type { Frame } from "hardware/rgb-light";
import { blink, breathe, rainbow, scroll } from "tools/animations";

/** The pixels at some steps, each as `[red, green, blue]`. */
function draw(frame: Frame, length: number, steps: number): number[][][] {
	const colors = new Uint8Array(length * 3);
	return Array.from({ length: steps }, (_, step) => {
		frame(step, colors);
		return Array.from({ length }, (_, index) => [...colors.subarray(index * 3, index * 3 + 3)]);
	});
}

const dark = [0, 0, 0];

test("blink lights every pixel at every other step", () => {
	const lit = [1, 2, 255];
	expect(draw(blink(1, 2, 255), 2, 3)).toEqual([
		[lit, lit],
		[dark, dark],
		[lit, lit],
	]);
});

test("scroll moves a run of pixels, around the end as well", () => {
	const lit = [9, 8, 7];
	expect(draw(scroll(9, 8, 7, 2), 4, 5)).toEqual([
		[lit, lit, dark, dark],
		[dark, lit, lit, dark],
		[dark, dark, lit, lit],
		[lit, dark, dark, lit],
		[lit, lit, dark, dark],
	]);
});

test("scroll with more pixels than there are lights all", () => {
	expect(draw(scroll(9, 8, 7, 100), 2, 1)).toEqual([
		[
			[9, 8, 7],
			[9, 8, 7],
		],
	]);
});

test("breathe rises from darkness to the color and back, and begins anew", () => {
	const red = draw(breathe(255, 100, 0), 1, 41).map(([pixel]) => pixel?.[0] as number);
	expect([red[0], red[20], red[40]]).toEqual([0, 255, 0]);
	for (let step = 1; step <= 20; step++) {
		expect(red[step]).toBeGreaterThanOrEqual(red[step - 1] as number);
		expect(red[40 - step]).toBe(red[step]);
	}
});

test("rainbow spreads the hues over the pixels and turns them", () => {
	const steps = draw(rainbow(), 3, 65);
	expect(new Set(steps[0]?.map(String))).toEqual(new Set(["255,0,0", "0,255,0", "0,0,255"]));
	expect(steps[1]).not.toEqual(steps[0]);
	expect(steps[64]).toEqual(steps[0]);
	for (const pixels of steps) for (const pixel of pixels) expect(Math.max(...pixel)).toBe(255);
});
