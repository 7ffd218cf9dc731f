// The display with a text, on a fake of Commodetto.

import { beforeEach, describe, expect, test } from "@jest/globals";
import { wrapText } from "drivers/text-lines";
import { TextScreen } from "drivers/text-screen";
import type { Backlight } from "hardware/screen";
import Preference from "preference";
import { PreferenceStore } from "settings/preference-store";
import { SimulatedScreen } from "../../boards/simulator/hardware/screen.js";
import parseBMF from "../../simulator/runtime/hardware/parse-bmf.js";
import { CHARACTER_WIDTH, drawn, FakeDisplay, FakePoco } from "../fakes/poco.js";
import { backlightContract } from "../hardware/backlight-contract.js";

const DOMAIN = "screen-test";
const WHITE = 0xffffff;

function createScreen(settings = new PreferenceStore(DOMAIN)) {
	const display = new FakeDisplay();
	// The simulated one keeps its brightness as a real one does.
	const backlight: Backlight = new SimulatedScreen({ show() {}, settings });
	return { display, screen: new TextScreen({ poco: FakePoco, display, backlight, font: () => parseBMF(), settings }) };
}

beforeEach(() => {
	for (const key of Preference.keys(DOMAIN)) Preference.delete(DOMAIN, key);
	drawn.broken = false;
});

backlightContract(
	"TextScreen",
	(domain) => new PreferenceStore(domain),
	(settings) => ({ backlight: createScreen(settings).screen }),
);

describe("TextScreen", () => {
	test("begins with the ground of its theme, which survives a restart", () => {
		expect([createScreen().screen.theme, drawn.ground, drawn.lines]).toEqual(["light", WHITE, []]);
		const { screen } = createScreen();
		screen.setTheme("dark");
		expect(drawn.ground).not.toBe(WHITE);
		expect(createScreen().screen.theme).toBe("dark");
		expect(drawn.ground).not.toBe(WHITE);
	});

	test("shows a text in both themes, and takes it away", () => {
		const { screen } = createScreen();
		screen.showText("Type in 246810");
		expect([drawn.lines, screen.text]).toEqual([["Type in 246810"], "Type in 246810"]);
		const { ink } = drawn;
		screen.setTheme("dark");
		expect(drawn.lines).toEqual(["Type in 246810"]);
		expect(drawn.ink).not.toBe(ink);
		screen.showText("");
		expect([drawn.lines, screen.text]).toEqual([[], undefined]);
	});

	test("draws no more lines than it has room for, however long the text", () => {
		const { screen } = createScreen();
		screen.showText("word ".repeat(10_000));
		expect(drawn.lines).toHaveLength(6);
	});

	test("holds no memory for drawing when it has drawn, and draws nothing when it is closed", () => {
		const { screen, display } = createScreen();
		screen.showText("text");
		screen.close();
		screen.close();
		screen.showText("more");
		screen.setTheme("dark");
		expect([drawn.open, drawn.lines, display.closed]).toEqual([0, ["text"], 1]);
	});
});

describe("a text in lines", () => {
	const wrap = (text: string, characters: number, lines = 10) =>
		wrapText(text, characters * CHARACTER_WIDTH, lines, (part) => [...part].length * CHARACTER_WIDTH);

	test.each([
		["", 10, []],
		["   ", 10, []],
		["one two three", 7, ["one two", "three"]],
		["one  two", 7, ["one two"]],
		["a http://192.168.4.1/ b", 8, ["a", "http://1", "92.168.4", ".1/ b"]],
		["音😀音😀", 3, ["音😀音", "😀"]],
		["wide", 0, ["w", "i", "d", "e"]],
	])("%p at %p characters is %p", (text, characters, lines) => {
		expect(wrap(text, characters)).toEqual(lines);
	});

	test("ends with the last line that there is room for", () => {
		expect(wrap("one two three four five six", 5, 2)).toEqual(["one", "two"]);
		expect(wrap("x".repeat(100_000), 5, 2)).toEqual(["xxxxx", "xxxxx"]);
	});
});
