// `npm run check:board -- BOARD`: the board suite, and the compiler's checks, on one board, in boards/ or elsewhere.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findBoard, root } from "../cli/boards.js";
import { parseCommandLine, runProgram, UsageError } from "../cli/program.js";

const USAGE = `Usage: npm run check:board -- BOARD [options of jest]

Checks a board's types, runs it on simulated hardware, and calls its tools at the limits of their ranges.
BOARD is a name in boards/ or the path of a board's folder elsewhere.`;

await runProgram(USAGE, async (args) => {
	const [given, ...options] = args;
	if (!given || given.startsWith("-")) {
		parseCommandLine(args, {});
		throw new UsageError("Which board?");
	}
	const board = findBoard(given);
	const own = join(board.path, "tsconfig.json");
	const compiled = run(["node_modules/typescript/bin/tsc", "-p", existsSync(own) ? own : "."]);
	const tested = run(
		[
			"--experimental-vm-modules",
			"--disable-warning=ExperimentalWarning",
			"node_modules/jest/bin/jest.js",
			"tests/boards/boards.test.ts",
			"--verbose",
			...options,
		],
		{ BOARD: board.path },
	);
	console.log(compiled + tested === 0 ? `${board.name} passes.` : `${board.name} does not pass; what is wrong is above.`);
	return compiled + tested === 0 ? 0 : 1;
});

/**
 * @param {string[]} args of Node
 * @param {Record<string, string>} [environment]
 * @returns {number} the exit code
 */
function run(args, environment = {}) {
	return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...environment } }).status ?? 1;
}
