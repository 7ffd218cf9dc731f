// The driver for WS2812 pixels on a fake of Moddable's.

import { expect, test } from "@jest/globals";
import { NeopixelLight } from "drivers/neopixel-light";
import { FakeNeoPixel, made, timers } from "../fakes/moddable.js";
import { rgbLightContract } from "../hardware/rgb-light-contract.js";

const parts = (color: number) => [color >> 16, (color >> 8) & 255, color & 255];

for (const length of [1, 4])
	rgbLightContract(`NeopixelLight with ${length} pixels`, () => {
		const light = new NeopixelLight({ io: FakeNeoPixel, timers, pin: 48, length });
		const driver = made.pixels.at(-1);
		return { light, seen: () => driver?.shown.map(parts) ?? [] };
	});

test("hands pin, length and order on, and brightness as 0 to 255", () => {
	const light = new NeopixelLight({ io: FakeNeoPixel, timers, pin: 5, length: 3, order: "RGB", brightness: 100 });
	const driver = made.pixels.at(-1);
	expect(driver?.options).toEqual({ pin: 5, length: 3, order: "RGB" });
	expect(driver?.brightness).toBe(255);
	light.setBrightness(50);
	expect(driver?.brightness).toBe(128);
	light.setBrightness(0);
	expect(driver?.brightness).toBe(0);
});

test("lets go of its channel once", () => {
	const light = new NeopixelLight({ io: FakeNeoPixel, timers, pin: 5, length: 3 });
	light.close();
	light.close();
	expect(made.pixels.at(-1)?.closed).toBe(1);
});

test.each([0, -1, 1.5])("refuses a length of %p", (length) => {
	expect(() => new NeopixelLight({ io: FakeNeoPixel, timers, pin: 5, length })).toThrow(RangeError);
});
