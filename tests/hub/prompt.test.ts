// The prompt of `npm start` on a terminal and from a pipe, without a device: what it understands, what it hints at, and how it ends.

import { PassThrough, Writable } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import { type PromptDevice, parseArguments, runPrompt } from "../../hub/prompt.js";
import { Transcript } from "../../hub/transcript.js";

const tool = (name: string, more: object = {}): Tool => ({ name, description: `Does ${name}`, inputSchema: { type: "object" }, ...more }) as Tool;
const text = (text: string, isError = false): CallToolResult => ({ content: [{ type: "text", text }], isError });

const ends: (() => void)[] = [];
afterEach(() => {
	for (const end of ends.splice(0)) end();
});

/** A prompt that runs, with a device whose calls wait for `answer`. */
function open({ terminal = false, away }: { terminal?: boolean; away?: string } = {}) {
	let output = "";
	const waiting: (() => void)[] = [];
	const write = (chunk: Buffer, _encoding: string, done: () => void) => {
		output += chunk;
		for (const wake of waiting.splice(0)) wake();
		done();
	};
	const facts = { isTTY: terminal, columns: 100 };
	const input = Object.assign(new PassThrough(), facts, { setRawMode: () => {} });
	const stream = Object.assign(new Writable({ write }), facts) as unknown as NodeJS.WriteStream;
	const calls: unknown[] = [];
	const said: string[] = [];
	let answer: (result: CallToolResult) => void = () => {};
	let refuse: (reason: Error) => void = () => {};
	const device: PromptDevice = {
		name: "lamp",
		tools: [tool("self.light.set_rgb"), tool("self.light.turn_off", { outputSchema: { type: "object" } }), tool("self.lamp.turn_off")],
		userTools: [tool("self.reboot")],
		session: away === undefined ? {} : undefined,
		reason: away ?? "",
	};
	const session = {
		callTool: (name: string, args?: Record<string, unknown>) => {
			calls.push([name, args]);
			return new Promise<CallToolResult>((resolve, reject) => {
				answer = resolve;
				refuse = reject;
			});
		},
	};
	const stopped = new AbortController();
	ends.push(() => stopped.abort());
	const over = runPrompt(
		{
			input: input as unknown as NodeJS.ReadStream,
			output: stream,
			transcript: new Transcript(stream),
			session: () => (away === undefined ? Promise.resolve(session) : new Promise(() => {})),
			device: () => device,
			say: (text) => said.push(text),
			state: () => ["lamp  on true"],
		},
		stopped.signal,
	);
	const seen = async (pattern: RegExp) => {
		while (!pattern.test(output)) await new Promise<void>((resolve) => waiting.push(resolve));
	};
	const type = (line: string) => input.write(`${line}\n`);
	return {
		type,
		input,
		seen,
		over,
		calls,
		said,
		stopped,
		answer: (result: CallToolResult) => answer(result),
		refuse: (reason: Error) => refuse(reason),
		output: () => output,
	};
}

/** Lets everything run that can. */
const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe("a command", () => {
	test.each([
		['call self.light.set_rgb {"r": 1}', ["self.light.set_rgb", { r: 1 }]],
		["self.light.set_rgb {r: 1}", ["self.light.set_rgb", { r: 1 }]],
		["set_rgb{r:1}", ["self.light.set_rgb", { r: 1 }]],
		["reboot", ["self.reboot", {}]],
		["call self.not_listed", ["self.not_listed", {}]],
	])("%s calls a tool", async (line, call) => {
		const { type, calls } = open();
		type(line);
		await settle();
		expect(calls).toEqual([call]);
	});

	test.each([
		["?", /quit +ends the program/],
		["help", /help \[NAME\]/],
		["help set_rgb", /Does self\.light\.set_rgb\n +inputSchema \{\n +"type": "object"/],
		["help light.turn_off", /outputSchema/],
		["ls", /self\.light\.turn_off/],
		["user", /self\.reboot/],
		["state", /lamp {2}on true/],
		["tolls", /There is no command "tolls". Do you mean tools\?/],
		["set_rbg", /Do you mean set_rgb\?/],
		["turn_off", /Do you mean self\.light\.turn_off or self\.lamp\.turn_off\?/],
		["dance", /help lists the commands, tools the tools/],
		["{r: 1}", /For which tool\? call NAME \{r: 1\}/],
		["call set_rgb {r: }", /That is not JSON/],
		["call set_rgb [1]", /must be a JSON object/],
		["say", /needs a sentence/],
	])("%s is answered", async (line, answer) => {
		const { type, seen } = open();
		type(line);
		await seen(answer);
	});

	test.each(["quit", "exit", "q"])("%s ends it", async (line) => {
		const { type, over } = open();
		type(line);
		expect(await over).toBe(0);
	});

	test("that calls a tool which the device does not have names the one that may have been meant", async () => {
		const { type, seen, refuse } = open();
		type("call light.set_rbg {}");
		await settle();
		refuse(new Error("error -32601: Unknown tool: light.set_rbg"));
		await seen(/Unknown tool: light\.set_rbg Do you mean light\.set_rgb\?/);
	});

	test("that waits says for whom, and why", async () => {
		const { type, seen } = open({ away: "the plug was pulled" });
		type("reboot");
		await seen(/waiting for lamp, which is away: the plug was pulled/);
	});
});

describe("from a pipe", () => {
	test("one call waits for the other, the end of the input for the last, and what failed is counted", async () => {
		const { type, input, calls, answer, over } = open();
		for (const line of ["set_rgb", "dance", "reboot"]) type(line);
		input.end();
		await settle();
		expect(calls).toHaveLength(1);
		answer(text("no", true));
		while (calls.length < 2) await settle();
		answer(text("true"));
		expect(await over).toBe(2);
	});
});

describe("on a terminal", () => {
	test("state answers while a call waits, and its answer comes when it comes", async () => {
		const { type, seen, answer } = open({ terminal: true });
		type("set_rgb");
		type("state");
		await seen(/lamp {2}on true/);
		answer(text("done at last"));
		await seen(/← .*done at last/);
	});

	test("Ctrl-C ends it, also while a call waits", async () => {
		const { type, input, over, calls } = open({ terminal: true });
		type("set_rgb");
		while (calls.length === 0) await settle();
		input.write("\x03");
		expect(await over).toBe(0);
	});

	test("a signal ends it while a call waits", async () => {
		const { type, stopped, over, calls } = open({ terminal: true });
		type("set_rgb");
		while (calls.length === 0) await settle();
		stopped.abort();
		expect(await over).toBe(0);
	});
});

test.each([
	["{r: 1, g: -2.5}", { r: 1, g: -2.5 }],
	["{text: 'it is {x: 1}', 'b': [true, null]}", { text: "it is {x: 1}", b: [true, null] }],
	['{"a:b": "c: d, e: f"}', { "a:b": "c: d, e: f" }],
	["{a: {b: 1}}", { a: { b: 1 } }],
	["{text: 'don\\'t'}", { text: "don't" }],
])("%s is understood", (given, value) => {
	expect(parseArguments(given)).toEqual(value);
});
