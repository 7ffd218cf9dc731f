// A store that fails: reading must not keep a device from starting, nor must writing, which must not fail in silence.

import { beforeEach, expect, jest, test } from "@jest/globals";
import { ManualTimers } from "../mcp/support.js";

/** What can still be read. */
const readable = new Map<string, string | number>();

jest.unstable_mockModule("preference", () => ({
	__esModule: true,
	default: {
		get(_domain: string, key: string) {
			if (readable.has(key)) return readable.get(key);
			throw new Error("damaged");
		},
		set() {
			throw new Error("full");
		},
		delete() {
			throw new Error("nvs erase fail");
		},
	},
}));
const { deviceUuid } = await import("settings/identity");
const { BootLog } = await import("system/boot-log");
const { FirmwareTrial } = await import("system/firmware-trial");
const { PreferenceStore } = await import("settings/preference-store");

beforeEach(() => readable.clear());

test("takes an entry that cannot be read as absent", () => {
	const settings = new PreferenceStore("settings-test");
	expect(settings.integer("volume", 0, 100, 7)).toBe(7);
	expect(settings.choice("theme", ["light", "dark"], "dark")).toBe("dark");
	expect(settings.text("uuid", /./)).toBeUndefined();
});

test("tells when a value cannot be kept", () => {
	expect(() => new PreferenceStore("settings-test").set("volume", 5)).toThrow("full");
});

test("leaves a device without a UUID of its own with one for this run, and says so", () => {
	const traced = jest.spyOn(globalThis, "trace").mockImplementation(() => {});
	expect(deviceUuid(new PreferenceStore("settings-test"))).toMatch(/^[0-9a-f-]{36}$/);
	expect(traced).toHaveBeenCalledWith("identity: the UUID could not be kept, and is another one at the next start: full\n");
	traced.mockRestore();
});

test("costs lines in the log, not the start, nor a new firmware that works", () => {
	for (const [key, value] of Object.entries({ planned: "self.reboot", replaced: "ota_1", trialCrashes: 1 })) readable.set(key, value);
	const logged: string[] = [];
	const confirm = jest.fn();
	const system = { firmware: { running: "ota_0", onTrial: true, confirm } } as never;
	const timers = new ManualTimers();
	const log = (line: string) => logged.push(line);
	const trial = new FirmwareTrial({ system, timers, log });
	const bootLog = new BootLog({ system, trial, timers, log });
	trial.pass();
	bootLog.close();
	for (const key of ["planned", "replaced", "trialCrashes"]) expect(logged).toContain(`boot: ${key} could not be forgotten: nvs erase fail`);
	expect(confirm).toHaveBeenCalledTimes(1);
});
