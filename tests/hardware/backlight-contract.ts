// What every Backlight promises; simulated parts and drivers pass the same tests.

import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Backlight } from "hardware/screen";
import Preference from "preference";
import type { PreferenceStore } from "settings/preference-store";

const DOMAIN = "backlight-test";

/**
 * @param createSettings makes what `create` gets
 * @param create makes a backlight that keeps its brightness as "brightness" in `settings`
 */
export function backlightContract(
	name: string,
	createSettings: (domain: string) => PreferenceStore,
	create: (settings: PreferenceStore) => { backlight: Backlight },
): void {
	describe(`${name} as a Backlight`, () => {
		beforeEach(() => Preference.delete(DOMAIN, "brightness"));

		test.each([0, 1, 50, 99, 100])("keeps the brightness %p across a restart", (brightness) => {
			const { backlight } = create(createSettings(DOMAIN));
			backlight.setBrightness(brightness);
			expect(backlight.brightness).toBe(brightness);
			backlight.close();
			expect(create(createSettings(DOMAIN)).backlight.brightness).toBe(brightness);
		});

		test.each([
			[-1, 0],
			[101, 100],
			[33.4, 33],
			[Number.NaN, 0],
		])("makes of the brightness %p the brightness %p", (brightness, expected) => {
			const { backlight } = create(createSettings(DOMAIN));
			backlight.setBrightness(brightness);
			expect(backlight.brightness).toBe(expected);
		});

		test.each(["70", true, 101, -1])("begins with the usual brightness when %p was kept", (kept) => {
			const usual = create(createSettings(DOMAIN)).backlight.brightness;
			Preference.set(DOMAIN, "brightness", kept);
			expect(create(createSettings(DOMAIN)).backlight.brightness).toBe(usual);
		});

		test("may be closed twice", () => {
			const { backlight } = create(createSettings(DOMAIN));
			backlight.close();
			backlight.close();
		});
	});
}
