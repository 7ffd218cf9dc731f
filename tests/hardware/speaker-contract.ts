// What every Speaker promises; simulated parts and drivers pass the same tests.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Speaker } from "hardware/speaker";
import Preference from "preference";
import type { PreferenceStore } from "settings/preference-store";

/**
 * @param create makes a speaker that keeps its volume as "volume" in `settings`
 * @param sounding the frequency that is heard now
 */
export function speakerContract(
	name: string,
	createSettings: (domain: string) => PreferenceStore,
	create: (settings: PreferenceStore) => { speaker: Speaker; sounding(): number | undefined },
): void {
	const DOMAIN = "speaker-test";

	describe(`${name} as a Speaker`, () => {
		beforeEach(() => {
			jest.useFakeTimers();
			Preference.delete(DOMAIN, "volume");
		});
		afterEach(() => {
			jest.useRealTimers();
		});

		test.each([0, 1, 50, 99, 100])("keeps the volume %p across a restart", (volume) => {
			const { speaker } = create(createSettings(DOMAIN));
			speaker.setVolume(volume);
			expect(speaker.volume).toBe(volume);
			speaker.close();
			expect(create(createSettings(DOMAIN)).speaker.volume).toBe(volume);
		});

		test.each([
			[-1, 0],
			[101, 100],
			[33.4, 33],
			[Number.NaN, 0],
		])("makes of the volume %p the volume %p", (volume, expected) => {
			const { speaker } = create(createSettings(DOMAIN));
			speaker.setVolume(volume);
			expect(speaker.volume).toBe(expected);
		});

		test.each(["70", true, 101, -1])("begins with the default volume when %p was kept", (kept) => {
			const usual = create(createSettings(DOMAIN)).speaker.volume;
			Preference.set(DOMAIN, "volume", kept);
			expect(create(createSettings(DOMAIN)).speaker.volume).toBe(usual);
		});

		test("plays a tone without waiting, and is silent afterwards", () => {
			const { speaker, sounding } = create(createSettings(DOMAIN));
			expect(sounding()).toBeUndefined();
			speaker.playTone(440, 500);
			expect(sounding()).toBeCloseTo(440, 0);
			jest.advanceTimersByTime(5000);
			expect(sounding()).toBeUndefined();
			speaker.close();
		});

		test.each([-1000, Number.NaN])("makes nothing of a tone that lasts %p ms", (duration) => {
			const { speaker, sounding } = create(createSettings(DOMAIN));
			speaker.playTone(440, duration);
			jest.advanceTimersByTime(5000);
			expect(sounding()).toBeUndefined();
			expect(jest.getTimerCount()).toBe(0);
			speaker.close();
		});

		test("replaces a tone that still sounds", () => {
			const { speaker, sounding } = create(createSettings(DOMAIN));
			speaker.playTone(440, 10_000);
			speaker.playTone(880, 10_000);
			expect(sounding()).toBeCloseTo(880, -1);
			speaker.close();
		});

		test("plays tones one after the other, with rests, and a tone ends them", () => {
			const { speaker, sounding } = create(createSettings(DOMAIN));
			speaker.playTones([
				{ frequency: 0, duration: 5000 },
				{ frequency: 440, duration: 5000 },
				{ frequency: 880, duration: 5000 },
			]);
			expect(sounding()).toBeUndefined();
			jest.advanceTimersByTime(7000);
			expect(sounding()).toBeCloseTo(440, -1);
			jest.advanceTimersByTime(5000);
			expect(sounding()).toBeCloseTo(880, -1);
			speaker.playTone(220, 10_000);
			expect(sounding()).toBeCloseTo(220, -1);
			speaker.playTones([]);
			jest.advanceTimersByTime(2000);
			expect(sounding()).toBeUndefined();
			expect(jest.getTimerCount()).toBe(0);
			speaker.close();
		});

		test("is silent when it is closed, and may be closed twice", () => {
			const { speaker, sounding } = create(createSettings(DOMAIN));
			speaker.playTone(440, 10_000);
			speaker.close();
			speaker.close();
			expect(sounding()).toBeUndefined();
			expect(jest.getTimerCount()).toBe(0);
		});
	});
}
