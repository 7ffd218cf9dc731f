// `npm run sim`: builds a simulated board and starts it in Moddable's simulator, with the debugger xsbug.

import { join } from "node:path";
import { findBoard, findSdk, isSimulated, mcconfig, Problem, parseArguments, root, runScript } from "./moddable.mjs";

const USAGE = `Usage: npm run sim -- [--board NAME] [NAME=value ...]

NAME=value settings go to the firmware, for example url=ws://127.0.0.1:8000/xiaozhi/v1/ token=secret.
The board is "simulator" where none is given.`;

await runScript(async () => {
	const { board: given, settings } = parseArguments(USAGE);
	const board = findBoard(given ?? "simulator", USAGE);
	if (!isSimulated(board.target))
		throw new Problem(
			`The board ${board.name} is for ${board.target}, not for the simulator. To see it on this computer: npm start -- --board ${given}`,
		);
	const sdk = findSdk();
	return mcconfig(sdk, { target: board.target, output: join(root, "build", board.name), variables: board.variables, settings, debug: true });
});
