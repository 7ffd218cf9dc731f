// What `npm run new:board` and `npm run new:tool` have in common: names, and files that are as the project wants them.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { root } from "../cli/boards.js";
import { readBoardTools, renewToolSection } from "./board-page.js";

/** `my_board` as the name of a type: `MyBoard`. */
export function pascalCase(words: string): string {
	return words
		.split(/[^A-Za-z0-9]+/)
		.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
		.join("");
}

/** Is it in the project's folder? */
export function isInside(path: string): boolean {
	const way = relative(root, path);
	return way !== "" && way.split(sep)[0] !== ".." && !way.includes(":");
}

/** A path as one would type it in the project's folder. */
export function shown(path: string): string {
	return isInside(path) ? relative(root, path) : path;
}

/** Brings files of the project into its form; files elsewhere stay as they are. */
export function format(files: readonly string[]): void {
	const biome = join(root, "node_modules", ".bin", process.platform === "win32" ? "biome.cmd" : "biome");
	const own = files.filter(isInside);
	if (own.length > 0 && existsSync(biome))
		spawnSync(biome, ["check", "--write", ...own], { cwd: root, stdio: "ignore", shell: process.platform === "win32" });
}

/**
 * Renews the table of tools in a board's README.
 * @throws Error (as rejection) when the board does not build
 */
export async function renewReadme(board: string): Promise<void> {
	const tools = await readBoardTools(board);
	const file = join(board, "README.md");
	if (!existsSync(file)) return;
	writeFileSync(file, renewToolSection(readFileSync(file, "utf8"), tools));
}
