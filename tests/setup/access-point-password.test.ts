// The password of the set-up page's access point: the build's, none, or the device's own.

import { beforeEach, expect, jest, test } from "@jest/globals";

const config: { setup_password?: unknown } = {};
jest.unstable_mockModule("mc/config", () => ({ __esModule: true, default: config }));
const { PreferenceStore } = await import("settings/preference-store");
const { accessPointPassword } = await import("../../src/setup/access-point-password.js");

const store = new PreferenceStore("test-ap");
const log: string[] = [];
const password = () => accessPointPassword(store, (line) => log.push(line));

beforeEach(() => {
	store.delete("ap_password");
	log.length = 0;
	delete config.setup_password;
});

test("is the device's own, made once and kept", () => {
	const made = password();
	expect(made).toMatch(/^[a-hjkmnp-z2-9]{10}$/);
	expect(password()).toBe(made);
	store.delete("ap_password");
	expect(password()).not.toBe(made);
	expect(log).toEqual([]);
});

test.each([
	["correct horse", "correct horse"],
	// mcconfig turns digits into a number.
	[12345678, "12345678"],
])("is the build's where it has one: %p", (given, used) => {
	config.setup_password = given;
	expect(password()).toBe(used);
	expect(store.text("ap_password", /./)).toBeUndefined();
});

test.each(["short", "x".repeat(64), "pässword"])("of the build that WPA2 does not take costs a line: %p", (given) => {
	config.setup_password = given;
	expect(password()).toMatch(/^[a-z2-9]{10}$/);
	expect(log).toEqual(['setup: setup_password must be 8 to 63 printable ASCII characters, or "open"; using the device\'s own']);
});

test("is none where the build says that the access point is open", () => {
	config.setup_password = "open";
	expect(password()).toBeUndefined();
	expect(store.text("ap_password", /./)).toBeUndefined();
});
