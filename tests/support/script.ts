// Runs a command-line program as a process, as npm does, and waits for its end.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** @param file from the project's folder, such as "scripts/build.ts" */
export function runScriptFile(
	file: string,
	args: string[],
	env: Record<string, string> = {},
): { code: number | null; stdout: string; stderr: string } {
	const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", file, ...args], {
		cwd: root,
		encoding: "utf8",
		env: { ...process.env, MODDABLE: "", IDF_PATH: "", INIT_CWD: root, ...env },
	});
	return { code: status, stdout, stderr };
}
