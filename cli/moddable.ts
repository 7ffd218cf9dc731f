// The Moddable SDK on this computer: where it is, which targets it knows, and mcconfig.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, isAbsolute, join, relative } from "node:path";
import { type BoardFolder, host, isFolder, isSimulated, root } from "./boards.js";
import { mergeOptions } from "./idf-options.js";
import { Problem } from "./program.js";

const SETUP = "https://github.com/Moddable-OpenSource/moddable/blob/public/documentation/Moddable%20SDK%20-%20Getting%20Started.md";
const IDF_SETUP = "https://github.com/Moddable-OpenSource/moddable/blob/public/documentation/devices/esp32.md";

/** The folders of the SDK and of its tools. */
export interface Sdk {
	moddable: string;
	bin: string;
}

export interface Build {
	target: string;
	/** A folder; made when it is missing. */
	output: string;
	/** The folder with the app's manifest; this project's when it is not given. */
	app?: string;
	/** The board's folder, which may have options of ESP-IDF. */
	board?: string;
	variables?: { [name: string]: string };
	/** NAME=value for "mc/config". */
	settings?: string[];
	debug?: boolean;
	/** "build" or "deploy"; without it the app is started too. */
	goal?: string;
}

/** @throws Problem when the SDK does not know a board's target */
export function checkTarget({ name, target }: Pick<BoardFolder, "name" | "target">, { moddable }: Pick<Sdk, "moddable">): void {
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

/** The SDK on this machine. @throws Problem that says what is missing */
export function findSdk(): Sdk {
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

/** @throws Problem when a build needs ESP-IDF and it is not there */
export function needIdf(build: Build): void {
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
 * Prints an mcconfig line and runs it.
 * @returns its exit code
 */
export function mcconfig(sdk: Sdk, build: Build): Promise<number> {
	const { output, settings = [] } = build;
	mkdirSync(output, { recursive: true });
	const variables = { ...build.variables, ...mergeOptions(sdk, build) };
	console.log(`$ ${commandLine({ ...build, variables })}`);
	// A BOARD from the shell must not lead another app or an outside board astray.
	const { BOARD, BOARD_DIR, ...rest } = process.env;
	const path = [join(root, "node_modules", ".bin"), sdk.bin, process.env.PATH].join(delimiter);
	return new Promise<number>((done, fail) => {
		const child = spawn(join(sdk.bin, "mcconfig"), [...argumentsOf(build), ...settings], {
			cwd: root,
			stdio: "inherit",
			env: { ...rest, ...variables, PATH: path },
		});
		child.once("error", (error) => fail(new Problem(`mcconfig did not start: ${error.message}`)));
		child.once("exit", (code) => done(code ?? 1));
	});
}

function argumentsOf({ target, output, app = root, debug = false, goal }: Build): string[] {
	return [...(debug ? ["-d"] : []), "-m", "-p", target, ...(goal ? ["-t", goal] : []), "-o", here(output), here(join(app, "manifest.json"))];
}

/** The line as one would type it in the project's folder; secrets are left out. */
export function commandLine(build: Build): string {
	const { variables = {}, settings = [] } = build;
	// What follows a question mark may be a token.
	const shown = settings.map((setting) => setting.replace(/^((?:\w*(?:password|token|secret|key)\w*)=).*$/is, "$1...").replace(/\?.*/s, "?..."));
	const prefix = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`);
	return [...prefix, "mcconfig", ...argumentsOf(build).map(quoted), ...shown.map(quoted)].join(" ");
}

/** A path as short as it can be said from the project's folder. */
function here(path: string): string {
	const short = relative(root, path);
	return short.startsWith("..") || isAbsolute(short) ? path : short;
}

function quoted(word: string): string {
	return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
