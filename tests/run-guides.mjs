// `npm run test:guides`: in a copy of the project, does what docs/adding-a-tool.md and docs/adding-a-board.md say, and then runs the tests.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../cli/boards.js";
import { Problem, parseOptions, runProgram } from "../cli/program.js";

const USAGE = `Usage: npm run test:guides -- [--only-guides]

Runs each command of the two guides in a copy of the project, and then npm test there.

  --only-guides  without npm test`;

const GUIDES = ["docs/adding-a-tool.md", "docs/adding-a-board.md"];
/** What readers do as well: a tool for a board whose list is written over several lines. */
const MORE = ["npm run new:tool -- simulator lamp.wink"];
/** Each command has this long; `npm test` ten times as much. */
const LIMIT_MS = 120_000;

await runProgram(USAGE, async (args) => {
	const { "only-guides": onlyGuides } = parseOptions(args, { "only-guides": { type: "boolean" } });
	const folder = mkdtempSync(join(tmpdir(), "moddable-mcp-guides-"));
	try {
		const copy = join(folder, "moddable-mcp");
		copyProject(copy);
		for (const guide of GUIDES) {
			const text = readFileSync(join(root, guide), "utf8");
			// What the guide says to type at the prompt.
			const typed = [...text.matchAll(/`(call self\.[^`]+)`/g)].map(([, line]) => line);
			for (const command of commandsOf(text)) run(copy, command, typed);
		}
		for (const command of MORE) run(copy, command, []);
		if (!onlyGuides) run(copy, "npm test -- --ci", [], 10 * LIMIT_MS);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return 0;
});

/** @param {string} to */
function copyProject(to) {
	const { stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" });
	const files = stdout.split("\0").filter((file) => file !== "");
	if (files.length === 0) throw new Problem("git does not list the project's files; run this in a clone of the repository.");
	for (const file of files) {
		mkdirSync(dirname(join(to, file)), { recursive: true });
		cpSync(join(root, file), join(to, file));
	}
	symlinkSync(join(root, "node_modules"), join(to, "node_modules"), "junction");
}

/**
 * @param {string} text a guide
 * @returns {string[]} the lines of its shell blocks
 */
function commandsOf(text) {
	return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = ""]) => block.trim().split("\n"));
}

/**
 * @param {string} folder
 * @param {string} command as the guide has it
 * @param {(string | undefined)[]} typed lines for a program with a prompt
 */
function run(folder, command, typed, limit = LIMIT_MS) {
	const missing = whatIsMissing(command);
	if (missing) {
		console.log(`NOT RUN: ${command}, because ${missing}.`);
		return;
	}
	console.log(`> ${command}`);
	const prompt = command.startsWith("npm start");
	const board = /--board (\S+)/.exec(command)?.[1];
	const { status, error, stdout } = spawnSync(command, {
		cwd: folder,
		shell: true,
		encoding: "utf8",
		input: prompt ? `${[...typed.filter(() => board === "bread_compact"), "quit"].join("\n")}\n` : "",
		stdio: ["pipe", prompt ? "pipe" : "inherit", "inherit"],
		env: { ...process.env, INIT_CWD: folder },
		timeout: limit,
		killSignal: "SIGKILL",
	});
	if (status === 0) return;
	if (stdout) console.log(stdout);
	throw new Problem(`"${command}" ${error ? error.message : `ended with ${status}`}`);
}

/**
 * @param {string} command
 * @returns {string | undefined} what this computer lacks for it
 */
function whatIsMissing(command) {
	if (/^npm run (footprint|build|flash|sim)\b/.test(command) && !process.env.MODDABLE) return "it needs the Moddable SDK ($MODDABLE)";
	if (/^npm run (build|flash)\b/.test(command) && !process.env.IDF_PATH) return "it needs ESP-IDF ($IDF_PATH)";
	return undefined;
}
