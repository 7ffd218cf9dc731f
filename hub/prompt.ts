// The prompt of `npm start`: reads commands one after the other and says what came of each.

import { clearLine, createInterface, cursorTo } from "node:readline";
import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import { inline, plain } from "../cli/terminal.js";
import { messageOf } from "./demo.js";
import { toolTable } from "./text.js";
import type { Transcript } from "./transcript.js";

/** The part of a session that the prompt needs. */
export interface PromptSession {
	callTool(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
	readonly tools: readonly Tool[];
	readonly userTools: readonly Tool[];
}

export interface PromptOptions {
	input: NodeJS.ReadStream;
	output: NodeJS.WriteStream;
	transcript: Transcript;
	/** The device's session; waits while the device is away. */
	session(): Promise<PromptSession>;
	/** The names that Tab completes after `call`. */
	toolNames(): readonly string[];
	/** Has the board say a sentence to the assistant. */
	say(text: string): void;
	/** The board's state, one line for each part. */
	state(): readonly string[];
}

const HELP = [
	["tools", "lists the tools that a model sees"],
	["user", "lists the tools for people only"],
	["call NAME JSON", 'calls a tool, for example: call self.audio_speaker.set_volume {"volume": 30}'],
	["say TEXT", "has the board say a sentence to the assistant behind its backend"],
	["state", "shows the state of the board's parts"],
	["help", "shows this list"],
	["quit", "ends the program, as do Ctrl-D and Ctrl-C"],
] as const;
const COMMANDS = HELP.map(([usage]) => usage.split(" ", 1)[0] ?? "");

/** What Tab offers for a line: commands at its beginning, tool names after `call`. */
export function complete(line: string, toolNames: readonly string[]): [string[], string] {
	const call = /^\s*call\s+(\S*)$/.exec(line);
	const word = call ? (call[1] ?? "") : line.trimStart();
	const hits = (call ? toolNames : COMMANDS).filter((name) => name.startsWith(word));
	return [hits.map((hit) => `${hit} `), word];
}

/**
 * Reads commands until `quit`, the end of the input or Ctrl-C.
 * @param stopped aborts the reading from outside
 */
export async function runPrompt(options: PromptOptions, stopped: AbortSignal): Promise<void> {
	const { input, output, transcript } = options;
	const terminal = Boolean(input.isTTY && output.isTTY);
	const lines = createInterface({
		input,
		output: terminal ? output : undefined,
		terminal,
		prompt: transcript.palette.bold("> "),
		historySize: 200,
		removeHistoryDuplicates: true,
		completer: (line: string) => complete(line, options.toolNames()),
	});
	let standing = false;
	if (terminal)
		transcript.around = {
			before() {
				if (!standing) return;
				cursorTo(output, 0);
				clearLine(output, 0);
			},
			after: () => standing && lines.prompt(true),
		};
	const ask = () => {
		standing = true;
		if (terminal) lines.prompt();
	};
	const onAbort = () => lines.close();
	stopped.addEventListener("abort", onAbort);
	lines.on("SIGINT", onAbort);
	const aborted = new Promise<"stop">((resolve) => stopped.addEventListener("abort", () => resolve("stop")));
	try {
		if (stopped.aborted) return;
		ask();
		for await (const line of lines) {
			standing = false;
			if ((await Promise.race([runCommand(line.trim(), options), aborted])) === "stop") break;
			ask();
		}
	} finally {
		standing = false;
		transcript.around = undefined;
		lines.close();
		stopped.removeEventListener("abort", onAbort);
		if (terminal) output.write("\n");
	}
}

async function runCommand(line: string, options: PromptOptions): Promise<"stop" | "next"> {
	const { transcript } = options;
	const [word = "", rest = ""] = split(line);
	switch (word) {
		case "":
			break;
		case "quit":
			return "stop";
		case "help":
			for (const [usage, meaning] of HELP) transcript.line(`  ${usage.padEnd(16)} ${transcript.palette.dim(meaning)}`);
			break;
		case "tools":
			for (const row of toolTable((await options.session()).tools, transcript.palette, transcript.width)) transcript.line(row);
			break;
		case "user":
			for (const row of toolTable((await options.session()).userTools, transcript.palette, transcript.width)) transcript.line(row);
			break;
		case "state": {
			const parts = options.state();
			for (const part of parts) transcript.line(`  ${part}`);
			if (parts.length === 0) transcript.line("  The board has not shown anything yet.");
			break;
		}
		case "say":
			if (rest) options.say(rest);
			else transcript.line("say needs a sentence: say TEXT");
			break;
		case "call":
			await runCall(rest, options);
			break;
		default:
			transcript.line(`There is no command "${inline(word, 40)}"; help lists them.`);
	}
	return "next";
}

async function runCall(text: string, options: PromptOptions): Promise<void> {
	const { transcript } = options;
	const { palette } = transcript;
	const [name = "", json = ""] = split(text);
	if (!name) return transcript.line("call needs the name of a tool: call NAME JSON");
	let args: unknown;
	try {
		args = JSON.parse(json || "{}");
	} catch (error) {
		return transcript.line(`That is not JSON: ${plain(messageOf(error))}`);
	}
	if (typeof args !== "object" || args === null || Array.isArray(args))
		return transcript.line('The arguments must be a JSON object, for example {"volume": 30}');
	try {
		const result = await (await options.session()).callTool(name, args as Record<string, unknown>);
		for (const item of result.content) {
			const shown =
				item.type === "text"
					? plain(item.text)
					: item.type === "image"
						? `[${plain(item.mimeType)}, ${item.data.length} characters of base64]`
						: `[${item.type}]`;
			transcript.line(`  ← ${result.isError ? palette.red(shown) : palette.green(shown)}`);
		}
	} catch (error) {
		transcript.line(`  ← ${palette.red(plain(messageOf(error)))}`);
	}
}

function split(text: string): [string, string] {
	const match = /^(\S*)\s*(.*)$/s.exec(text);
	return [match?.[1] ?? "", match?.[2] ?? ""];
}
