// The terminal's text: widths, cutting, the table of tools, states and colours.

import { describe, expect, test } from "@jest/globals";
import type { Tool } from "@modelcontextprotocol/client";
import { createPalette, cut, plain, widthOf } from "../../cli/terminal.js";
import { describeArguments } from "../../cli/tool-arguments.js";
import { BoardState } from "../../hub/board-state.js";
import { complete } from "../../hub/prompt.js";
import { describeState, toolTable } from "../../hub/text.js";
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

	test("are told when they change, without the way of a movement", () => {
		const lines: string[] = [];
		const state = new BoardState(noColors, (line) => lines.push(line));
		for (const [position, moving] of [
			[0, false],
			[10, true],
			[20, true],
			[30, false],
			[30, false],
		])
			state.show("servo0", { position, moving });
		state.close();
		expect(lines).toEqual(["servo0  position 0, moving false", "servo0  position 10, moving true", "servo0  position 30, moving false"]);
		expect(state.lines).toEqual(["servo0  position 30, moving false"]);
	});

	test("that change all the time are told a few times", () => {
		const lines: string[] = [];
		const state = new BoardState(noColors, (line) => lines.push(line));
		for (let volume = 0; volume < 100; volume++) state.show("speaker", { volume });
		state.close();
		expect(lines).toHaveLength(20);
		expect(state.lines).toEqual(["speaker  volume 99"]);
	});
});

describe("completion", () => {
	const names = ["self.light.get_power", "self.light.set_rgb", "self.reboot"];

	test.each([
		["", ["tools ", "user ", "call ", "say ", "state ", "help ", "quit "]],
		["t", ["tools "]],
		["call ", names.map((name) => `${name} `)],
		["call self.li", ["self.light.get_power ", "self.light.set_rgb "]],
		["call self.reboot {", []],
	])("of %j offers %j", (line, hits) => {
		expect(complete(line, names)[0]).toEqual(hits);
	});
});
