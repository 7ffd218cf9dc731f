// Which options of ESP-IDF a board is built with: those of its Moddable target, its own, and the project's.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fromHere, isFolder, root } from "./boards.js";
import { Problem } from "./program.js";

/** A folder can have options for every build, and options for release builds only. */
const ALWAYS = "sdkconfig.defaults";
const RELEASE = "sdkconfig.defaults.release";

/**
 * A build takes only one folder with options, so they are all put into one in the build's folder. The order, later ones win: the
 * target's, the board's (`sdkconfig/` in its folder), the project's, and those of the folder that `SDKCONFIGPATH` names in the shell.
 * @param options.board the board's folder
 * @returns the variable that names the folder; empty where the target is not an ESP32
 * @throws Problem when `SDKCONFIGPATH` names no folder
 */
export function mergeOptions(
	{ moddable }: { moddable: string },
	{ target, output, board }: { target: string; output: string; board?: string | undefined },
	shell: string | undefined = process.env.SDKCONFIGPATH,
): { SDKCONFIGPATH?: string } {
	if (target.split("/")[0] !== "esp32") return {};
	if (shell && !isFolder(fromHere(shell))) throw new Problem(`SDKCONFIGPATH names ${shell}, and there is no such folder.`);
	const folders = [targetFolder(moddable, target), board && join(board, "sdkconfig"), join(root, "sdkconfig"), shell && fromHere(shell)].filter(
		(folder): folder is string => Boolean(folder),
	);
	const read = (folder: string, name: string) => (existsSync(join(folder, name)) ? `${readFileSync(join(folder, name), "utf8").trimEnd()}\n` : "");
	const merged = join(output, "sdkconfig");
	rmSync(merged, { recursive: true, force: true });
	mkdirSync(merged, { recursive: true });
	const always = folders.map((folder) => read(folder, ALWAYS));
	writeFileSync(join(merged, ALWAYS), always.join(""));
	// The SDK reads it last: without the other options in it, a target's options for release builds would beat the project's.
	writeFileSync(join(merged, RELEASE), folders.map((folder, index) => always[index] + read(folder, RELEASE)).join(""));
	return { SDKCONFIGPATH: merged };
}

/** The folder with a target's own options, where it has one. */
function targetFolder(moddable: string, target: string): string | undefined {
	const folder = join(moddable, "build", "devices", "esp32", "targets", target.split("/")[1] ?? "");
	const manifest = join(folder, "manifest.json");
	const given: unknown = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).build?.SDKCONFIGPATH : undefined;
	return typeof given === "string" ? resolve(folder, given.replace("$(MODDABLE)", moddable)) : undefined;
}
