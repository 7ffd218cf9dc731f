// `npm run docs:first-hour`: does what README and the guides say in a fresh clone, and writes the commands, their times and their last
// lines into docs/recorded/first-hour.md.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../cli/boards.js";
import { Problem, parseCommandLine, runProgram } from "../cli/program.js";
import { plain } from "../cli/terminal.js";

const USAGE = `Usage: npm run docs:first-hour

Clones what is committed here into a temporary folder, runs the commands of README there, and writes docs/recorded/first-hour.md.
It needs git, a network for npm install, and about ten minutes.`;

interface Step {
	/** What somebody wants who types this. */
	title: string;
	/** As it is typed in the clone. */
	command: string;
	/** How many of its last lines are worth reading; 6 where it is not given. */
	lines?: number;
	/** It goes on until the end: it, or one that goes on since before, says this once it is ready. */
	ready?: RegExp;
}

const URL = "ws://127.0.0.1:8010/xiaozhi/v1/";
const CALL = `curl -s http://127.0.0.1:8010/devices/02:00:00:00:00:01/call -H 'Content-Type: application/json' -d '{"name":"self.light.set_rgb","arguments":{"r":0,"g":128,"b":255}}'`;
const STEPS: readonly Step[] = [
	{ title: "Install", command: "npm install --no-audit --no-fund", lines: 3 },
	{ title: "See a board at work", command: "npm start -- --once", lines: 12 },
	{ title: "The same board in Chinese", command: "npm start -- --once --board esp_hi --language zh", lines: 8 },
	{ title: "Test the MCP server", command: "npm test -- --silent tests/mcp", lines: 5 },
	{ title: "Add a tool", command: "npm run new:tool -- bread_compact lamp.blink" },
	{ title: "Try it", command: `echo 'call self.lamp.blink {"times": 2}' | npm start -- --board bread_compact`, lines: 4 },
	{ title: "Check the board with it", command: "npm run check:board -- bread_compact", lines: 5 },
	{ title: "Make a board outside of the project", command: "npm run new:board -- ../my_board" },
	{ title: "Check it", command: "npm run check:board -- ../my_board", lines: 5 },
	{ title: "Take devices from the network", command: "npm run backend -- --port 8010", ready: /^flash/m },
	{
		title: "Connect a board, as an ESP32 would",
		command: `npm run device -- --url ${URL} --board esp_hi --device-id 02:00:00:00:00:01`,
		ready: /is there by/,
	},
	{ title: "Call a tool by HTTP", command: CALL },
	{ title: "Who is there?", command: "curl -s http://127.0.0.1:8010/devices" },
	{ title: "Be an MCP server for any client", command: "npm run --silent gateway -- --http 8011", ready: /^page/m },
	{ title: "Make the site", command: "npm run docs", lines: 4 },
];

const COLOR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

/** What goes on. */
const started: ChildProcess[] = [];
/** Is told what they say. */
const listeners = new Set<(text: string) => void>();

await runProgram(USAGE, async (args) => {
	if (parseCommandLine(args, {}).words.length > 0) throw new Problem("It takes no arguments.");
	const folder = mkdtempSync(join(tmpdir(), "first-hour-"));
	const clone = join(folder, "moddable-mcp");
	try {
		await run(`git clone --quiet "${root}" "${clone}"`, folder);
		const rows: string[] = [];
		const blocks: string[] = [];
		for (const step of STEPS) {
			const began = performance.now();
			const { output, code } = await run(step.command, clone, step.ready);
			const seconds = (performance.now() - began) / 1000;
			console.log(`${seconds.toFixed(1).padStart(6)} s  ${code === 0 ? "" : `(${code}) `}${step.command}`);
			if (code !== 0) throw new Problem(`${step.command} ended with ${code}:\n${output}`);
			rows.push(`| ${step.title} | \`${step.command.replaceAll("|", "\\|")}\` | ${seconds.toFixed(1)} s |`);
			blocks.push(`### ${step.title}\n\n\`\`\`\n$ ${step.command}\n${lastLines(output, folder, step.lines)}\n\`\`\``);
		}
		const { model = "an unknown processor" } = cpus()[0] ?? {};
		const machine = `Node ${process.versions.node} on ${process.platform}, ${cpus().length} × ${model.trim()}`;
		writeFileSync(join(root, "docs", "recorded", "first-hour.md"), page(rows, blocks, machine));
	} finally {
		for (const { pid } of started) if (pid !== undefined) stop(pid);
		rmSync(folder, { recursive: true, force: true });
	}
	return 0;
});

/** Runs a command in a shell, until its end or until it is ready. */
async function run(command: string, cwd: string, ready?: RegExp): Promise<{ output: string; code: number }> {
	const { npm_lifecycle_event: _event, ...env } = process.env;
	const child = spawn(command, {
		cwd,
		shell: true,
		detached: true,
		stdio: ["ignore", "pipe", "pipe"],
		env: { ...env, INIT_CWD: cwd, NO_COLOR: "1" },
	});
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding("utf8").on("data", (text: string) => {
			output += text;
			for (const listener of listeners) listener(text);
		});
	let heard = "";
	const isReady = new Promise<void>((resolve) => {
		const listener = (text: string) => {
			heard += text;
			if (ready?.test(heard)) listeners.delete(listener) && resolve();
		};
		if (ready) listeners.add(listener);
	});
	if (ready) started.push(child);
	const ended = once(child, "close").then(([code]) => Number(code ?? 1));
	const code = await (ready ? Promise.race([isReady.then(() => 0), ended.then((code) => code || 1)]) : ended);
	return { output, code };
}

/** A shell and everything that it started. */
function stop(pid: number): void {
	try {
		process.kill(-pid, "SIGINT");
	} catch {
		// It has gone already.
	}
}

/** What is worth reading of an output: no path of this computer, and nothing of npm's own. */
function lastLines(output: string, folder: string, count = 6): string {
	const lines = output
		.replaceAll(folder, "..")
		.split("\n")
		// Colors, which some programs give although nobody asked for them.
		.map((line) => plain(line.replaceAll(COLOR, "")).trimEnd())
		.filter((line) => line !== "" && !/^(npm (warn|notice)|> )/.test(line));
	return [...(lines.length > count ? ["…"] : []), ...lines.slice(-count)]
		.map((line) => (line.length > 160 ? `${line.slice(0, 160)}…` : line))
		.join("\n");
}

function page(rows: readonly string[], blocks: readonly string[], machine: string): string {
	return `# A first hour

What README and the guides say, done in a fresh clone, one command after the other: made by \`npm run docs:first-hour\` on
${new Date().toISOString().slice(0, 10)} with ${machine}. Other programs ran on that computer at the same time.

| | command | time |
|---|---|---|
${rows.join("\n")}

The commands of the backend, the device and the gateway go on; their time is that until they are ready.

## Their last lines

${blocks.join("\n\n")}
`;
}
