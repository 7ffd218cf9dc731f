// Values that survive a restart, and what happens when the store holds something else.

import { expect, test } from "@jest/globals";
import Preference from "preference";
import { PreferenceStore } from "settings/preference-store";

const settings = new PreferenceStore("settings-test");

test.each([undefined, "50", true, -1, 101, new ArrayBuffer(2)])("gives the fallback where %p is kept for a number from 0 to 100", (kept) => {
	Preference.delete("settings-test", "volume");
	if (kept !== undefined) Preference.set("settings-test", "volume", kept);
	expect(settings.integer("volume", 0, 100, 70)).toBe(70);
});

test.each([0, 100])("gives back %p, a limit of the range", (value) => {
	settings.set("volume", value);
	expect(settings.integer("volume", 0, 100, 70)).toBe(value);
});

test.each([undefined, "blue", "", 1, "LIGHT"])("gives the fallback where %p is kept for a choice", (kept) => {
	Preference.delete("settings-test", "theme");
	if (kept !== undefined) Preference.set("settings-test", "theme", kept);
	expect(settings.choice("theme", ["light", "dark"], "light")).toBe("light");
});

test("gives a kept choice and a kept text", () => {
	settings.set("theme", "dark");
	expect(settings.choice("theme", ["light", "dark"], "light")).toBe("dark");
	expect(settings.text("theme", /^d/)).toBe("dark");
	expect(settings.text("theme", /^l/)).toBeUndefined();
});

test("refuses a name that an ESP32 could not keep", () => {
	expect(() => new PreferenceStore("sixteen-letters-")).toThrow(RangeError);
	expect(() => new PreferenceStore("")).toThrow(RangeError);
	expect(() => settings.set("sixteen-letters-", 1)).toThrow(RangeError);
	expect(() => settings.integer("sixteen-letters-", 0, 1, 0)).toThrow(RangeError);
});
