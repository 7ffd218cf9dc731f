// The simulated parts pass the contracts that drivers pass, and tell the panel what they do.

import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { SimulatedBattery } from "board/hardware/battery";
import { SimulatedButton } from "board/hardware/button";
import { SimulatedLamp } from "board/hardware/lamp";
import { SimulatedLight } from "board/hardware/light";
import { SimulatedScreen } from "board/hardware/screen";
import { SimulatedServo } from "board/hardware/servo";
import { SimulatedSpeaker } from "board/hardware/speaker";
import { SimulatedSystem } from "board/hardware/system";
import Preference from "preference";
import { PreferenceStore } from "settings/preference-store";
import { timers } from "../fakes/moddable.js";
import { backlightContract } from "../hardware/backlight-contract.js";
import { batteryContract } from "../hardware/battery-contract.js";
import { lampContract } from "../hardware/lamp-contract.js";
import { rgbLightContract } from "../hardware/rgb-light-contract.js";
import { servoContract } from "../hardware/servo-contract.js";
import { speakerContract } from "../hardware/speaker-contract.js";

const DOMAIN = "parts-test";

/** What was shown last, by part. */
const panel = new Map<string, object>();
const inputs = new Map<string, (input: { readonly [member: string]: unknown }) => void>();
const onInput = (part: string, handler: (input: { readonly [member: string]: unknown }) => void) => void inputs.set(part, handler);
const show = (part: string, state: object) => void panel.set(part, JSON.parse(JSON.stringify(state)));

interface LightState {
	on: boolean;
	brightness: number;
	pixels: number[][];
}

rgbLightContract("SimulatedLight", () => {
	const light = new SimulatedLight({ show, timers, length: 8 });
	return {
		light,
		seen() {
			const { on, pixels } = panel.get("light") as LightState;
			return on ? pixels : pixels.map(() => [0, 0, 0]);
		},
	};
});

servoContract("SimulatedServo", () => {
	const servo = new SimulatedServo({ show, timers, index: 1 });
	return { servo, position: () => (panel.get("servo1") as { position: number }).position };
});

lampContract("SimulatedLamp", () => ({ lamp: new SimulatedLamp(show), lit: () => (panel.get("lamp") as { on: boolean }).on }));

batteryContract("SimulatedBattery", () => new SimulatedBattery({ show, onInput }));

backlightContract(
	"SimulatedScreen",
	(domain) => new PreferenceStore(domain),
	(settings) => ({ backlight: new SimulatedScreen({ show, settings }) }),
);

speakerContract(
	"SimulatedSpeaker",
	(domain) => new PreferenceStore(domain),
	(settings) => ({
		speaker: new SimulatedSpeaker({ show, timers, settings }),
		sounding: () => (panel.get("sound") as { frequency: number } | undefined)?.frequency || undefined,
	}),
);

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

test("the speaker shows a tone exactly as long as it sounds", () => {
	const speaker = new SimulatedSpeaker({ show, timers, settings: new PreferenceStore(DOMAIN) });
	speaker.playTone(1000, 250);
	expect([panel.get("speaker"), panel.get("sound")]).toEqual([{ volume: 70 }, { frequency: 1000, gain: 1 }]);
	jest.advanceTimersByTime(249);
	expect(speaker.tone).toBeDefined();
	jest.advanceTimersByTime(1);
	expect(panel.get("sound")).toEqual({ frequency: 0, gain: 1 });
});

test("a button is pressed once until it is let go, and a battery is as it is set", () => {
	const presses: boolean[] = [];
	const button = new SimulatedButton({ show, onInput, onChange: (pressed) => presses.push(pressed) });
	const battery = new SimulatedBattery({ show, onInput });
	for (const pressed of [true, true, false, 1]) inputs.get("button")?.({ pressed });
	expect([presses, button.pressed, panel.get("button")]).toEqual([[true, false], false, { pressed: false }]);
	for (const level of [12.4, 101, -1, "50", Number.NaN]) inputs.get("battery")?.({ level });
	inputs.get("battery")?.({ charging: true });
	expect([battery.level, battery.charging, panel.get("battery")]).toEqual([12, true, { level: 12, charging: true }]);
});

test("a servo shows its motion while it moves and its rest", () => {
	const servo = new SimulatedServo({ show, timers, index: 0 });
	expect(panel.get("servo0")).toEqual({ angle: 90, position: 90, moving: false });
	servo.setAngle(0, 90);
	jest.advanceTimersByTime(500);
	expect(panel.get("servo0")).toEqual({ angle: 0, position: 45, moving: true });
	jest.advanceTimersByTime(1000);
	expect(panel.get("servo0")).toEqual({ angle: 0, position: 0, moving: false });
});

test("the screen keeps brightness and theme across a restart", () => {
	const screen = new SimulatedScreen({ show, settings: new PreferenceStore(DOMAIN) });
	screen.setBrightness(0);
	screen.setTheme("dark");
	const next = new SimulatedScreen({ show, settings: new PreferenceStore(DOMAIN) });
	expect([next.brightness, next.theme]).toEqual([0, "dark"]);
	expect(panel.get("screen")).toEqual({ brightness: 0, theme: "dark" });
});

test.each([
	["brightness", "bright"],
	["brightness", 101],
	["theme", "pink"],
	["theme", 1],
])("the screen begins with its defaults when %s was kept as %p", (key, value) => {
	Preference.delete(DOMAIN, "brightness");
	Preference.delete(DOMAIN, "theme");
	Preference.set(DOMAIN, key, value);
	const screen = new SimulatedScreen({ show, settings: new PreferenceStore(DOMAIN) });
	expect([screen.brightness, screen.theme]).toEqual([75, "light"]);
});

test("the lamp shows what it is and goes out when it is closed", () => {
	const lamp = new SimulatedLamp(show);
	lamp.setPower(true);
	expect(panel.get("lamp")).toEqual({ on: true });
	lamp.close();
	lamp.close();
	expect([lamp.on, panel.get("lamp")]).toEqual([false, { on: false }]);
});

test("the system has an address made from its UUID and restarts by its surroundings", () => {
	let restarts = 0;
	const system = new SimulatedSystem({ show, timers, settings: new PreferenceStore(DOMAIN), config: {}, restart: () => restarts++ });
	expect(system.macAddress.slice(3).replaceAll(":", "")).toBe(system.uuid.slice(-10));
	system.restart();
	expect(restarts).toBe(1);
});
