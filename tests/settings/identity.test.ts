// The device's UUID and the address made from it.

import { beforeEach, expect, jest, test } from "@jest/globals";
import Preference from "preference";
import { deviceUuid, isMac, macFromUuid } from "settings/identity";
import { PreferenceStore } from "settings/preference-store";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const settings = new PreferenceStore("identity-test");

beforeEach(() => Preference.delete("identity-test", "uuid"));

test("makes a UUID of version 4 once and keeps it", () => {
	const uuid = deviceUuid(settings);
	expect(uuid).toMatch(UUID);
	expect(deviceUuid(new PreferenceStore("identity-test"))).toBe(uuid);
});

test.each(["", "nonsense", 5, true, "0BADC0DE-0000-4000-8000-000000000000", "00000000-0000-1000-8000-000000000000"])(
	"replaces the damaged UUID %p",
	(kept) => {
		Preference.set("identity-test", "uuid", kept);
		expect(deviceUuid(settings)).toMatch(UUID);
	},
);

test("makes another UUID at another time even where random numbers repeat", () => {
	const random = jest.spyOn(Math, "random").mockReturnValue(0.5);
	const now = jest.spyOn(Date, "now").mockReturnValue(1_700_000_000_000);
	const first = deviceUuid(settings);
	Preference.delete("identity-test", "uuid");
	now.mockReturnValue(1_700_000_000_001);
	expect(deviceUuid(settings)).not.toBe(first);
	random.mockRestore();
	now.mockRestore();
});

test("makes a locally administered unicast address", () => {
	expect(macFromUuid("00000000-0000-4000-8000-ffabcdef0123")).toBe("fe:ab:cd:ef:01:23");
	expect(macFromUuid("00000000-0000-4000-8000-00abcdef0123")).toBe("02:ab:cd:ef:01:23");
});

test("knows an address by its form", () => {
	expect(isMac("02:ab:cd:ef:01:23")).toBe(true);
	for (const value of [undefined, 5, "", "02:ab:cd:ef:01", "02:AB:CD:EF:01:23", "02-ab-cd-ef-01-23", "02:ab:cd:ef:01:23\n"])
		expect(isMac(value)).toBe(false);
});
