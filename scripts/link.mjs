// Links the firmware's JavaScript for an ESP32 as `mcconfig` would, without ESP-IDF and without a compiler for the chip.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../cli/boards.js";
import { Problem } from "../cli/program.js";

/**
 * The SDK's build asks ESP-IDF for its version and its configuration before it comes to the JavaScript; this answers both.
 * @param {string} path
 */
export function createIdfStandIn(path) {
	mkdirSync(join(path, "tools"), { recursive: true });
	const program = join(path, "tools", "idf.py");
	writeFileSync(program, "#!/bin/sh\nmkdir -p build/config && : > build/config/sdkconfig.h && : > sdkconfig\n");
	chmodSync(program, 0o755);
	if (!existsSync(join(path, ".git"))) {
		run("git", ["init", "-q", path]);
		const author = ["-c", "user.name=footprint", "-c", "user.email=footprint@localhost", "-c", "commit.gpgsign=false"];
		run("git", ["-C", path, ...author, "commit", "-q", "--allow-empty", "-m", "A stand-in"]);
		run("git", ["-C", path, "tag", "v5.5"]);
	}
	return path;
}

/**
 * @param {{ bin: string }} sdk
 * @param {string} target as `esp32/esp32s3`
 * @param {string} output a folder that is there
 * @param {string} manifest
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ log: string, makefile: string, build: string, linked: string }} what the build wrote, its makefile, its folder, and the C file of the link
 */
export function linkJavaScript(sdk, target, output, manifest, env) {
	let log = run(join(sdk.bin, "mcconfig"), ["-p", target, "-o", output, manifest], env);
	const made = join(output, "tmp");
	const found = readdirSync(made, { recursive: true, encoding: "utf8" }).find((path) => basename(path) === "makefile" && !/[\\/]lib[\\/]/.test(path));
	if (!found) throw new Problem(`mcconfig made no makefile in ${output}:\n${log}`);
	const makefile = join(made, found);
	const build = dirname(makefile);
	const linked = join(build, "mc.xs.c");
	log += run("make", ["-f", makefile, linked], env);
	if (!existsSync(linked)) throw new Problem(`the JavaScript in ${output} did not link:\n${log}`);
	return { log, makefile, build, linked };
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns what it wrote
 */
export function run(program, args, env = process.env) {
	const { status, error, stdout, stderr } = spawnSync(program, args, { cwd: root, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
	const text = `${stdout ?? ""}${stderr ?? ""}`;
	if (error) throw new Problem(`${program} did not start: ${error.message}`);
	if (status !== 0)
		throw new Problem(`${basename(program)} ${args.join(" ")} ended with ${status}:\n${text.trimEnd().split("\n").slice(-20).join("\n")}`);
	return text;
}
