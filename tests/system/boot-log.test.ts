// The record of starts and the trial of a firmware: safe mode, roll-back, and the reasons of restarts and disconnects.

import { beforeEach, describe, expect, test } from "@jest/globals";
import type { FirmwareSlot } from "hardware/firmware";
import Preference from "preference";
import { connectionSettings, setSetting } from "settings/settings";
import type { SettingName } from "settings/table";
import { ASKED_WINDOW_MS, type BootLog, MAX_ASKED, MAX_REASONS, STABLE_AFTER_MS } from "system/boot-log";
import { confirmsFirmware, type FirmwareTrial, TRIAL_CRASHES, TRIAL_MS } from "system/firmware-trial";
import { LONG_PRESS_MS, LongPress } from "system/long-press";
import { ManualTimers } from "../mcp/support.js";
import { openBootLog } from "../support/services.js";

let logged: string[] = [];
let restarts = 0;

beforeEach(() => {
	for (const key of Preference.keys("mcp-life")) Preference.delete("mcp-life", key);
	logged = [];
	restarts = 0;
});

/** The two slots of a device, and a bootloader that takes a firmware back which has not confirmed itself, or an old one that does not. */
class Slots implements FirmwareSlot {
	readonly size = 0;
	running = "ota_0";
	onTrial = false;
	/** Was the bootloader built with roll-back? */
	bootloader = true;
	/** Is there a firmware in the other slot that can be started? */
	before = true;
	#next: string | undefined;

	open(): never {
		throw new Error("not here");
	}
	install(): void {
		this.#next = this.#other;
	}
	confirm(): void {
		this.onTrial = false;
	}
	rollBack(): void {
		if (!this.before) throw new Error("no other");
		this.running = this.#other;
		this.onTrial = false;
		restarts++;
	}
	/** The machine starts. */
	boot(): void {
		if (this.#next) {
			this.running = this.#next;
			this.onTrial = this.bootloader;
		} else if (this.onTrial) {
			this.running = this.#other;
			this.onTrial = false;
		}
		this.#next = undefined;
	}
	get #other(): string {
		return this.running === "ota_0" ? "ota_1" : "ota_0";
	}
}

function begin(resetReason?: string, firmware?: Slots): { bootLog: BootLog; trial: FirmwareTrial; timers: ManualTimers } {
	const timers = new ManualTimers();
	firmware?.boot();
	const system = { version: "1", chip: "x", macAddress: "m", uuid: "u", resetReason, firmware, restart: () => restarts++ };
	return { timers, ...openBootLog(system, timers, (line) => logged.push(line)) };
}

test("three runs that end early put the fourth in safe mode", () => {
	for (let i = 0; i < 3; i++) expect(begin().bootLog.safeMode).toBe(false);
	expect(begin().bootLog.safeMode).toBe(true);
	expect(logged).toEqual(["boot: safe mode after repeated failures: only the common tools and the main session"]);
	// And it stays so until one is good.
	expect(begin().bootLog.safeMode).toBe(true);
});

test.each(["power on", "USB", "JTAG"])("%s is no failure", (reason) => {
	for (let i = 0; i < 5; i++) expect(begin(reason).bootLog.safeMode).toBe(false);
});

test.each(["efuse error", "power glitch", "CPU lock-up", "brownout", "reset pin"])("%s is one", (reason) => {
	for (let i = 0; i < 3; i++) begin(reason);
	expect(begin(reason).bootLog.safeMode).toBe(true);
});

