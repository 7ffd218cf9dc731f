// Buttons and touch panels on fakes.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { GpioButton } from "drivers/gpio-button";
import { TouchPanel } from "drivers/touch-panel";
import { FakeDigital, FakeTouch, made, timers } from "../fakes/moddable.js";

beforeEach(() => {
	jest.useFakeTimers();
	made.digitals.length = 0;
});
afterEach(() => {
	jest.useRealTimers();
});

describe("GpioButton", () => {
	test.each([
		[{}, FakeDigital.InputPullUp, 0],
		[{ activeHigh: true }, FakeDigital.InputPullDown, 1],
		[{ external: true }, FakeDigital.Input, 0],
	])("with %p tells of being pressed and let go", (options, mode, level) => {
		const told: boolean[] = [];
		const button = new GpioButton({ io: FakeDigital, timers, pin: 6, ...options, onChange: (pressed) => told.push(pressed) });
		const pin = made.digitals[0] as FakeDigital;
		expect(pin.options).toMatchObject({ pin: 6, mode, edge: 3 });
		pin.drive(level ? 0 : 1);
		jest.advanceTimersByTime(100);
		told.length = 0;
		pin.drive(level as 0 | 1);
		jest.advanceTimersByTime(19);
		expect(told).toEqual([]);
		jest.advanceTimersByTime(1);
		expect([told, button.pressed]).toEqual([[true], true]);
		pin.drive(level ? 0 : 1);
		jest.advanceTimersByTime(20);
		expect([told, button.pressed]).toEqual([[true, false], false]);
		button.close();
	});

	test("takes bouncing contacts for one press, and a short edge for none", () => {
		const told: boolean[] = [];
		const button = new GpioButton({ io: FakeDigital, timers, pin: 6, onChange: (pressed) => told.push(pressed) });
		const pin = made.digitals[0] as FakeDigital;
		for (const level of [0, 1, 0, 1, 0] as const) {
			pin.drive(level);
			jest.advanceTimersByTime(3);
		}
		jest.advanceTimersByTime(100);
		expect(told).toEqual([true]);
		pin.drive(1);
		pin.drive(0);
		jest.advanceTimersByTime(100);
		expect(told).toEqual([true]);
		button.close();
	});

	test("is quiet after it was closed, twice, also about an edge that was on its way", () => {
		const told: boolean[] = [];
		const button = new GpioButton({ io: FakeDigital, timers, pin: 6, onChange: (pressed) => told.push(pressed) });
		const pin = made.digitals[0] as FakeDigital;
		pin.drive(0);
		button.close();
		button.close();
		pin.options.onReadable?.();
		jest.advanceTimersByTime(100);
		expect([told, pin.closed, jest.getTimerCount()]).toEqual([[], 1, 0]);
	});

	test("knows a button that is held at the start", () => {
		const button = new GpioButton({ io: FakeDigital, timers, pin: 6, activeHigh: false, external: true, onChange: () => {} });
		expect(button.pressed).toBe(true);
		button.close();
	});
});

describe("TouchPanel", () => {
	test("tells where a first finger comes, and where the last one went", () => {
		const told: unknown[] = [];
		const sensor = new FakeTouch();
		const panel = new TouchPanel({ timers, sensor, onChange: (...change) => told.push(change) });
		jest.advanceTimersByTime(200);
		sensor.points = [
			{ x: 10, y: 20 },
			{ x: 1, y: 1 },
		];
		jest.advanceTimersByTime(100);
		sensor.points = [{ x: 11, y: 22 }];
		jest.advanceTimersByTime(100);
		expect([told, panel.pressed]).toEqual([[[true, 10, 20]], true]);
		sensor.points = [];
		jest.advanceTimersByTime(100);
		expect([told[1], told.length, panel.pressed]).toEqual([[false, 11, 22], 2, false]);
		panel.close();
		panel.close();
		expect([sensor.closed, jest.getTimerCount()]).toEqual([1, 0]);
	});

	test("takes a sample that fails for no finger", () => {
		const told: unknown[] = [];
		const sensor = new FakeTouch();
		const panel = new TouchPanel({ timers, sensor, onChange: (...change) => told.push(change) });
		sensor.points = [{ x: 10, y: 20 }];
		jest.advanceTimersByTime(50);
		sensor.close();
		jest.advanceTimersByTime(200);
		expect(told).toEqual([
			[true, 10, 20],
			[false, 10, 20],
		]);
		panel.close();
	});
});
