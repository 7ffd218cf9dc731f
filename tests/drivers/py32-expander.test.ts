// The port expander of the StackChan base and the pixels on it, on a fake bus.

import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { Py32Expander, Py32Light } from "drivers/py32-expander";
import { addChip, chips, FakeSmbus, made, timers } from "../fakes/moddable.js";
import { rgbLightContract } from "../hardware/rgb-light-contract.js";

const ADDRESS = 0x6f;
const BUS = { io: FakeSmbus, data: 12, clock: 11 };

function reset(): void {
	chips.clear();
	made.buses.length = 0;
}

/** What is left of a color in RGB565. */
const coarse = ([red = 0, green = 0, blue = 0]: number[]) =>
	[
		[red, 31],
		[green, 63],
		[blue, 31],
	].map(([part = 0, steps = 1]) => Math.round((Math.round((part * steps) / 255) * 255) / steps));

beforeEach(reset);

rgbLightContract(
	"Py32Light",
	() => {
		reset();
		const { registers } = addChip(ADDRESS, { 2: 1 });
		const light = new Py32Light({ timers, expander: new Py32Expander({ bus: BUS, timers }), length: 4 });
		const seen = () =>
			Array.from({ length: light.length }, (_, index) => {
				const carried = registers.get(0x30 + 2 * index) ?? 0;
				const color = ((carried & 255) << 8) | (carried >> 8);
				return coarse([((color >> 11) * 255) / 31, (((color >> 5) & 63) * 255) / 63, ((color & 31) * 255) / 31]);
			});
		return { light, seen };
	},
	coarse,
);

describe("Py32Expander", () => {
	test("is asked on the bus of the board", () => {
		addChip(ADDRESS, { 2: 1 });
		new Py32Expander({ bus: BUS, timers });
		expect(made.buses.map(({ options }) => options)).toEqual([{ data: 12, clock: 11, address: ADDRESS, hz: 100_000 }]);
	});

	test.each([
		["nothing", undefined],
		["no version", { 2: 0 }],
		["only ones", { 2: 0xff }],
	])("is not there when %s answers, and every attempt lets go of the bus", (_, registers) => {
		if (registers) addChip(ADDRESS, registers);
		expect(() => new Py32Expander({ bus: BUS, timers })).toThrow("nothing answers at I2C address 0x6f");
		expect(made.buses).toHaveLength(7);
		expect(made.buses.every(({ closed }) => closed === 1)).toBe(true);
	});

	test("makes a pin a strong output that begins with its level, and leaves the others", () => {
		const chip = addChip(ADDRESS, { 2: 1, 3: 0x80, 5: 0x10, 11: 0x03, 20: 0x21 });
		const expander = new Py32Expander({ bus: BUS, timers });
		expander.setOutput(0, true);
		expect(chip.writes).toEqual([
			[5, 0x11],
			[11, 0x02],
			[9, 0x01],
			[19, 0x00],
			[3, 0x81],
		]);
		chip.writes.length = 0;
		expander.setOutput(13, false);
		expect(chip.writes).toEqual([
			[6, 0x00],
			[12, 0x00],
			[10, 0x20],
			[20, 0x01],
			[4, 0x20],
		]);
	});

	test.each([-1, 14, 0.5])("refuses pin %p before a byte goes out", (pin) => {
		const { writes } = addChip(ADDRESS, { 2: 1 });
		expect(() => new Py32Expander({ bus: BUS, timers }).setOutput(pin, true)).toThrow("the expander has the pins 0 to 13");
		expect(writes).toEqual([]);
	});

	test("takes what is high low when it is closed, once, and may be closed when nothing answers", () => {
		const chip = addChip(ADDRESS, { 2: 1 });
		const expander = new Py32Expander({ bus: BUS, timers });
		expander.setOutput(0, true);
		expander.setOutput(3, true);
		expander.setOutput(3, false);
		chip.writes.length = 0;
		expander.close();
		expander.close();
		expander.setOutput(5, true);
		expander.showPixels([1]);
		expect(chip.writes).toEqual([[5, 0x00]]);
		expect(made.buses[0]?.closed).toBe(1);
		const other = new Py32Expander({ bus: BUS, timers });
		other.setOutput(0, true);
		chips.clear();
		other.close();
		expect(made.buses[1]?.closed).toBe(1);
	});
});

describe("Py32Light", () => {
	const open = (length: number, brightness = 100) => {
		const chip = chips.get(ADDRESS) ?? addChip(ADDRESS, { 2: 1 });
		for (const bus of made.buses) if (!bus.closed) bus.close();
		const light = new Py32Light({ timers, expander: new Py32Expander({ bus: BUS, timers }), length, brightness });
		return { chip, light };
	};

	test("writes RGB565 with the lower byte first, then shows it", () => {
		const { chip, light } = open(2);
		chip.writes.length = 0;
		light.setAll(255, 0, 0);
		// The fake's registers take what the bus carries first as the upper byte.
		expect(chip.writes).toEqual([
			[0x30, 0x00f8],
			[0x32, 0x00f8],
			[0x24, 0x42],
		]);
		light.setPixel(1, 0, 255, 8);
		expect(chip.writes.slice(-2)).toEqual([
			[0x32, 0xe107],
			[0x24, 0x42],
		]);
		light.close();
		expect(chip.writes.slice(-3)).toEqual([
			[0x30, 0],
			[0x32, 0],
			[0x24, 0x42],
		]);
	});

	test("has room for 32 pixels", () => {
		expect(() => open(33)).toThrow("the expander has room for 32 pixels, not 33");
		expect(() => open(0)).toThrow(RangeError);
	});

	test("says when the chip no longer answers, and ends its animation", () => {
		jest.useFakeTimers();
		const { light } = open(12);
		light.animate((step, colors) => colors.fill(step), 20);
		chips.clear();
		jest.advanceTimersByTime(100);
		expect(jest.getTimerCount()).toBe(0);
		expect(() => light.setAll(1, 2, 3)).toThrow("write failed");
		expect(() => light.animate(() => {}, 20)).toThrow("write failed");
		expect(jest.getTimerCount()).toBe(0);
		const { registers } = addChip(ADDRESS, { 2: 1 });
		light.setAll(255, 255, 255);
		expect(registers.get(0x30)).toBe(0xffff);
		jest.useRealTimers();
	});
});
