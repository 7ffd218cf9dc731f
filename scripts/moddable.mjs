// What the npm scripts share that need the Moddable SDK: its tools, the boards, and mcconfig.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(fileURLToPath(new URL("..", import.meta.url)));
const boards = join(root, "boards");
export const host = { linux: "lin", darwin: "mac", win32: "win" }[/** @type {string} */ (process.platform)] ?? "lin";
const SETUP = "https://github.com/Moddable-OpenSource/moddable/blob/public/documentation/Moddable%20SDK%20-%20Getting%20Started.md";
const IDF_SETUP = "https://github.com/Moddable-OpenSource/moddable/blob/public/documentation/devices/esp32.md";

/** Says what is missing or wrong, and what to do about it; the message is for the person at the keyboard. */
export class Problem extends Error {}

/**
 * Runs a script's work and ends the process.
 * @param {() => number | Promise<number>} work gives the exit code
 */
export async function runScript(work) {
	try {
		process.exitCode = await work();
	} catch (error) {
		if (!(error instanceof Problem)) throw error;
		console.error(error.message);
		process.exitCode = 1;
	}
}

/**
 * @typedef {object} Arguments
 * @property {string | undefined} board
 * @property {boolean} debug
 * @property {string[]} settings NAME=value for the module "mc/config"
 *
 * @param {string} usage printed for --help and with a mistake
 * @param {string[]} args
 * @returns {Arguments}
 */
export function parseArguments(usage, args = process.argv.slice(2)) {
	/** @type {Arguments} */
	const result = { board: undefined, debug: false, settings: [] };
	/** @param {string | undefined} name */
	const setBoard = (name) => {
		if (!name) throw new Problem(`--board needs a name.\n${usage}`);
		if (result.board !== undefined) throw new Problem(`Two boards were given: ${result.board} and ${name}.\n${usage}`);
		result.board = name;
	};
	for (let index = 0; index < args.length; index++) {
		const argument = /** @type {string} */ (args[index]);
		if (argument === "--help" || argument === "-h") {
			console.log(usage);
			process.exit(0);
		} else if (argument === "--board") setBoard(args[++index]);
		else if (argument.startsWith("--board=")) setBoard(argument.slice("--board=".length));
		else if (argument === "--debug") result.debug = true;
		else if (argument.startsWith("-")) throw new Problem(`There is no option ${argument}.\n${usage}`);
		else if (/^\w+=/.test(argument)) result.settings.push(argument);
		else setBoard(argument);
	}
	return result;
}

/**
 * The boards given to a script that takes any number of them.
 * @param {string} usage printed for --help and with a mistake
 * @param {string[]} args
 */
export function parseBoards(usage, args = process.argv.slice(2)) {
	if (args.includes("--help") || args.includes("-h")) {
		console.log(usage);
		process.exit(0);
	}
	const option = args.find((argument) => argument.startsWith("-"));
	if (option) throw new Problem(`There is no option ${option}.\n${usage}`);
	return args;
}

/**
 * @typedef {object} BoardFolder
 * @property {string} name
 * @property {string} path
 * @property {boolean} named is it one of boards/?
 * @property {string} target Moddable's name of the platform, such as "esp32/esp32s3" or "lin"
 * @property {{ [name: string]: string }} variables how the top manifest finds it
 */

/** What a board's folder must have to be built. */
const BOARD_FILES = ["manifest.json", "board.ts", "tools/index.ts"];
/** What a board can be called: it is a folder, a part of module names and the server's name on the wire. */
export const BOARD_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/**
 * Finds a board and looks whether it is complete.
 * @param {string | undefined} given a name in boards/, or the path of a folder elsewhere, from where npm was called
 * @param {string} [usage] is printed when no board is given
 * @returns {BoardFolder}
 * @throws {Problem} that says what is wrong and what to do
 */
