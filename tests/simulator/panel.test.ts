// The panel of Moddable's simulator draws whatever a board shows, and nothing that comes in makes it throw: that would end the simulator.

import { beforeEach, describe, expect, jest, test } from "@jest/globals";

interface Behavior {
	onCreate(container: object, device?: object): void;
	onMessage(container: object, message: unknown): void;
	onPartsChanged(port: object, parts: object): void;
	draw(port: object): void;
}
interface Content {
	Behavior?: new () => Behavior;
	contents?: Content[];
}

const restarts: string[] = [];
class Style {}
class PiuBehavior {
	onCreate(): void {}
}
const template = { template: (make: (device: object) => Content) => make };
Object.assign(globalThis, {
	Style,
	Behavior: PiuBehavior,
	Port: (_device: object, content: Content) => content,
	application: { defer: (what: string) => restarts.push(what) },
});
jest.unstable_mockModule("ControlsPane", () => ({ ButtonsRow: () => ({}), ControlsColumn: template }), { virtual: true });
jest.unstable_mockModule("DevicePane", () => ({ DeviceBehavior: PiuBehavior, DeviceContainer: template, DeviceScreen: () => ({}) }), {
	virtual: true,
});
const path = "../../simulator/moddable/panels/board.js";
const { default: panel } = (await import(path)) as { default: { DeviceTemplates: { 0: (device: object) => Content } } };
const content = panel.DeviceTemplates[0]({});

let texts: { text: string; x: number; y: number }[];
let blocks: { color: string; x: number; y: number; width: number; height: number }[];
const port = {
	invalidate() {},
	fillColor: (color: string, x: number, y: number, width: number, height: number) => blocks.push({ color, x, y, width, height }),
	drawString: (text: string, _style: Style, _color: string, x: number, y: number) => texts.push({ text, x, y }),
};
let container: Behavior;
let drawing: Behavior;
const target = { distribute: (_event: string, parts: object) => drawing.onPartsChanged(port, parts) };

function show(parts: { [part: string]: unknown }): void {
	for (const [part, state] of Object.entries(parts)) container.onMessage(target, JSON.stringify({ part, state }));
	texts = [];
	blocks = [];
	drawing.draw(port);
}
const words = () => texts.map(({ text }) => text);

beforeEach(() => {
	const { Behavior: Container, contents = [] } = content;
	const Drawing = contents.find((item) => item.Behavior)?.Behavior;
	if (!Container || !Drawing) throw new Error("the panel has no behaviors");
	container = new Container();
	drawing = new Drawing();
	container.onCreate(target, {});
	drawing.onCreate(port);
});

describe("draws", () => {
	test("only the parts that the board has", () => {
		show({ speaker: { volume: 35 } });
		expect(words()).toEqual(["Speaker", "volume 35 %"]);
	});

	test("a sound that was listened to like a tone that a part tells of", () => {
		show({ sound: { frequency: 440, gain: 1 } });
		expect(words()).toContain("sounds at 440 Hz");
		show({ sound: { silent: true }, speaker: { volume: 1, tone: { frequency: 880, duration: 5 } } });
		expect(words()).toContain("sounds at 880 Hz");
	});

	test("screen, lamp and battery; a screen without a theme has none", () => {
		show({ screen: { brightness: 30 }, lamp: { on: true }, battery: { level: 85, charging: true } });
		expect(words()).toEqual(["Screen", "brightness 30 %", "Lamp", "on", "Battery", "85 %, charging"]);
		show({ screen: { brightness: 30, theme: "dark" } });
		expect(words()).toContain("dark theme");
	});

	test.each([
		[1, 1],
		[8, 1],
		[25, 5],
		[60, 4],
		[64, 8],
	])("a light of %d pixels in %d rows", (count, rows) => {
		show({ light: { on: true, brightness: 100, pixels: new Array(count).fill([1, 2, 3]) } });
		const pixels = blocks.filter(({ color }) => color === "#010203");
		expect([pixels.length, new Set(pixels.map(({ y }) => y)).size]).toEqual([count, rows]);
		expect(Math.max(...pixels.map(({ x, width }) => x + width))).toBeLessThanOrEqual(330);
	});

	test("any number of servos, none over another or outside", () => {
		const servos = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`servo${i}`, { pin: i, position: i * 10, moving: false }]));
		show({ ...servos });
		const titles = texts.filter(({ text }) => /^Servo \d+$/.test(text));
		expect(new Set(titles.map(({ x, y }) => `${x} ${y}`)).size).toBe(12);
		expect(words()).toContain("110°, pin 11");
		expect(Math.max(...texts.map(({ x }) => x))).toBeLessThan(680);
		expect(Math.max(...texts.map(({ y }) => y))).toBeLessThan(500);
	});

	test("a part that it does not know as a line of text, and says how many have no room", () => {
		show({ gpio3: { level: 1 }, codec: { volume: 180, muted: false } });
		expect(words()).toEqual(["gpio3: level 1", "codec: volume 180, muted false"]);
		show(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`thing${i}`, { i }])));
		expect(words().at(-1)).toMatch(/^and \d+ more$/);
		expect(Math.max(...texts.map(({ y }) => y))).toBeLessThan(490);
	});
});

test("nothing that comes in makes it throw, and what it keeps has a bound", () => {
	const deep: unknown = JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`);
	const odd = [
		null,
		5,
		"x",
		[],
		{},
		{ on: 1, pixels: 5 },
		{ pixels: [null, "x", [1]] },
		{ position: "a", angle: null },
		{ volume: 1e9, tone: 5 },
		{ deep },
	];
	for (const message of [undefined, "", "{", "null", "5", "[]", '{"part":5}']) expect(() => container.onMessage(target, message)).not.toThrow();
	for (const state of odd)
		expect(() =>
			show({ screen: state, speaker: state, sound: state, lamp: state, battery: state, light: state, servo0: state, other: state, __proto__: state }),
		).not.toThrow();
	show({ light: { on: true, brightness: 100, pixels: new Array(5000).fill([1, 2, 3]) } });
	expect(words()).toContain("on, brightness 100 %, the first 256 of 5000");
	let kept: object = {};
	const counting = { distribute: (_event: string, parts: object) => (kept = parts) };
	for (let i = 0; i < 1000; i++) container.onMessage(counting, JSON.stringify({ part: `part${i}`, state: {} }));
	expect(Object.keys(kept).length).toBeLessThanOrEqual(64);
});

test("a restart is asked for, not drawn", () => {
	show({ system: { restart: true } });
	expect([restarts, texts]).toEqual([["doReloadFile"], []]);
});
