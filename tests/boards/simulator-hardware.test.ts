// The simulated parts pass the contracts that drivers pass, and tell the panel what they do.

import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import Preference from "preference";
import { installFakes, made } from "../fakes/moddable.js";
import { backlightContract } from "../hardware/backlight-contract.js";
import { batteryContract } from "../hardware/battery-contract.js";
import { lampContract } from "../hardware/lamp-contract.js";
import { rgbLightContract } from "../hardware/rgb-light-contract.js";
import { servoContract } from "../hardware/servo-contract.js";
import { speakerContract } from "../hardware/speaker-contract.js";

installFakes();
const { SimulatedLight } = await import("board/hardware/light");
const { SimulatedServo } = await import("board/hardware/servo");
const { SimulatedSpeaker } = await import("board/hardware/speaker");
const { SimulatedBattery } = await import("board/hardware/battery");
const { SimulatedScreen } = await import("board/hardware/screen");
const { SimulatedLamp } = await import("board/hardware/lamp");
const { SimulatedSystem } = await import("board/hardware/system");
const { PreferenceStore } = await import("settings/preference-store");

const DOMAIN = "parts-test";

interface LightState {
	on: boolean;
	brightness: number;
	pixels: number[][];
}

rgbLightContract("SimulatedLight", () => {
	const light = new SimulatedLight(8);
	return {
		light,
		seen() {
			const { on, pixels } = made.panel.get("light") as LightState;
			return on ? pixels : pixels.map(() => [0, 0, 0]);
		},
	};
});

servoContract("SimulatedServo", () => {
	const servo = new SimulatedServo(1);
	return { servo, position: () => (made.panel.get("servo1") as { position: number }).position };
});

lampContract("SimulatedLamp", () => ({ lamp: new SimulatedLamp(), lit: () => (made.panel.get("lamp") as { on: boolean }).on }));

batteryContract("SimulatedBattery", () => new SimulatedBattery());

backlightContract(
	"SimulatedScreen",
	(domain) => new PreferenceStore(domain),
	(settings) => ({ backlight: new SimulatedScreen(settings) }),
);

speakerContract(
	"SimulatedSpeaker",
	(domain) => new PreferenceStore(domain),
	(settings) => ({
		speaker: new SimulatedSpeaker(settings),
		sounding: () => (made.panel.get("speaker") as { tone?: { frequency: number } }).tone?.frequency,
	}),
);

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

test("the speaker shows a tone exactly as long as it sounds", () => {
	const speaker = new SimulatedSpeaker(new PreferenceStore(DOMAIN));
	speaker.playTone(1000, 250);
	expect(made.panel.get("speaker")).toEqual({ volume: 70, tone: { frequency: 1000, duration: 250 } });
	jest.advanceTimersByTime(249);
	expect(speaker.tone).toBeDefined();
	jest.advanceTimersByTime(1);
	expect(made.panel.get("speaker")).toEqual({ volume: 70 });
});

test("a servo shows its motion while it moves and its rest", () => {
	const servo = new SimulatedServo(0);
	expect(made.panel.get("servo0")).toEqual({ index: 0, angle: 90, position: 90, moving: false });
	servo.setAngle(0, 90);
	jest.advanceTimersByTime(500);
	expect(made.panel.get("servo0")).toEqual({ index: 0, angle: 0, position: 45, moving: true });
	jest.advanceTimersByTime(1000);
	expect(made.panel.get("servo0")).toEqual({ index: 0, angle: 0, position: 0, moving: false });
});

test("the screen keeps brightness and theme across a restart", () => {
	const screen = new SimulatedScreen(new PreferenceStore(DOMAIN));
	screen.setBrightness(0);
	screen.setTheme("dark");
	const next = new SimulatedScreen(new PreferenceStore(DOMAIN));
	expect([next.brightness, next.theme]).toEqual([0, "dark"]);
	expect(made.panel.get("screen")).toEqual({ brightness: 0, theme: "dark" });
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
	const screen = new SimulatedScreen(new PreferenceStore(DOMAIN));
	expect([screen.brightness, screen.theme]).toEqual([75, "light"]);
});

test("the lamp shows what it is and goes out when it is closed", () => {
	const lamp = new SimulatedLamp();
	lamp.setPower(true);
	expect(made.panel.get("lamp")).toEqual({ on: true });
	lamp.close();
	lamp.close();
	expect([lamp.on, made.panel.get("lamp")]).toEqual([false, { on: false }]);
});

test("the system has an address made from its UUID and restarts by its surroundings", () => {
	const system = new SimulatedSystem(new PreferenceStore(DOMAIN));
	expect(system.macAddress.slice(3).replaceAll(":", "")).toBe(system.uuid.slice(-10));
	const before = made.restarts;
	system.restart();
	expect(made.restarts).toBe(before + 1);
});