export function findBoard(given, usage = "") {
	if (!given) throw new Problem(`Which board? ${listBoards()}\n${usage}`);
	const named = /^[\w-]+$/.test(given) && isFolder(join(boards, given));
	const path = named ? join(boards, given) : fromHere(given);
	if (!named && !isFolder(path))
		throw new Problem(
			existsSync(path)
				? `${given} is a file; a board is a folder with ${BOARD_FILES.join(", ")}. ${listBoards()}`
				: `There is no board "${given}": neither boards/${given} nor a folder of that path. ${listBoards()} To make one: npm run new:board -- ${given}`,
		);
	const shown = named ? `boards/${given}` : path;
	const missing = BOARD_FILES.filter((name) => !existsSync(join(path, name)));
	if (missing.length > 0)
		throw new Problem(
			`The board ${shown} is not complete: ${missing.join(" and ")} missing. docs/adding-a-board.md says what belongs there. ${listBoards()}`,
		);
	let target;
	try {
		target = JSON.parse(readFileSync(join(path, "manifest.json"), "utf8")).build?.MCP_TARGET;
	} catch (error) {
		throw new Problem(`${shown}/manifest.json is not JSON: ${/** @type {Error} */ (error).message}`);
	}
	if (typeof target !== "string" || !target)
		throw new Problem(
			`${shown}/manifest.json does not name the Moddable target: add "build": { "MCP_TARGET": "esp32/esp32s3" } or what fits the board.`,
		);
	const name = basename(path);
	if (!BOARD_NAME.test(name)) throw new Problem(`"${name}" cannot be a board's name: rename the folder to ${BOARD_NAME_RULE}.`);
	return { name, path, named, target: isSimulated(target) ? host : target, variables: named ? { BOARD: name } : { BOARD: name, BOARD_DIR: path } };
}

export const BOARD_NAME_RULE = "at most 32 lower-case letters, digits and underscores, a letter first";

/**
 * Makes sure that the SDK knows a board's target.
 * @param {BoardFolder} board
 * @param {{ moddable: string }} sdk
 */
export function checkTarget({ name, target }, { moddable }) {
	if (isSimulated(target)) return;
	const [platform = "", subplatform] = target.split("/");
	const known = `The Moddable SDK in ${moddable} does not have`;
	const advice = `build.MCP_TARGET in the manifest.json of ${name} has to name one that fits the board's chip`;
	const targets = join(moddable, "build", "devices", platform, "targets");
	if (!isFolder(targets)) throw new Problem(`${known} the platform "${platform}". ${advice}, such as esp32/esp32s3.`);
	if (subplatform === undefined || isFolder(join(targets, subplatform))) return;
	const names = readdirSync(targets).filter((name) => isFolder(join(targets, name)));
	const close = names.filter((name) => name.startsWith(subplatform.slice(0, 5)));
	throw new Problem(
		`${known} the target "${target}". ${advice}; there are: ${(close.length > 0 ? close : names).map((name) => `${platform}/${name}`).join(", ")}.`,
	);
}

