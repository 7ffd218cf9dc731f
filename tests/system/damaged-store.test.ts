// A store that fails: reading must not keep a device from starting, writing must not fail in silence.

import { expect, jest, test } from "@jest/globals";

jest.unstable_mockModule("preference", () => ({
	__esModule: true,
	default: {
		get() {
			throw new Error("damaged");
		},
		set() {
			throw new Error("full");
		},
	},
}));
const { Settings } = await import("system/settings");

test("takes an entry that cannot be read as absent", () => {
	const settings = new Settings("settings-test");
	expect(settings.integer("volume", 0, 100, 7)).toBe(7);
	expect(settings.choice("theme", ["light", "dark"], "dark")).toBe("dark");
	expect(settings.text("uuid", /./)).toBeUndefined();
});

test("tells when a value cannot be kept", () => {
	expect(() => new Settings("settings-test").set("volume", 5)).toThrow("full");
});
