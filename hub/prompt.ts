// The prompt of `npm start`: reads commands and says what came of each.

import { clearLine, createInterface, cursorTo } from "node:readline";
import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import { closest } from "../cli/program.js";
import { inline, plain } from "../cli/terminal.js";
import { messageOf } from "./demo.js";
import { toolTable } from "./text.js";
import type { Transcript } from "./transcript.js";

/** The part of a session that the prompt needs. */
export interface PromptSession {
	callTool(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
}

/** What is known of the device, also while it is away. */
export interface PromptDevice {
	readonly name: string;
	readonly tools: readonly Tool[];
	readonly userTools: readonly Tool[];
	/** Undefined while it is away. */
	readonly session: object | undefined;
	/** Why it is away. */
	readonly reason: string;
}

export interface PromptOptions {
	input: NodeJS.ReadStream;
	output: NodeJS.WriteStream;
	transcript: Transcript;
	/** The device's session; waits while the device is away. */
	session(): Promise<PromptSession>;
	/** Undefined before it has been discovered. */
	device(): PromptDevice | undefined;
	/** Has the board say a sentence to the assistant. */
	say(text: string): void;
	/** The board's state, one line for each part. */
	state(): readonly string[];
}

const HELP = [
	["tools", "lists the tools that a model sees"],
	["user", "lists the tools for people only"],
	["call NAME JSON", 'calls a tool, for example: call self.audio_speaker.set_volume {"volume": 30}; "call" may be left out'],
	["say TEXT", "has the board say a sentence to the assistant behind its backend"],
	["state", "shows the state of the board's parts"],
	["help [NAME]", "shows this list, or a tool with its whole description and schema"],
	["quit", "ends the program, as do exit, Ctrl-D and Ctrl-C"],
] as const;
const COMMANDS: readonly string[] = HELP.map(([usage]) => usage.split(" ", 1)[0] ?? "");
/** Other words for commands. */
const ALIASES: Readonly<Record<string, string>> = { exit: "quit", q: "quit", "?": "help", h: "help", ls: "tools" };
/** A call that takes longer says for whom it waits. */
const PATIENCE_MS = 2000;

/** What Tab offers for a line: commands at its beginning, tool names after `call` and `help`, and at the beginning from the first dot on. */
export function complete(line: string, toolNames: readonly string[]): [string[], string] {
	const named = /^\s*(?:call|help)\s+(\S*)$/.exec(line);
	const word = named ? (named[1] ?? "") : line.trimStart();
	const hits = (named || word.includes(".") ? toolNames : COMMANDS).filter((name) => name.startsWith(word));
	return [hits.map((hit) => `${hit} `), word];
}

/**
 * Reads commands until `quit`, the end of the input or Ctrl-C. On a terminal the next command can be typed while a call waits;
 * otherwise one waits for the other.
 * @param stopped aborts the reading from outside
 * @returns how many commands failed
 */
export async function runPrompt(options: PromptOptions, stopped: AbortSignal): Promise<number> {
	const { input, output, transcript } = options;
	const terminal = Boolean(input.isTTY && output.isTTY);
	const lines = createInterface({
		input,
		output: terminal ? output : undefined,
		terminal,
		prompt: transcript.palette.bold("> "),
		historySize: 200,
		removeHistoryDuplicates: true,
		completer: (line: string) =>
			complete(
				line,
				toolsOf(options).map(({ name }) => name),
			),
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
	let failures = 0;
	let stop: () => void = () => {};
	const over = new Promise<"stop">((resolve) => {
		stop = () => resolve("stop");
	});
	const onAbort = () => {
		stop();
		lines.close();
	};
	stopped.addEventListener("abort", onAbort);
	lines.on("SIGINT", onAbort);
	try {
		if (stopped.aborted) return 0;
		ask();
		for await (const line of lines) {
			standing = false;
			const running = runCommand(line.trim(), options).then((outcome) => {
				if (outcome === "failed") failures++;
				if (outcome === "stop") onAbort();
				return outcome;
			});
			// What takes a moment is waited for, so that the prompt stands behind its answer.
			if ((await Promise.race([running, over, ...(terminal ? [pause()] : [])])) === "stop") break;
			ask();
		}
	} finally {
		standing = false;
		transcript.around = undefined;
		lines.close();
		stopped.removeEventListener("abort", onAbort);
		if (terminal) output.write("\n");
	}
	return failures;
}

const pause = () => new Promise<"later">((resolve) => setTimeout(() => resolve("later"), 150).unref());

function toolsOf(options: PromptOptions): Tool[] {
	const device = options.device();
	return [...(device?.tools ?? []), ...(device?.userTools ?? [])];
}

type Outcome = "stop" | "next" | "failed";

async function runCommand(line: string, options: PromptOptions): Promise<Outcome> {
	const { transcript } = options;
	const [word = "", rest = ""] = split(line);
	const table = (tools: readonly Tool[] | undefined) => {
		for (const row of tools ? toolTable(tools, transcript.palette, transcript.width) : []) transcript.line(row);
		if (!tools) transcript.line("The device has not told its tools yet.");
	};
	switch (Object.hasOwn(ALIASES, word) ? ALIASES[word] : word) {
		case "":
			if (rest) transcript.line(`For which tool? call NAME ${inline(rest, 60)}`);
			return rest ? "failed" : "next";
		case "quit":
			return "stop";
		case "help":
			return rest ? helpFor(rest, options) : listCommands(options);
		case "tools":
			table(options.device()?.tools);
			return "next";
		case "user":
			table(options.device()?.userTools);
			return "next";
		case "state": {
			const parts = options.state();
			for (const part of parts) transcript.line(`  ${part}`);
			if (parts.length === 0) transcript.line("  The board has not shown anything yet.");
			return "next";
		}
		case "say":
			if (rest) options.say(rest);
			else transcript.line("say needs a sentence: say TEXT");
			return rest ? "next" : "failed";
		case "call":
			return runCall(rest, options);
		default:
			return findTool(word, options) ? runCall(line, options) : unknownWord(word, options);
	}
}

function listCommands({ transcript }: PromptOptions): Outcome {
	for (const [usage, meaning] of HELP) transcript.line(`  ${usage.padEnd(16)} ${transcript.palette.dim(meaning)}`);
	return "next";
}

/** By its name, or by the end of it where only one tool has that. */
function findTool(name: string, options: PromptOptions): Tool | undefined {
	const all = toolsOf(options);
	const ending = all.filter((tool) => tool.name.endsWith(`.${name}`));
	return all.find((tool) => tool.name === name) ?? (ending.length === 1 ? ending[0] : undefined);
}

function unknownWord(word: string, options: PromptOptions): Outcome {
	const hint = meant(word, COMMANDS, options) ?? "help lists the commands, tools the tools.";
	options.transcript.line(`There is no command "${inline(word, 40)}". ${hint}`);
	return "failed";
}

/** A question for which tool, or which of `others`, a word was meant. */
function meant(word: string, others: readonly string[], options: PromptOptions): string | undefined {
	const names = toolsOf(options).map(({ name }) => name);
	const ending = names.filter((name) => name.endsWith(`.${word}`));
	if (ending.length > 1) return `Do you mean ${ending.join(" or ")}?`;
	const short = names.flatMap((name) => [name.replace(/^self\./, ""), name.slice(name.lastIndexOf(".") + 1)]);
	const close = closest(word, [...others, ...names, ...short]);
	return close === undefined ? undefined : `Do you mean ${close}?`;
}

function helpFor(name: string, options: PromptOptions): Outcome {
	const { transcript } = options;
	const tool = findTool(name, options);
	if (!tool) return unknownWord(name, options);
	const { description, inputSchema, outputSchema, annotations, title } = tool;
	transcript.line(transcript.palette.bold(plain(tool.name)) + (title ? `  ${plain(title)}` : ""));
	transcript.line(`  ${plain(description ?? "")}`);
	for (const [what, value] of Object.entries({ inputSchema, outputSchema, annotations }))
		if (value) for (const row of `${what} ${JSON.stringify(value, undefined, 2)}`.split("\n")) transcript.line(`  ${plain(row)}`);
	return "next";
}

async function runCall(text: string, options: PromptOptions): Promise<Outcome> {
	const { transcript } = options;
	const { palette } = transcript;
	const [given = "", json = ""] = split(text);
	const fail = (line: string): Outcome => {
		transcript.line(line);
		return "failed";
	};
	if (!given) return fail("call needs the name of a tool: call NAME JSON");
	const name = findTool(given, options)?.name ?? given;
	let args: unknown;
	try {
		args = parseArguments(json || "{}");
	} catch (error) {
		return fail(`That is not JSON: ${plain(messageOf(error))}`);
	}
	if (typeof args !== "object" || args === null || Array.isArray(args))
		return fail('The arguments must be a JSON object, for example {"volume": 30}');
	const device = options.device();
	const who = device?.name ?? "the device";
	if (!device?.session) transcript.line(palette.dim(`  waiting for ${plain(who)}, which is away${device ? `: ${plain(device.reason)}` : ""}`));
	const patience = setTimeout(() => transcript.line(palette.dim(`  waiting for ${plain(who)} to answer ${plain(name)}`)), PATIENCE_MS);
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
		return result.isError ? "failed" : "next";
	} catch (error) {
		// The device has the last word on what there is.
		const hint = findTool(name, options) ? undefined : meant(given, [], options);
		return fail(`  ← ${palette.red(plain(messageOf(error)))}${hint ? ` ${hint}` : ""}`);
	} finally {
		clearTimeout(patience);
	}
}

/** JSON, or what people type for it: `{r: 1, name: 'x'}`. @throws SyntaxError of what was typed */
export function parseArguments(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		const strict = text.replace(
			/"(?:[^"\\]|\\.)*"|'((?:[^'\\]|\\.)*)'|([{,]\s*)([A-Za-z_$][\w$]*)(?=\s*:)/g,
			(all, quoted?: string, before?: string, name?: string) =>
				quoted !== undefined ? JSON.stringify(quoted.replace(/\\'/g, "'")) : name !== undefined ? `${before}"${name}"` : all,
		);
		try {
			return JSON.parse(strict);
		} catch {
			throw error;
		}
	}
}

function split(text: string): [string, string] {
	const match = /^([^\s{]*)\s*(.*)$/s.exec(text);
	return [match?.[1] ?? "", match?.[2] ?? ""];
}