/** @param {string} path */
function isFolder(path) {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * A path as it was typed: npm changes to the project's folder before it runs a script.
 * @param {string} path
 */
export function fromHere(path) {
	return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

/** @param {string} target */
export function isSimulated(target) {
	return /^(lin|mac|win|sim|simulator)(\/|$)/.test(target);
}

/**
 * The SDK on this machine.
 * @returns {{ moddable: string, bin: string }}
 */
export function findSdk() {
	const moddable = process.env.MODDABLE;
	if (!moddable) throw new Problem(`The Moddable SDK is missing: the environment variable MODDABLE is not set. How to install it: ${SETUP}`);
	if (!existsSync(join(moddable, "examples", "manifest_base.json")))
		throw new Problem(`MODDABLE names ${moddable}, and the Moddable SDK is not there. How to install it: ${SETUP}`);
	const bin = join(moddable, "build", "bin", host, "release");
	const suffix = host === "win" ? ".exe" : "";
	if (!existsSync(join(bin, `mcconfig${suffix}`)))
		throw new Problem(
			`The tools of the Moddable SDK are not built: there is no mcconfig in ${bin}. Build them: cd "$MODDABLE/build/makefiles/${host}" && make`,
		);
	if (!existsSync(join(root, "node_modules", ".bin", "tsc"))) throw new Problem("The TypeScript compiler is missing: run npm install first.");
	return { moddable, bin };
}

/**
 * @typedef {object} Build
 * @property {string} target
 * @property {string} output a folder; made when it is missing
 * @property {string} [app] the folder with the app's manifest; this project's when it is not given
 * @property {{ [name: string]: string }} [variables]
 * @property {string[]} [settings] NAME=value for "mc/config"
 * @property {boolean} [debug]
 * @property {string} [goal] "build" or "deploy"; without it the app is started too
 */

/**
 * Makes sure that ESP-IDF is there for a build that needs it.
 * @param {Build} build
 */
export function needIdf(build) {
	const { target } = build;
	if (!target.startsWith("esp32")) return;
	const idf = process.env.IDF_PATH;
	const wanted = `ESP-IDF is missing: ${target} cannot be built without it.`;
	const next = `How to install it: ${IDF_SETUP}\nWith it this would be run: ${commandLine(build)}`;
	if (!idf) throw new Problem(`${wanted} The environment variable IDF_PATH is not set. ${next}`);
	if (!existsSync(idf)) throw new Problem(`${wanted} IDF_PATH names ${idf}, and there is nothing. ${next}`);
	if (spawnSync("idf.py", ["--version"], { stdio: "ignore" }).error)
		throw new Problem('ESP-IDF is there but not set up in this shell: idf.py is not on the PATH. Run: source "$IDF_PATH/export.sh"');
}

/**
 * A manifest can name only one folder with options of ESP-IDF, and that of a target goes before the project's. Where the target has
 * one, its options and behind them the project's are put into the build's folder.
 * @param {{ moddable: string }} sdk
 * @param {Build} build
 * @returns {{ SDKCONFIGPATH?: string }} the variable by which the manifest takes that folder
 */
export function mergeOptions({ moddable }, { target, output }) {
	const [platform = "", subplatform] = target.split("/");
	if (platform !== "esp32" || subplatform === undefined || process.env.SDKCONFIGPATH) return {};
	const folder = join(moddable, "build", "devices", platform, "targets", subplatform);
	const manifest = join(folder, "manifest.json");
	const given = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).build?.SDKCONFIGPATH : undefined;
	if (typeof given !== "string") return {};
	const merged = join(output, "sdkconfig");
	rmSync(merged, { recursive: true, force: true });
	cpSync(resolve(folder, given.replace("$(MODDABLE)", moddable)), merged, { recursive: true });
	const options = join(merged, "sdkconfig.defaults");
	const own = existsSync(options) ? readFileSync(options, "utf8") : "";
	writeFileSync(options, `${own}\n${readFileSync(join(root, "sdkconfig", "sdkconfig.defaults"), "utf8")}`);
	return { SDKCONFIGPATH: merged };
}

/**
 * Prints an mcconfig line and runs it.
 * @param {{ moddable: string, bin: string }} sdk
 * @param {Build} build
 * @returns {Promise<number>} its exit code
 */
export function mcconfig(sdk, build) {
	const { output, settings = [] } = build;
	mkdirSync(output, { recursive: true });
	const variables = { ...build.variables, ...mergeOptions(sdk, build) };
	console.log(`$ ${commandLine({ ...build, variables })}`);
	// A BOARD from the shell must not lead another app or an outside board astray.
	const { BOARD, BOARD_DIR, ...rest } = process.env;
	const path = [join(root, "node_modules", ".bin"), sdk.bin, process.env.PATH].join(delimiter);
	return new Promise((done, fail) => {
		const child = spawn(join(sdk.bin, "mcconfig"), [...argumentsOf(build), ...settings], {
			cwd: root,
			stdio: "inherit",
			env: { ...rest, ...variables, PATH: path },
		});
		child.once("error", (error) => fail(new Problem(`mcconfig did not start: ${error.message}`)));
		child.once("exit", (code) => done(code ?? 1));
	});
}

/** @param {Build} build */
function argumentsOf({ target, output, app = root, debug = false, goal }) {
	return [...(debug ? ["-d"] : []), "-m", "-p", target, ...(goal ? ["-t", goal] : []), "-o", here(output), here(join(app, "manifest.json"))];
}

/**
 * The line as one would type it in the project's folder; secrets are left out.
 * @param {Build} build
 */
function commandLine(build) {
	const { variables = {}, settings = [] } = build;
	const shown = settings.map((setting) => setting.replace(/^((?:\w*(?:password|token|secret|key)\w*)=).*$/is, "$1..."));
	const prefix = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`);
	return [...prefix, "mcconfig", ...argumentsOf(build).map(quoted), ...shown.map(quoted)].join(" ");
}

function listBoards() {
	const names = readdirSync(boards, { withFileTypes: true }).filter(
		(entry) => entry.isDirectory() && existsSync(join(boards, entry.name, "manifest.json")),
	);
	return `The boards are: ${names
		.map((entry) => entry.name)
		.sort()
		.join(", ")}.`;
}

/** @param {string} path as short as it can be said from the project's folder */
function here(path) {
	const short = relative(root, path);
	return short.startsWith("..") || isAbsolute(short) ? path : short;
}

/** @param {string} word */
function quoted(word) {
	return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
