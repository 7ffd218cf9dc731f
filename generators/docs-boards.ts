// `npm run docs:boards`: writes the table of tools into the README of each board, from the tools that the board has.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boardNames, findBoard, root } from "../cli/boards.js";
import { parseCommandLine, runProgram } from "../cli/program.js";
import { readBoardTools, renewToolSection } from "./board-page.js";

const USAGE = `Usage: npm run docs:boards -- [BOARD ...]

Writes the table of tools into the README of the boards given, or of all in boards/ and examples/.
`;

await runProgram(USAGE, async (args) => {
	const { words } = parseCommandLine(args, {});
	const given = words.length > 0 ? words : [...boardNames(), ...exampleNames()];
	let failed = 0;
	for (const name of given) {
		const { path } = findBoard(name);
		const file = join(path, "README.md");
		try {
			const before = readFileSync(file, "utf8");
			const after = renewToolSection(before, await readBoardTools(path));
			if (after !== before) writeFileSync(file, after);
			console.log(`${name}: ${after === before ? "was up to date" : "written"}`);
		} catch (error) {
			failed++;
			console.error(`${name}: ${error instanceof Error ? error.message : error}`);
		}
	}
	return failed > 0 ? 1 : 0;
});

function exampleNames(): string[] {
	const entries = readdirSync(join(root, "examples"), { withFileTypes: true });
	return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, "examples", name));
}
