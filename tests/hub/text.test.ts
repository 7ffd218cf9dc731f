// The terminal's text: widths, cutting, the table of tools, states and colours.

import { Writable } from "node:stream";
import { describe, expect, jest, test } from "@jest/globals";
import type { Tool } from "@modelcontextprotocol/client";
import { createPalette, cut, plain, widthOf } from "../../cli/terminal.js";
import { describeArguments } from "../../cli/tool-arguments.js";
import { BoardState } from "../../hub/board-state.js";
import { complete } from "../../hub/prompt.js";
import { describeState, toolTable } from "../../hub/text.js";
import { Transcript } from "../../hub/transcript.js";
import { tool } from "../support/tool-board.js";

const noColors = createPalette({ isTTY: false });
const colors = createPalette({ isTTY: true }, {});

describe("colours", () => {
	test("are for terminals, and not for those that ask for none", () => {
		expect(colors.red("a")).toBe("\x1b[31ma\x1b[0m");
		expect(noColors.red("a")).toBe("a");
		expect(createPalette({ isTTY: true }, { NO_COLOR: "1" }).colored).toBe(false);
		expect(createPalette({ isTTY: true }, { NO_COLOR: "" }).colored).toBe(true);
		expect(createPalette({ isTTY: true }, { TERM: "dumb" }).colored).toBe(false);
	});
});

describe("widths", () => {
	test("count Chinese characters twice and marks not at all", () => {
		expect(widthOf("a中b")).toBe(4);
		expect(widthOf("e\u0301")).toBe(1);
	});

	test.each([
		["short", 10, "short"],
		["exactly10!", 10, "exactly10!"],
		["longer than ten", 10, "longer th…"],
		["中文中文中文", 7, "中文中…"],
		["中文中文中文", 6, "中文…"],
	])("%j in %d columns is %j", (given, width, expected) => {
		expect(cut(given, width)).toBe(expected);
		expect(widthOf(expected)).toBeLessThanOrEqual(width);
	});

	test("leave no control character that could steer the terminal", () => {
		expect(plain("a\x1b[2Jb\r\nc\u202ed")).toBe("a [2Jb c d");
	});
});

describe("the table of tools", () => {
	test("shows names, limits and choices", () => {
		const listed = tool(
			"self.x",
			{
				level: { type: "integer", minimum: 0, maximum: 8 },
				theme: { type: "string", enum: ["light", "dark"] },
				on: { type: "boolean" },
				list: { type: "array", items: { type: "string" } },
			},
			["level"],
		) as Tool;
		expect(describeArguments(listed)).toBe("level: 0–8, theme?: light|dark, on?: boolean, list?: string[]");
		expect(describeArguments(tool("self.y") as Tool)).toBe("–");
	});

	test("goes on in the next line where the arguments are many", () => {
		const properties = Object.fromEntries(["index", "red", "green", "blue"].map((name) => [name, { type: "integer", minimum: 0, maximum: 255 }]));
		expect(toolTable([tool("self.set", properties)] as Tool[], noColors, 60)).toEqual([
			"  self.set  index: 0–255,            The tool self.set",
			"            red: 0–255,",
			"            green: 0–255,",
			"            blue: 0–255",
		]);
	});

	test("keeps every line within the width", () => {
		const tools = [
			tool("self.a"),
			{ ...tool("self.led_strip.set_single_color", { index: { type: "integer", maximum: 7 } }), description: "设置灯带中一颗灯的颜色".repeat(20) },
		] as Tool[];
		for (const width of [60, 100, 160]) for (const row of toolTable(tools, noColors, width)) expect(widthOf(row)).toBeLessThanOrEqual(width);
	});
});

