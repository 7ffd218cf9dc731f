// The simulated parts pass the contracts that drivers pass, and tell the panel what they do.

import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { SimulatedBattery } from "board/hardware/battery";
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

batteryContract("SimulatedBattery", () => new SimulatedBattery(show));

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
		sounding: () => (panel.get("speaker") as { tone?: { frequency: number } }).tone?.frequency,
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
	expect(panel.get("speaker")).toEqual({ volume: 70, tone: { frequency: 1000, duration: 250 } });
	jest.advanceTimersByTime(249);
	expect(speaker.tone).toBeDefined();
	jest.advanceTimersByTime(1);
	expect(panel.get("speaker")).toEqual({ volume: 70 });
});

test("a servo shows its motion while it moves and its rest", () => {
	const servo = new SimulatedServo({ show, timers, index: 0 });
	expect(panel.get("servo0")).toEqual({ index: 0, angle: 90, position: 90, moving: false });
	servo.setAngle(0, 90);
	jest.advanceTimersByTime(500);
	expect(panel.get("servo0")).toEqual({ index: 0, angle: 0, position: 45, moving: true });
	jest.advanceTimersByTime(1000);
	expect(panel.get("servo0")).toEqual({ index: 0, angle: 0, position: 0, moving: false });
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