describe("a weak supply", () => {
	const weak = (reason?: string) => begin(reason).bootLog.weakSupply;

	test("is told after two brown-outs in a row, until the plug is pulled", () => {
		expect([weak("power on"), weak("brownout")]).toEqual([undefined, undefined]);
		expect(weak("brownout")).toBe("2 brown-outs in a row; charge it or use a stronger supply, then switch it off and on");
		expect(weak("brownout")).toMatch(/^2 brown-outs/);
		expect([weak("power on"), weak("brownout")]).toEqual([undefined, undefined]);
	});

	test("is not told when something else came between them", () => {
		expect([weak("brownout"), weak("panic"), weak("brownout")]).toEqual([undefined, undefined, undefined]);
	});

	test("is told in spite of a valid hello, which comes while the servos still rise, but not after a minute", () => {
		begin("brownout").trial.pass();
		const { bootLog, timers } = begin("brownout");
		expect(bootLog.weakSupply).toBeDefined();
		begin("power on");
		const second = begin("brownout");
		second.trial.pass();
		second.timers.advance(STABLE_AFTER_MS);
		expect(weak("brownout")).toBeUndefined();
		expect(timers).toBeDefined();
	});

	test("is counted even where a planned restart did not get that far", () => {
		weak("brownout");
		begin("power on").bootLog.plan("self.reboot");
		expect([weak("brownout"), typeof weak("brownout")]).toEqual([undefined, "string"]);
	});
});

test("a valid hello does not end the count: a peer may be what ends the runs", () => {
	for (let i = 0; i < 7; i++) {
		const { bootLog, trial } = begin("panic");
		expect(bootLog.safeMode).toBe(i >= 3);
		trial.pass();
	}
});

test("a run of a minute counts as good, one a moment shorter does not", () => {
	for (let i = 0; i < 3; i++) begin().timers.advance(STABLE_AFTER_MS - 1);
	const { bootLog, timers } = begin();
	expect(bootLog.safeMode).toBe(true);
	timers.advance(STABLE_AFTER_MS);
	expect(begin().bootLog.safeMode).toBe(false);
});

test("restarts that were asked for, and a plug that was pulled, are no failures", () => {
	for (let i = 0; i < 5; i++) {
		const { bootLog } = begin();
		expect(bootLog.safeMode).toBe(false);
		bootLog.restart("self.reboot");
	}
	expect(restarts).toBe(5);
	for (let i = 0; i < 5; i++) expect(begin("power on").bootLog.safeMode).toBe(false);
});

test("a peer restarts it three times, and then only after it has run for ten minutes", () => {
	for (let i = 0; i < MAX_ASKED; i++) {
		const { bootLog, timers } = begin();
		timers.advance(ASKED_WINDOW_MS - 1);
		expect(bootLog.askedProblem).toBeUndefined();
		bootLog.planAsked("asked for by the server");
	}
	const { bootLog, timers } = begin();
	expect(bootLog.askedProblem).toBe("The device has been restarted 3 times on request; it has to run for 10 minutes before the next time");
	timers.advance(ASKED_WINDOW_MS - 1);
	expect(bootLog.askedProblem).toBeDefined();
	timers.advance(1);
	expect(bootLog.askedProblem).toBeUndefined();
});

test("knows why it was restarted, the last ten times", () => {
	begin("power on").bootLog.restart("self.reboot");
	begin().bootLog.plan("set up");
	begin();
	expect(begin("panic").bootLog.restarts).toEqual(["power on", "self.reboot", "set up", "panic"]);
	for (let i = 0; i < 12; i++) begin("brownout");
	expect(begin("panic").bootLog.restarts).toEqual([...Array(MAX_REASONS - 1).fill("brownout"), "panic"]);
});

