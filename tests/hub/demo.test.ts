// The demonstration of `npm start`, against tools that work and tools that do not.

import { describe, expect, test } from "@jest/globals";
import { type CallToolResult, ProtocolError, type Tool } from "@modelcontextprotocol/client";
import { runDemo, type ToolCaller } from "../../hub/demo.js";
import type { Answer } from "../support/scripted-device.js";
import { createToolBoard, text, tool } from "../support/tool-board.js";

/** The tool board as a caller without a connection, with some calls replaced. */
function createCaller(replaced: Record<string, (args: Record<string, unknown>) => unknown> = {}) {
	const board = createToolBoard();
	const calls: string[] = [];
	const caller: ToolCaller = {
		async callTool(name, args = {}) {
			calls.push(`${name} ${JSON.stringify(args)}`);
			if (replaced[name]) return replaced[name](args) as CallToolResult;
			try {
				return board.answers["tools/call"]?.({ name, arguments: args }) as CallToolResult;
			} catch (error) {
				const { code, message } = error as { code: number; message: string };
				throw new ProtocolError(code, message);
			}
		},
	};
	const list = (cursor?: string) => (board.answers["tools/list"] as Answer)(cursor ? { cursor } : {}) as { tools: Tool[] };
	return { caller, calls, tools: [...list().tools, ...list("self.light.get_power").tools] };
}

describe("runDemo", () => {
	test("calls what the board has, reads the status back and tries what must be refused", async () => {
		const { caller, calls, tools } = createCaller();
		expect(await runDemo(caller, tools)).toBe(calls.length);
		expect(calls).toEqual([
			"self.get_device_status {}",
			'self.audio_speaker.set_volume {"volume":50}',
			"self.get_device_status {}",
			'self.audio_speaker.set_volume {"volume":101}',
			'self.light.set_rgb {"r":255,"g":96,"b":0}',
			"self.light.get_power {}",
			"self.light.turn_off {}",
			"self.light.get_power {}",
			"self.no_such_tool {}",
		]);
	});

	test("makes up the arguments that it does not know, and leaves out what does not fit", async () => {
		const calls: unknown[] = [];
		const caller: ToolCaller = {
			async callTool(name, args) {
				if (name === "self.no_such_tool") throw new ProtocolError(-32601, "Unknown tool");
				calls.push([name, args]);
				return text(true) as CallToolResult;
			},
		};
		const servo = {
			servo: { type: "integer", minimum: 0, maximum: 0 },
			angle: { type: "number" },
			hold: { type: "boolean" },
			mode: { type: "string", enum: ["a", "b"] },
		};
		await runDemo(caller, [tool("self.servo.set_angle", servo), tool("self.screen.set_theme", { color: { type: "string" } })] as Tool[]);
		expect(calls).toEqual([["self.servo.set_angle", { angle: 45, servo: 0, hold: true, mode: "a" }]]);
	});

	test("calls tools that only read and that it does not know by name", async () => {
		const calls: string[] = [];
		const caller: ToolCaller = {
			async callTool(name) {
				if (name === "self.no_such_tool") throw new ProtocolError(-32601, "Unknown tool");
				calls.push(name);
				return text("idle") as CallToolResult;
			},
		};
		const writes = { ...tool("self.otto.get_lost"), annotations: { readOnlyHint: false } };
		await runDemo(caller, [
			tool("self.otto.get_status"),
			writes,
			tool("self.otto.home"),
			tool("self.otto.get_trim", { servo: { type: "integer" } }),
		] as Tool[]);
		expect(calls).toEqual(["self.otto.get_status"]);
	});

	test.each<[string, Record<string, (args: Record<string, unknown>) => unknown>, string]>([
		["the status does not follow", { "self.audio_speaker.set_volume": () => text(true) }, "the status says audio_speaker.volume 70"],
		["the light stays off", { "self.light.set_rgb": () => text(true) }, "self.light.get_power says false"],
		["a call has isError", { "self.light.turn_off": () => ({ ...text("stuck"), isError: true }) }, "failed: stuck"],
		["a result has no isError", { "self.light.turn_off": () => ({ content: text(true).content }) }, "no isError"],
		["a result does not begin with a text", { "self.light.turn_off": () => ({ content: [], isError: false }) }, "begin with a text"],
		["an unknown tool is answered", { "self.no_such_tool": () => text(true) }, "should have been refused"],
		[
			"an unknown tool has another code",
			{
				"self.no_such_tool": () => {
					throw new ProtocolError(-32602, "no");
				},
			},
			"expected -32601",
		],
		[
			"the connection goes",
			{
				"self.light.turn_off": () => {
					throw new Error("Connection closed");
				},
			},
			"failed: Connection closed",
		],
	])("fails when %s", async (_name, replaced, reason) => {
		const { caller, tools } = createCaller(replaced);
		await expect(runDemo(caller, tools)).rejects.toThrow(reason);
	});

	test("fails for a board that offers nothing it can call", async () => {
		const { caller } = createCaller();
		await expect(runDemo(caller, [])).rejects.toThrow("no tool that the demonstration knows");
	});
});
