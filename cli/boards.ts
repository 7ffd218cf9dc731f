// Boards as they are named on a command line: a folder's name in boards/, or the path of a folder elsewhere.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { closest, Problem, parseCommandLine, UsageError } from "./program.js";

/** The project's folder. */
export const root = resolve(fileURLToPath(new URL("..", import.meta.url)));
/** Moddable's name of this computer's platform. */
export const host = ({ linux: "lin", darwin: "mac", win32: "win" } as Record<string, string>)[process.platform] ?? "lin";

const boards = join(root, "boards");
/** What a board's folder must have to be built. */
const BOARD_FILES = ["manifest.json", "board.ts", "tools/index.ts"];
/** What a board can be called: it is a folder, a part of module names and the server's name on the wire. */
export const BOARD_NAME = /^[a-z][a-z0-9_]{0,31}$/;
export const BOARD_NAME_RULE = "at most 32 lower-case letters, digits and underscores, a letter first";

export interface BoardFolder {
	name: string;
	path: string;
	/** Is it in boards/? */
	named: boolean;
	/** Moddable's name of the platform, such as "esp32/esp32s3" or "lin". */
	target: string;
	/** How the project's manifest finds it. */
	variables: { BOARD: string; BOARD_DIR?: string };
}

/** The names of the folders in boards/, sorted. */
export function boardNames(): string[] {
	return readdirSync(boards, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && existsSync(join(boards, entry.name, "manifest.json")))
		.map((entry) => entry.name)
		.sort();
}

/**
 * Finds a board and checks that it is complete.
 * @param given a name in boards/, or the path of a folder elsewhere, from where npm was called
 * @throws UsageError when none is given
 * @throws Problem that says what is wrong and what to do
 */
export function findBoard(given: string | undefined): BoardFolder {
	const known = `The boards are: ${boardNames().join(", ")}.`;
	if (!given) throw new UsageError(`Which board? ${known}`);
	const named = /^[\w-]+$/.test(given) && isFolder(join(boards, given));
	const path = named ? join(boards, given) : fromHere(given);
	if (!named && !isFolder(path))
		throw new Problem(
			existsSync(path)
				? `${given} is a file; a board is a folder with ${BOARD_FILES.join(", ")}. ${known}`
				: `There is no board "${given}": neither boards/${given} nor a folder of that path.${meant(given)} ${known} To make one: npm run new:board -- ${given}`,
		);
	const shown = named ? `boards/${given}` : path;
	const missing = BOARD_FILES.filter((name) => !existsSync(join(path, name)));
	if (missing.length > 0)
		throw new Problem(
			`The board ${shown} is not complete: ${missing.join(" and ")} missing. docs/adding-a-board.md says what belongs there. ${known}`,
		);
	let target: unknown;
	try {
		target = JSON.parse(readFileSync(join(path, "manifest.json"), "utf8")).build?.MCP_TARGET;
	} catch (error) {
		throw new Problem(`${shown}/manifest.json is not JSON: ${(error as Error).message}`);
	}
	if (typeof target !== "string" || !target)
		throw new Problem(
			`${shown}/manifest.json does not name the Moddable target: add "build": { "MCP_TARGET": "esp32/esp32s3" } or what fits the board.`,
		);
	const name = basename(path);
	if (!BOARD_NAME.test(name)) throw new Problem(`"${name}" cannot be a board's name: rename the folder to ${BOARD_NAME_RULE}.`);
	return { name, path, named, target: isSimulated(target) ? host : target, variables: named ? { BOARD: name } : { BOARD: name, BOARD_DIR: path } };
}

function meant(given: string): string {
	const close = closest(given, boardNames());
	return close === undefined ? "" : ` Did you mean ${close}?`;
}

/**
 * The value of an option that names a board.
 * @returns the name, or the absolute path
 * @throws UsageError when there is no such board, or not all of it
 */
export function parseBoard(text: string): string {
	try {
		const { named, name, path } = findBoard(text);
		return named ? name : path;
	} catch (error) {
		throw error instanceof Problem ? new UsageError(error.message) : error;
	}
}

/**
 * The value of `--language`: which of its two languages a board's tools have.
 * @throws UsageError
 */
export function parseLanguage(text: string | undefined): "en" | "zh" | undefined {
	if (text !== undefined && text !== "en" && text !== "zh") throw new UsageError(`--language must be en or zh, got "${text}"`);
	return text;
}

/** What a program that builds a board is given. */
export interface BuildArguments {
	board: string | undefined;
	debug: boolean;
	/** Given to the program that asked for it only. */
	build: boolean;
	/** NAME=value for the module "mc/config". */
	settings: string[];
}

/**
 * Parses `[--board] BOARD [--debug] [--language L] [NAME=value ...]`; `--language L` is the setting `language=L`.
 * @param flag another option of the program
 * @throws UsageError
 */
export function parseBuildArguments(args: string[], flag: "debug" | "build" = "debug"): BuildArguments {
	const options = { board: { type: "string" }, language: { type: "string" }, [flag]: { type: "boolean" } } as const;
	const { values, words } = parseCommandLine(args, options) as {
		values: { board?: string; language?: string; debug?: boolean; build?: boolean };
		words: string[];
	};
	const isSetting = (word: string) => /^\w+=/.test(word);
	const given = [...(values.board === undefined ? [] : [values.board]), ...words.filter((word) => !isSetting(word))];
	if (given.length > 1) throw new UsageError(`Two boards were given: ${given[0]} and ${given[1]}.`);
	const settings = words.filter(isSetting);
	const language = parseLanguage(values.language);
	if (language) settings.push(`language=${language}`);
	return { board: given[0], debug: values.debug ?? false, build: values.build ?? false, settings };
}

/** A path as it was typed: npm changes to the project's folder before it runs a program. */
export function fromHere(path: string): string {
	return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

/** Is it the platform of a computer, not of a chip? */
export function isSimulated(target: string): boolean {
	return /^(lin|mac|win|sim|simulator)(\/|$)/.test(target);
}

export function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
