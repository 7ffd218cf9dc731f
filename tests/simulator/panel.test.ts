// The panel of Moddable's simulator draws whatever a board shows, and nothing that comes in makes it throw: that would end the simulator.

import { beforeEach, describe, expect, jest, test } from "@jest/globals";

interface Behavior {
	onCreate(container: object, device?: object): void;
	onMessage(container: object, message: unknown): void;
	onInput(container: object, part: string, input: object): void;
	onPartsChanged(port: object, parts: object): void;
	onTouchBegan(port: object, id: number, x: number, y: number): void;
	onTouchEnded(port: object): void;
	draw(port: object): void;
}
interface Content {
	Behavior?: new () => Behavior;
	contents?: Content[];
}

const restarts: string[] = [];
class Style {}
const posted: unknown[] = [];
class PiuBehavior {
	onCreate(): void {}
	postMessage(_container: object, message: string): void {
		posted.push(JSON.parse(message));
	}
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
	x: 100,
	y: 50,
	width: 680,
	height: 500,
	invalidate() {},
	bubble: (_event: string, part: string, input: object) => container.onInput(target, part, input),
	fillColor: (color: string, x: number, y: number, width: number, height: number) => blocks.push({ color, x, y, width, height }),
	drawString: (text: string, _style: Style, _color: string, x: number, y: number) => texts.push({ text, x, y }),
};
let container: Behavior;
let drawing: Behavior;
const target = { distribute: (_event: string, parts: object) => drawing.onPartsChanged(port, parts) };

