// `npm run sim`: builds a board on simulated hardware and starts it in Moddable's simulator, with the debugger xsbug.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findBoard, host, parseBuildArguments, root } from "../cli/boards.js";
import { findSdk, mcconfig } from "../cli/moddable.js";
import { runProgram } from "../cli/program.js";
import { createSimulatorApp } from "./simulator-app.js";

const USAGE = `Usage: npm run sim -- [BOARD] [--build] [--language en|zh] [NAME=value ...]

BOARD (or --board BOARD) is a name in boards/ or the path of a board's folder elsewhere; "simulator" where none is given.
NAME=value settings go to the firmware, for example url=ws://127.0.0.1:8000/xiaozhi/v1/ token=secret.

  --build        only builds it, in build/sim
  --language zh  the tools' Chinese texts, where they have them`;

await runProgram(USAGE, async (args) => {
	const { board: given = "simulator", build: buildOnly, settings } = parseBuildArguments(args, "build");
	const board = findBoard(given);
	const sdk = findSdk();
	const app = join(root, "build", "sim", board.name);
	// The folders that mcconfig makes stay, so that only what has changed is built again.
	rmSync(join(app, "modules"), { recursive: true, force: true });
	// A board's settings hold tokens and passwords: one file for each board, for its owner's eyes only.
	process.umask(0o077);
	const settingsFolder = join(app, "settings");
	mkdirSync(settingsFolder, { recursive: true, mode: 0o700 });
	for (const [path, text] of createSimulatorApp({ root, moddable: sdk.moddable, board: board.path, host, settings: settingsFolder })) {
		const file = join(app, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
	return mcconfig(sdk, { target: host, output: join(app, "out"), app, settings, debug: true, ...(buildOnly ? { goal: "build" } : {}) });
});
