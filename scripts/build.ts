// `npm run build -- BOARD`: builds the firmware for a board.

import { join, relative } from "node:path";
import { findBoard, isSimulated, parseBuildArguments, root } from "../cli/boards.js";
import { buildFirmware } from "../cli/firmware.js";
import { checkTarget, findSdk, needIdf } from "../cli/moddable.js";
import { runProgram } from "../cli/program.js";
import { bundleForFlash } from "./flash-bundle.js";

const USAGE = `Usage: npm run build -- BOARD [--debug] [--language en|zh] [NAME=value ...]

BOARD is a name in boards/ or the path of a board's folder elsewhere.
--language zh gives the tools their Chinese texts, where they have them, in place of the English ones.
NAME=value settings go to the firmware, for example ssid=home password=secret url=ws://192.168.1.2:8000/xiaozhi/v1/
The folder that SDKCONFIGPATH names has further options of ESP-IDF; they win over the board's and the project's.

  --debug  with the SDK's debugger; exceptions name files and lines, and the modules are not bundled, so that they need more flash`;

await runProgram(USAGE, async (args) => {
	const { board: given, debug, settings } = parseBuildArguments(args);
	const board = findBoard(given);
	const sdk = findSdk();
	checkTarget(board, sdk);
	const output = join(root, "build", board.name);
	const build = { target: board.target, output, board: board.path, variables: board.variables, settings, debug };
	needIdf({ ...build, goal: "build" });
	const bundled = debug || isSimulated(board.target) ? build : await bundleForFlash(sdk, build);
	const image = await buildFirmware(sdk, bundled);
	console.log(`Built: ${relative(root, image ?? output)}`);
	return 0;
});
