// `npm run docs:boards`: writes the table of tools into the README of each board, from the tools that the board has.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseBoard, runProgram } from "../hub/command-line.js";
import { readBoardTools, renewToolSection } from "../simulator/board-page.js";

const USAGE = `Usage: npm run docs:boards -- [BOARD ...]

Writes the table of tools into the README of the boards given, or of all in boards/.
`;

const boards = fileURLToPath(new URL("../boards/", import.meta.url));

await runProgram(USAGE, async (args) => {
	const given = args.length > 0 ? args : readdirSync(boards).filter((name) => existsSync(join(boards, name, "board.ts")));
	let failed = 0;
	for (const name of given) {
		const board = parseBoard(name);
		const file = join(/[/\\]/.test(board) ? board : join(boards, board), "README.md");
		try {
			const before = readFileSync(file, "utf8");
			const after = renewToolSection(before, await readBoardTools(board));
			if (after !== before) writeFileSync(file, after);
			console.log(`${name}: ${after === before ? "was up to date" : "written"}`);
		} catch (error) {
			failed++;
			console.error(`${name}: ${error instanceof Error ? error.message : error}`);
		}
	}
	return failed > 0 ? 1 : 0;
});