function show(parts: { [part: string]: unknown }, descriptions: { [part: string]: object } = {}): void {
	for (const [part, description] of Object.entries(descriptions)) container.onMessage(target, JSON.stringify({ part, description }));
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

	test("a sound while it is heard", () => {
		show({ sound: { frequency: 440, gain: 1 } });
		expect(words()).toContain("sounds at 440 Hz");
		show({ sound: { frequency: 0, gain: 1 }, speaker: { volume: 1 } });
		expect(words()).toEqual(["Speaker", "volume 1 %"]);
	});

	test("screen, lamp and battery; a screen without a theme has none", () => {
		show({ screen: { brightness: 30 }, lamp: { on: true }, battery: { level: 85, charging: true } });
		expect(words()).toEqual(["Screen", "30 %", "Lamp", "on", "Battery", "85 %, charging"]);
		show({ screen: { brightness: 30, theme: "dark" } });
		expect(words()).toContain("30 %, dark");
	});

	test("what was drawn on a display, and nothing of it outside", () => {
		const items = [
			["rectangle", "#ff0000", 0, 0, 320, 240],
			["rectangle", "#00ff00", 300, 200, 900, 900],
			["text", "#000000", 20, 30, 28, "246810"],
			["circle", 5],
			null,
		];
		show({ screen: { brightness: 100 }, display: { items } }, { display: { kind: "display", width: 320, height: 240 } });
		expect(words()).toContain("246810");
		const ground = blocks.find(({ color }) => color === "#ff0000");
		const corner = blocks.find(({ color }) => color === "#00ff00");
		if (!ground || !corner) throw new Error("not drawn");
		expect(ground.width / ground.height).toBeCloseTo(320 / 240, 1);
		expect(corner.x + corner.width).toBeLessThanOrEqual(ground.x + ground.width + 1);
		expect(corner.y + corner.height).toBeLessThanOrEqual(ground.y + ground.height + 1);
	});

	test("parts under the names that the board gives them, and what the device does", () => {
		show({ servo0: { angle: 90, position: 90, moving: false }, device: { state: "idle" } }, { servo0: { kind: "servo", label: "left leg" } });
		expect(words()).toEqual(["idle", "left leg", "90°"]);
		show({ assistant: { kind: "call", text: "self.reboot {}" } });
		expect(words()[0]).toBe("idle    last call: self.reboot {}");
		show({ device: { state: "starting" } });
		expect(words()[0]).toMatch(/^starting: no connection yet; the log says/);
	});

	test("buttons, which can be pressed, and a screen where it is touched", () => {
		show({ button9: { pressed: false } }, { button9: { kind: "button", label: "boot", pin: 9 } });
		expect(words()).toEqual(["boot"]);
		const key = blocks.find(({ width, height }) => width === 40 && height === 40);
		if (!key) throw new Error("no button");
		posted.length = 0;
		drawing.onTouchBegan(port, 0, port.x + key.x + 5, port.y + key.y + 5);
		drawing.onTouchEnded(port);
		drawing.onTouchBegan(port, 0, port.x + key.x - 5, port.y + key.y + 5);
		drawing.onTouchEnded(port);
		expect(posted).toEqual([
			{ part: "button9", input: { pressed: true } },
			{ part: "button9", input: { pressed: false } },
		]);
		show({ screen: { brightness: 100, theme: "light" }, touch: { pressed: false } });
		const glass = blocks.find(({ color }) => color === "#ffffff");
		if (!glass) throw new Error("no screen");
		drawing.onTouchBegan(port, 0, port.x + glass.x + glass.width / 2, port.y + glass.y + glass.height / 2);
		expect(posted[2]).toMatchObject({ part: "touch", input: { pressed: true } });
		const { x, y } = (posted[2] as { input: { x: number; y: number } }).input;
		expect([Math.abs(x - 160) < 3, Math.abs(y - 120) < 3]).toEqual([true, true]);
	});

	test("needles that stay in their dials, whatever the angle", () => {
		for (const position of [-900, 0, 90, 200, 1e7]) {
			show({ servo0: { angle: position, position, moving: false } }, { servo0: { kind: "servo", range: [20, 160] } });
			const base = Math.max(...blocks.filter(({ width }) => width === 2).map(({ y }) => y));
			const needle = blocks.filter(({ width }) => width === 4 || width === 6);
			expect(needle.length).toBeGreaterThan(10);
			expect(Math.max(...needle.map(({ y }) => y))).toBeLessThanOrEqual(base + 1);
		}
	});

	test("a panel as wide as its window", () => {
		const before = { ...port };
		Object.assign(port, { width: 1200, height: 700 });
		show({ speaker: { volume: 100 } });
		expect(blocks.some(({ x, width }) => x === 0 && width === 1200)).toBe(true);
		expect(Math.max(...blocks.slice(1).map(({ width }) => width))).toBeGreaterThan(500);
		Object.assign(port, { width: before.width, height: before.height });
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

	test("a window of the size that the simulator begins with, nothing over another or outside", () => {
		const { width } = port;
		port.width = 320;
		show({ screen: { brightness: 60, theme: "light" }, speaker: { volume: 5 }, lamp: { on: true }, battery: { level: 85, charging: true } });
		port.width = width;
		for (const { text, x } of texts) expect([text, x + 7 * text.length <= (x < 170 ? 170 : 320)]).toEqual([text, true]);
		for (const { x, width } of blocks) expect(x + width).toBeLessThanOrEqual(320);
	});

	test("any number of servos, none over another or outside", () => {
		const servos = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`servo${i}`, { angle: i * 10, position: i * 10, moving: false }]));
		show({ ...servos });
		const titles = texts.filter(({ text }) => /^Servo \d+$/.test(text));
		expect(new Set(titles.map(({ x, y }) => `${x} ${y}`)).size).toBe(12);
		expect(words()).toContain("110°");
		expect(Math.max(...texts.map(({ x }) => x))).toBeLessThan(680);
		expect(Math.max(...texts.map(({ y }) => y))).toBeLessThan(500);
	});

	test("a part that it does not know as a line of text, and says how many have no room", () => {
		show({ gpio3: { level: 1 }, codec: { volume: 180, muted: false } });
		expect(words()).toEqual(["Gpio 3: level 1", "Codec: volume 180, muted false"]);
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
			show({
				screen: state,
				display: state,
				touch: state,
				device: state,
				assistant: state,
				button1: state,
				speaker: state,
				sound: state,
				lamp: state,
				battery: state,
				light: state,
				servo0: state,
				other: state,
				__proto__: state,
			}),
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