test("knows why connections were lost, the last ten, in one line each", () => {
	const { bootLog } = begin();
	bootLog.lost("session", `two\nlines ${"x".repeat(200)}`);
	expect(bootLog.disconnects[0]?.reason).toMatch(/^session: two lines x+…$/);
	expect(bootLog.disconnects[0]?.reason).toHaveLength(100);
	expect(bootLog.disconnects[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
	bootLog.lost("session", '1008 policy violation, "C:\\\u0007"');
	expect(bootLog.disconnects[1]?.reason).toBe("session: 1008 policy violation, 'C:/ '");
	for (let i = 0; i < 12; i++) bootLog.lost("endpoint", `reason ${i}`);
	expect(bootLog.disconnects.map(({ reason }) => reason)).toEqual(Array.from({ length: MAX_REASONS }, (_, i) => `endpoint: reason ${i + 2}`));
});

describe("a new firmware", () => {
	/** A device that has just been upgraded. */
	function upgraded(bootloader = true): Slots {
		const slots = new Slots();
		slots.bootloader = bootloader;
		const { bootLog, timers } = begin("power on", slots);
		timers.advance(STABLE_AFTER_MS);
		slots.install();
		bootLog.upgraded();
		return slots;
	}
	const KEPT = "boot: the new firmware is kept";

	describe.each([
		["with roll-back", true],
		["without", false],
	])("where the bootloader was built %s", (_title, bootloader) => {
		test("is kept at its first valid hello, not for having run a while", () => {
			const slots = upgraded(bootloader);
			const { timers, trial } = begin("software", slots);
			expect(slots).toMatchObject({ running: "ota_1", onTrial: bootloader });
			timers.advance(STABLE_AFTER_MS);
			expect([slots.onTrial, logged.includes(KEPT)]).toEqual([bootloader, false]);
			trial.pass();
			expect([slots.onTrial, logged.includes(KEPT)]).toEqual([false, true]);
			for (let i = 0; i < 3; i++) begin("panic", slots);
			expect(slots.running).toBe("ota_1");
			expect(Preference.keys("mcp-life").sort()).toEqual(["asked", "crashes", "restarts"]);
		});

		test("gives way after 10 minutes in which a valid hello could have come, and the next start knows why", () => {
			const slots = upgraded(bootloader);
			const { timers, trial } = begin("software", slots);
			trial.expectHello(true);
			timers.advance(TRIAL_MS - 1);
			// The servers may be told anew meanwhile.
			trial.expectHello(true);
			expect(slots.running).toBe("ota_1");
			timers.advance(1);
			expect(slots.running).toBe("ota_0");
			const reason = "rolled back: no valid hello in 10 minutes";
			expect(begin("software", slots).bootLog.restarts).toEqual(["power on", "self.upgrade_firmware", reason]);
			expect(logged.at(-1)).toBe(`boot: the firmware from before the upgrade runs again; ${reason}`);
			expect(begin("panic", slots).bootLog.restarts.at(-1)).toBe("panic");
		});

		test("has as long as it needs while none can come: the set-up page may stand open", () => {
			const slots = upgraded(bootloader);
			const { timers, trial } = begin("software", slots);
			timers.advance(24 * 3_600_000);
			for (let i = 0; i < 3; i++) {
				trial.expectHello(true);
				timers.advance(TRIAL_MS - 1);
				trial.expectHello(false);
				timers.advance(TRIAL_MS);
			}
			expect(slots.running).toBe("ota_1");
		});

		test("goes on with its trial after a restart that was asked for, such as that of the set-up page", () => {
			const slots = upgraded(bootloader);
			for (let i = 0; i < 5; i++) begin("software", slots).bootLog.restart("set up");
			const { timers, trial } = begin("software", slots);
			expect(slots.running).toBe("ota_1");
			trial.expectHello(true);
			timers.advance(TRIAL_MS);
			expect(slots.running).toBe("ota_0");
		});

		test("that cannot give way stays, and says so", () => {
			const slots = upgraded(bootloader);
			slots.before = false;
			const { timers, trial } = begin("software", slots);
			trial.expectHello(true);
			timers.advance(TRIAL_MS);
			expect(logged.at(-1)).toBe("boot: the firmware before cannot be started (no other); this one stays");
			expect(begin("panic").bootLog.restarts.at(-1)).toBe("panic");
		});
	});

	test("that crashes is taken back by the bootloader, and the next start knows it", () => {
		const slots = upgraded();
		begin("software", slots);
		const { bootLog } = begin("panic", slots);
		expect(slots.running).toBe("ota_0");
		expect(bootLog.restarts.at(-1)).toBe("rolled back: the new firmware ended early (panic)");
		// Safe mode is for failures of the firmware that runs.
		for (let i = 0; i < 2; i++) expect(begin("panic", slots).bootLog.safeMode).toBe(false);
		expect(bootLog.safeMode).toBe(false);
	});

	test("that crashes before it can remember anything is taken back as well", () => {
		const slots = upgraded();
		slots.boot();
		expect(begin("interrupt watchdog", slots).bootLog.restarts).toEqual([
			"power on",
			"rolled back: the new firmware ended early (interrupt watchdog)",
		]);
	});

	test("that crashes three times takes itself back where the bootloader does not", () => {
		const slots = upgraded(false);
		begin("software", slots);
		for (let i = 1; i < TRIAL_CRASHES; i++) {
			begin("panic", slots).timers.advance(STABLE_AFTER_MS);
			expect(slots.running).toBe("ota_1");
		}
		begin("panic", slots);
		expect(slots.running).toBe("ota_0");
		expect(begin("software", slots).bootLog.restarts.at(-1)).toBe("rolled back: it ended early 3 times");
	});

	test("that nobody has remembered, but the bootloader, is on trial too", () => {
		const slots = new Slots();
		slots.install();
		const { trial } = begin("software", slots);
		expect(slots.onTrial).toBe(true);
		trial.pass();
		expect(slots.onTrial).toBe(false);
	});

	test("ends its trial without a timer left when the device is closed", () => {
		const { bootLog, timers, trial } = begin("software", upgraded());
		trial.expectHello(true);
		trial.expectHello(true);
		bootLog.close();
		bootLog.close();
		trial.expectHello(true);
		expect(timers.size).toBe(0);
	});
});

test.each([
	["crashes", "many"],
	["crashes", 99],
	["asked", "often"],
	["restarts", 5],
	["planned", true],
	["replaced", 7],
	["trialCrashes", "many"],
])("starts whatever is kept under %s", (key, value) => {
	Preference.set("mcp-life", key, value);
	expect(begin().bootLog.safeMode).toBe(false);
});

test("a button that is held for 5 s is a long press, once; one that is let go before is none", () => {
	const timers = new ManualTimers();
	let presses = 0;
	const watch = new LongPress(timers, () => presses++);
	const press = (pressed: unknown, button: unknown = "a") => watch.see("button_changed", { button, pressed });
	press(true);
	timers.advance(LONG_PRESS_MS - 1);
	press(false, "b");
	press(false);
	timers.advance(LONG_PRESS_MS);
	expect(presses).toBe(0);
	press(true);
	timers.advance(60_000);
	press(false);
	expect(presses).toBe(1);
	watch.see("touch_changed", { pressed: true });
	press("yes");
	expect(timers.size).toBe(0);
	press(true);
	watch.close();
	watch.close();
	expect(timers.size).toBe(0);
});

test("close leaves no timer behind, twice", () => {
	const { bootLog, timers } = begin();
	bootLog.close();
	bootLog.close();
	expect(timers.size).toBe(0);
});

describe("a new firmware is confirmed", () => {
	const forget = () => {
		for (const key of Preference.keys("mcp-settings")) Preference.delete("mcp-settings", key);
	};
	const confirming = (settings: { readonly [name: string]: string }) => {
		forget();
		for (const [name, value] of Object.entries(settings)) setSetting(name as SettingName, value);
		const kinds = connectionSettings().filter(confirmsFirmware);
		forget();
		return kinds.map(({ kind }) => kind);
	};
	const OTHERS = { endpoint: "ws://a/", framed_address: "tcp://h:1" };

	test("by the main session alone where there is to be one", () => {
		expect(confirming({ url: "ws://h/", ...OTHERS })).toEqual(["session"]);
		expect(confirming({ mqtt_endpoint: "h:1883", ...OTHERS })).toEqual(["mqtt"]);
		// Its server has yet to be told.
		expect(confirming({ ota_url: "http://h/", ...OTHERS })).toEqual([]);
	});

	test("by an endpoint or a framed service where there is nothing else", () => {
		expect(confirming(OTHERS)).toEqual(["endpoint", "framed"]);
	});
});
