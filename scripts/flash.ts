// `npm run flash -- BOARD`: builds the firmware for a board and writes it to the board on the serial port.

import { randomInt } from "node:crypto";
import { join } from "node:path";
import { findBoard, isSimulated, parseBuildArguments, root } from "../cli/boards.js";
import { buildFirmware } from "../cli/firmware.js";
import { checkTarget, findSdk, mcconfig, needIdf } from "../cli/moddable.js";
import { Problem, runProgram } from "../cli/program.js";
import { bundleForFlash } from "./flash-bundle.js";

const USAGE = `Usage: npm run flash -- BOARD [--debug] [--language en|zh] [NAME=value ...]

BOARD, language and settings are those of npm run build. The environment variable UPLOAD_PORT names the serial port.
The set-up Wi-Fi gets a password of its own, which is printed for the device's label; setup_password=... gives another one.`;

/** Ten characters, none of which is mistaken for another one. */
function labelPassword(): string {
	const characters = "abcdefghjkmnpqrstuvwxyz23456789";
	return Array.from({ length: 10 }, () => characters[randomInt(characters.length)]).join("");
}

await runProgram(USAGE, async (args) => {
	const { board: given, debug, settings } = parseBuildArguments(args);
	const board = findBoard(given);
	if (isSimulated(board.target)) throw new Problem(`The board ${board.name} is simulated; there is nothing to flash. Use npm run sim.`);
	const sdk = findSdk();
	checkTarget(board, sdk);
	if (!settings.some((setting) => setting.startsWith("setup_password="))) {
		const password = labelPassword();
		settings.push(`setup_password=${password}`);
		console.log(`For this device's label, the password of its set-up Wi-Fi: ${password}`);
	}
	const build = { target: board.target, output: join(root, "build", board.name), board: board.path, variables: board.variables, settings, debug };
	needIdf({ ...build, goal: "build" });
	const bundled = debug ? build : await bundleForFlash(sdk, build);
	await buildFirmware(sdk, bundled);
	return mcconfig(sdk, { ...bundled, goal: "deploy" });
});
