// What every RgbLight promises; simulated parts and drivers pass the same tests.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { RgbLight } from "hardware/rgb-light";

/**
 * @param create its `seen` is what an observer sees: the pixels as `[red, green, blue]`, all black while the light is off
 * @param visible what can be seen of a color, where the hardware knows fewer
 */
export function rgbLightContract(
	name: string,
	create: () => { light: RgbLight; seen(): number[][] },
	visible: (color: number[]) => number[] = (color) => color,
): void {
	const black = (light: RgbLight) => Array.from({ length: light.length }, () => [0, 0, 0]);

	/** Lights all pixels in the number of the step. */
	const count = (step: number, colors: Uint8Array) => {
		colors.fill(step);
	};

	describe(`${name} as an RgbLight`, () => {
		beforeEach(() => {
			jest.useFakeTimers();
		});
		afterEach(() => {
			jest.useRealTimers();
		});

		test("is dark at first, and white when it is turned on before any color was set", () => {
			const { light, seen } = create();
			expect(light.on).toBe(false);
			expect(seen()).toEqual(black(light).map(visible));
			light.setPower(true);
			expect(light.on).toBe(true);
			expect(seen()).toEqual(
				black(light)
					.map(() => [255, 255, 255])
					.map(visible),
			);
		});

		test("shows a color on every pixel and turns on by it", () => {
			const { light, seen } = create();
			light.setAll(255, 0, 7);
			expect(light.on).toBe(true);
			expect(seen()).toEqual(
				black(light)
					.map(() => [255, 0, 7])
					.map(visible),
			);
		});

		test("keeps its colors while it is off", () => {
			const { light, seen } = create();
			light.setAll(1, 2, 3);
			light.setPower(false);
			expect(light.on).toBe(false);
			expect(seen()).toEqual(black(light).map(visible));
			light.setPower(true);
			expect(seen()).toEqual(
				black(light)
					.map(() => [1, 2, 3])
					.map(visible),
			);
		});

		test("sets single pixels beside those that were set before", () => {
			const { light, seen } = create();
			const expected = black(light);
			for (const index of new Set([0, light.length - 1])) {
				light.setPixel(index, 10 + index, 20, 30);
				expected[index] = [10 + index, 20, 30];
				expect(seen()).toEqual(expected.map(visible));
			}
			expect(light.on).toBe(true);
		});

		test.each([-1, 0.5, Number.NaN])("refuses pixel %p", (index) => {
			const { light, seen } = create();
			expect(() => light.setPixel(index, 1, 1, 1)).toThrow(RangeError);
			expect(() => light.setPixel(light.length, 1, 1, 1)).toThrow(RangeError);
			expect(seen()).toEqual(black(light).map(visible));
		});

		test("clamps color parts and brightness", () => {
			const { light, seen } = create();
			light.setAll(300, -5, 12.6);
			expect(seen()[0]).toEqual(visible([255, 0, 13]));
			light.setBrightness(101);
			expect(light.brightness).toBe(100);
			light.setBrightness(-1);
			expect(light.brightness).toBe(0);
			light.setBrightness(12.5);
			expect(light.brightness).toBe(13);
		});

		test("shows an animation at once and step by step", () => {
			const { light, seen } = create();
			light.animate(count, 100);
			expect(light.on).toBe(true);
			expect(seen()).toEqual(black(light).map(visible));
			jest.advanceTimersByTime(100);
			expect(seen()).toEqual(
				black(light)
					.map(() => [1, 1, 1])
					.map(visible),
			);
			jest.advanceTimersByTime(199);
			expect(seen()).toEqual(
				black(light)
					.map(() => [2, 2, 2])
					.map(visible),
			);
			light.close();
		});

		test.each([0, -1, Number.NaN, 19])("takes an interval of %p ms for 20", (interval) => {
			const { light, seen } = create();
			light.animate(count, interval);
			jest.advanceTimersByTime(1000);
			expect(seen()[0]).toEqual(visible([50, 50, 50]));
			light.close();
		});

		test("changes the brightness of an animation without ending it", () => {
			const { light, seen } = create();
			light.animate(count, 100);
			light.setBrightness(50);
			jest.advanceTimersByTime(100);
			expect(seen()[0]).toEqual(visible([1, 1, 1]));
			light.close();
		});

		test.each<[string, (light: RgbLight) => void, number[]]>([
			["turning it on", (light) => light.setPower(true), [4, 5, 6]],
			["turning it off", (light) => light.setPower(false), [0, 0, 0]],
			["setting all pixels", (light) => light.setAll(7, 8, 9), [7, 8, 9]],
			["setting a pixel", (light) => light.setPixel(0, 7, 8, 9), [7, 8, 9]],
			["another animation", (light) => light.animate((_step, colors) => void colors.fill(9), 1000), [9, 9, 9]],
			["closing it", (light) => light.close(), [0, 0, 0]],
		])("ends an animation by %s, and nothing of it comes later", (_how, end, expected) => {
			const { light, seen } = create();
			light.setAll(4, 5, 6);
			light.animate(count, 100);
			jest.advanceTimersByTime(500);
			end(light);
			expect(seen()[0]).toEqual(visible(expected));
			jest.advanceTimersByTime(5000);
			expect(seen()[0]).toEqual(visible(expected));
			light.setPower(false);
			expect(jest.getTimerCount()).toBe(0);
		});

		test("begins an animation on a dark ground, also after another one", () => {
			const { light, seen } = create();
			light.setAll(4, 5, 6);
			light.animate((_step, colors) => void colors.fill(200), 100);
			light.animate(() => {}, 100);
			expect(seen()).toEqual(black(light).map(visible));
			light.close();
		});

		test("goes dark when it is closed, may be closed twice, and stays dark", () => {
			const { light, seen } = create();
			light.setAll(9, 9, 9);
			light.close();
			light.close();
			expect(seen()).toEqual(black(light).map(visible));
			light.setAll(1, 1, 1);
			light.setPower(true);
			light.animate(count, 100);
			jest.advanceTimersByTime(1000);
			expect(seen()).toEqual(black(light).map(visible));
			expect(jest.getTimerCount()).toBe(0);
		});
	});
}
