// The power chip and the chip's own temperature sensor on fakes.

import { beforeEach, describe, expect, test } from "@jest/globals";
import { Axp2101Backlight, Axp2101Battery } from "drivers/axp2101";
import { ChipTemperature } from "drivers/chip-temperature";
import { openRegisters } from "drivers/registers";
import Preference from "preference";
import { PreferenceStore } from "settings/preference-store";
import { addChip, chips, FakeFfi, FakeSmbus, facts, made } from "../fakes/moddable.js";
import { backlightContract } from "../hardware/backlight-contract.js";
import { batteryContract } from "../hardware/battery-contract.js";

const open = () => openRegisters({ bus: { io: FakeSmbus, data: 12, clock: 11 }, address: 0x34 }, () => {});

beforeEach(() => {
	chips.clear();
	made.buses.length = 0;
	made.natives.length = 0;
	facts.temperature = 41.26;
	Preference.delete("power-test", "brightness");
});

backlightContract(
	"Axp2101Backlight",
	(domain) => new PreferenceStore(domain),
	(settings) => {
		if (!chips.has(0x34)) addChip(0x34);
		for (const bus of made.buses) if (!bus.closed) bus.close();
		return { backlight: new Axp2101Backlight(open(), settings) };
	},
);

batteryContract("Axp2101Battery", () => {
	// More than a gauge can say.
	addChip(0x34, { 164: 255, 1: 255 });
	return new Axp2101Battery(open());
});

describe("Axp2101Battery", () => {
	test.each([
		[0, 0x00, 0, false],
		[85, 0x20, 85, true],
		[100, 0x40, 100, false],
		[101, 0x34, 100, true],
	])("reads the gauge's %p and the status %p as %p %%, charging: %p", (gauge, status, level, charging) => {
		addChip(0x34, { 164: gauge, 1: status });
		const battery = new Axp2101Battery(open());
		expect([battery.level, battery.charging]).toEqual([level, charging]);
	});

	test("follows the gauge, and keeps the last reading when one fails", () => {
		const { registers } = addChip(0x34, { 164: 50 });
		const battery = new Axp2101Battery(open());
		registers.set(0xa4, 51);
		expect(battery.level).toBe(51);
		chips.clear();
		expect([battery.level, battery.charging]).toEqual([51, false]);
	});

	test("is not there when the chip does not answer", () => {
		expect(() => new Axp2101Battery(open())).toThrow("failed");
	});
});

describe("Axp2101Backlight", () => {
	test("shines with the brightness that was kept, and leaves the other regulators as they are", () => {
		const { registers } = addChip(0x34, { 144: 0x3f });
		const light = new Axp2101Backlight(open(), new PreferenceStore("power-test"));
		expect([light.brightness, registers.get(0x99), registers.get(0x90)]).toEqual([75, 26, 0xbf]);
		light.setBrightness(100);
		expect(registers.get(0x99)).toBe(28);
		light.setBrightness(1);
		expect([registers.get(0x99), registers.get(0x90)]).toEqual([20, 0xbf]);
		light.setBrightness(0);
		expect(registers.get(0x90)).toBe(0x3f);
		light.setBrightness(130);
		light.close();
		light.close();
		light.setBrightness(50);
		expect([light.brightness, registers.get(0x90)]).toEqual([100, 0x3f]);
		expect(new Axp2101Backlight(open2(), new PreferenceStore("power-test")).brightness).toBe(100);
	});

	test("may be closed when the chip no longer answers", () => {
		addChip(0x34);
		const light = new Axp2101Backlight(open(), new PreferenceStore("power-test"));
		chips.clear();
		light.close();
	});
});

/** The same chip, after a restart. */
function open2() {
	made.buses.at(-1)?.close();
	return open();
}

describe("ChipTemperature", () => {
	test("installs the sensor for the usual range and reads it to a tenth", () => {
		const sensor = new ChipTemperature({ ffi: FakeFfi });
		expect(made.natives).toEqual(["temperature_sensor_install -10,80"]);
		expect(sensor.celsius).toBe(41.3);
		sensor.close();
		sensor.close();
		expect(made.natives.slice(1)).toEqual(["temperature_sensor_uninstall 3fc90000"]);
		expect(sensor.celsius).toBeUndefined();
	});

	test("says why there is none", () => {
		facts.temperature = undefined;
		expect(() => new ChipTemperature({ ffi: FakeFfi })).toThrow("install failed with ESP-IDF's error 262");
	});

	test("gives nothing when a reading fails", () => {
		const sensor = new ChipTemperature({ ffi: FakeFfi });
		facts.temperature = undefined;
		expect(sensor.celsius).toBeUndefined();
	});
});