describe("states", () => {
	test("are one line, with pixels counted where there are no colours", () => {
		const pixels = [
			[255, 0, 0],
			[255, 0, 0],
			[0, 0, 255],
		];
		expect(describeState("light", { on: true, pixels }, noColors)).toBe("light  on true, pixels #ff0000 ×2 #0000ff");
		expect(describeState("light", { pixels }, colors)).toBe(
			"light  pixels \x1b[38;2;255;0;0m██\x1b[0m\x1b[38;2;255;0;0m██\x1b[0m\x1b[38;2;0;0;255m██\x1b[0m",
		);
	});

	test("may be of any shape", () => {
		expect(describeState("x", { a: { b: 1 }, c: undefined, d: [1, "two"] }, noColors)).toBe("x  a (b 1), d [1 two]");
		expect(describeState("x", null, noColors)).toBe("x  null");
		const endless: Record<string, unknown> = {};
		endless.self = endless;
		expect(describeState("x", endless, noColors)).toContain("…");
	});

	test("of a part with a name stand under it; a servo's are where it stands and where it was sent", () => {
		const servo = { kind: "servo", label: "left arm", pin: 5 };
		expect(describeState("servo0", { angle: 20, position: 20.2, moving: false }, noColors, servo)).toBe("left arm  20°");
		expect(describeState("servo0", { angle: 90, position: 33.4, moving: true }, noColors, servo)).toBe("left arm  33° → 90°");
		expect(describeState("light", { on: false }, noColors, { kind: "light", label: "strip\x1b[2J" })).toBe("strip [2J  on false");
	});

	test("are told when they change, without the way of a movement, the electronics and pictures", () => {
		const { transcript, written } = transcriptOf({});
		const state = new BoardState(transcript);
		state.describe("gpio3", { kind: "gpio", detail: true });
		state.describe("display", { kind: "display" });
		state.show("gpio3", { level: 1 });
		state.show("display", { items: [] });
		for (const [position, moving] of [
			[0, false],
			[10, true],
			[20, true],
			[30, false],
			[30, false],
		])
			state.show("servo0", { position, moving });
		state.close();
		expect(written()).toBe(
			["servo0  position 0, moving false", "servo0  position 10, moving true", "servo0  position 30, moving false"]
				.map((line) => `    ${line}\n`)
				.join(""),
		);
		expect(state.lines).toEqual(["gpio3  level 1", "servo0  position 30, moving false"]);
	});

	test("that change all the time are told a few times", () => {
		const { transcript, written } = transcriptOf({});
		const state = new BoardState(transcript);
		for (let volume = 0; volume < 100; volume++) state.show("speaker", { volume });
		state.close();
		expect(written().split("\n")).toHaveLength(7);
		expect(state.lines).toEqual(["speaker  volume 99"]);
	});

	test("are one line on a terminal for as long as something changes, and a new one behind other lines", () => {
		jest.useFakeTimers();
		try {
			const { transcript, screen } = transcriptOf({ isTTY: true, columns: 60 });
			const state = new BoardState(transcript);
			for (let time = 0; time < 6000; time += 20) {
				state.show("speaker", { volume: time / 20 });
				for (const joint of [0, 1, 2, 3, 4, 5]) state.show(`servo${joint}`, { position: time + joint });
				jest.advanceTimersByTime(20);
			}
			jest.advanceTimersByTime(100);
			const [line = "", ...more] = screen();
			expect(more).toEqual([]);
			expect(line).toMatch(/^ {4}speaker {2}volume 299 {3}servo0 {2}position 5980 .*…$/);
			expect(line.length).toBeLessThan(60);
			transcript.line("something else");
			state.show("speaker", { volume: 1 });
			jest.advanceTimersByTime(100);
			expect(screen().slice(1)).toEqual(["something else", expect.stringMatching(/speaker {2}volume 1( |$)/)]);
			jest.advanceTimersByTime(2000);
			state.show("speaker", { volume: 2 });
			expect(screen().at(-1)).toBe("    speaker  volume 2");
			state.close();
		} finally {
			jest.useRealTimers();
		}
	});
});

/** A transcript, everything that it has written, and what a terminal would show of that. */
function transcriptOf(facts: { isTTY?: true; columns?: number }) {
	let text = "";
	const write = (chunk: Buffer, _encoding: string, done: () => void) => {
		text += chunk;
		done();
	};
	const stream = Object.assign(new Writable({ write }), facts);
	const screen = () => {
		const rows: string[] = [""];
		// biome-ignore lint/suspicious/noControlCharactersInRegex: what moves a terminal's cursor
		for (const piece of text.replace(/\x1b\[[\d;]*m/g, "").split(/(\n|\x1b\[1A|\x1b\[2K)/)) {
			if (piece === "\n") rows.push("");
			else if (piece === "\x1b[1A") rows.pop();
			else if (piece === "\x1b[2K") rows[rows.length - 1] = "";
			else rows[rows.length - 1] += piece;
		}
		return rows.slice(0, -1);
	};
	return { transcript: new Transcript(stream as unknown as NodeJS.WriteStream), written: () => text, screen };
}

describe("completion", () => {
	const names = ["self.light.get_power", "self.light.set_rgb", "self.reboot"];

	test.each([
		["", ["tools ", "user ", "call ", "say ", "state ", "help ", "quit "]],
		["t", ["tools "]],
		["call ", names.map((name) => `${name} `)],
		["call self.li", ["self.light.get_power ", "self.light.set_rgb "]],
		["call self.reboot {", []],
		["help self.r", ["self.reboot "]],
		["self.l", ["self.light.get_power ", "self.light.set_rgb "]],
	])("of %j offers %j", (line, hits) => {
		expect(complete(line, names)[0]).toEqual(hits);
	});
});
