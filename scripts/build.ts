// `npm run build -- BOARD`: builds the firmware for a board.

import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { findBoard, isSimulated, parseBuildArguments, root } from "../cli/boards.js";
import { checkTarget, findSdk, mcconfig, needIdf } from "../cli/moddable.js";
import { Problem, runProgram } from "../cli/program.js";

const USAGE = `Usage: npm run build -- BOARD [--debug] [NAME=value ...]

BOARD is a name in boards/ or the path of a board's folder elsewhere.
NAME=value settings go to the firmware, for example ssid=home password=secret url=ws://192.168.1.2:8000/xiaozhi/v1/`;

await runProgram(USAGE, async (args) => {
	const { board: given, debug, settings } = parseBuildArguments(args);
	const board = findBoard(given);
	const sdk = findSdk();
	checkTarget(board, sdk);
	const output = join(root, "build", board.name);
	const build = { target: board.target, output, variables: board.variables, settings, debug, goal: "build" };
	needIdf(build);
	const code = await mcconfig(sdk, build);
	if (code !== 0) return code;
	// The SDK's makefile goes on when ESP-IDF fails, so success has to be looked for.
	const image = isSimulated(board.target) ? "mc.so" : "xs_esp32.bin";
	const built =
		existsSync(output) && readdirSync(output, { recursive: true, encoding: "utf8" }).find((path) => path.startsWith("bin") && path.endsWith(image));
	if (!built && (isSimulated(board.target) ? process.platform === "linux" : board.target.startsWith("esp32")))
		throw new Problem(`The build made no ${image}; the reason stands above.`);
	console.log(`Built: ${relative(root, built ? join(output, built) : output)}`);
	return 0;
});
