// The driver for a lamp on a pin on a fake of Moddable's digital IO.

import { expect, test } from "@jest/globals";
import { GpioLamp } from "drivers/gpio-lamp";
import { FakeDigital, made } from "../fakes/moddable.js";
import { lampContract } from "../hardware/lamp-contract.js";

for (const activeLow of [false, true])
	lampContract(`GpioLamp with activeLow ${activeLow}`, () => {
		const lamp = new GpioLamp({ io: FakeDigital, pin: 18, activeLow });
		const pin = made.digitals.at(-1);
		return { lamp, lit: () => pin?.level === (activeLow ? 0 : 1) };
	});

test.each([
	[false, 1, 0],
	[true, 0, 1],
])("drives a lamp with activeLow %p", (activeLow, lit, dark) => {
	const lamp = new GpioLamp({ io: FakeDigital, pin: 18, activeLow });
	const pin = made.digitals.at(-1) as FakeDigital;
	expect(pin.options).toEqual({ pin: 18, mode: FakeDigital.Output, initialValue: dark });
	expect([lamp.on, pin.level]).toEqual([false, dark]);
	lamp.setPower(true);
	expect([lamp.on, pin.level]).toEqual([true, lit]);
	lamp.setPower(false);
	expect([lamp.on, pin.level]).toEqual([false, dark]);
	lamp.close();
});

test("is dark when it is closed, may be closed twice, and does nothing afterwards", () => {
	const lamp = new GpioLamp({ io: FakeDigital, pin: 18 });
	const pin = made.digitals.at(-1) as FakeDigital;
	lamp.setPower(true);
	lamp.close();
	lamp.close();
	lamp.setPower(true);
	expect([lamp.on, pin.level, pin.closed]).toEqual([false, 0, 1]);
});
