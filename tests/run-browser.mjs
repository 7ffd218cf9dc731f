// `npm run test:browser`: fills in the set-up page in Chromium as the owner of a phone would, the firmware running on XS, and uses the
// page of `npm start`; with `--moddable` the set-up page is that of Moddable's simulator, with `--screenshots` the pictures in docs/ are
// taken anew.

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../cli/boards.js";
import { Problem, runProgram } from "../cli/program.js";

/** By name where they are on the PATH, else where they are installed. */
const PROGRAMS = [
	"chromium",
	"chromium-browser",
	"google-chrome-stable",
	"google-chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const USAGE = `Usage: npm run test:browser -- [--moddable] [--screenshots] [options of jest]

Fills in the set-up page and uses the page of npm start in Chromium, the firmware running on XS.

  --moddable     the set-up page only, the firmware in Moddable's simulator
  --screenshots  takes the pictures in docs/ anew`;

await runProgram(USAGE, async (args) => {
	const moddable = args.includes("--moddable");
	const screenshots = args.includes("--screenshots");
	const chromium = findChromium();
	const rest = args.filter((argument) => argument !== "--moddable" && argument !== "--screenshots");
	const environment = { ...process.env, CHROMIUM: chromium, ...(screenshots ? { SCREENSHOTS: join(root, "docs") } : {}) };
	console.log(`The pages in ${chromium}, the firmware ${moddable ? "in Moddable's simulator" : "on XS; --moddable takes Moddable's simulator"}`);
	if (moddable) return await run(["--import", "tsx", join(root, "tests", "run-moddable.mjs"), "browser", ...rest], environment);
	return await run(
		[
			"--experimental-vm-modules",
			"--disable-warning=ExperimentalWarning",
			join(root, "node_modules", "jest", "bin", "jest.js"),
			...rest,
			"--testPathIgnorePatterns=/node_modules/",
			"--testMatch=**/tests/browser/*.test.ts",
		],
		environment,
	);
});

/** @returns {string} the program; CHROMIUM names it where it is somewhere else */
function findChromium() {
	const given = process.env.CHROMIUM;
	if (given) {
		if (!existsSync(given)) throw new Problem(`CHROMIUM names a program that is not there: ${given}`);
		return given;
	}
	for (const program of PROGRAMS) {
		if (program.startsWith("/")) {
			if (existsSync(program)) return program;
			continue;
		}
		const found = spawnSync("which", [program], { encoding: "utf8" }).stdout?.trim();
		if (found) return found;
	}
	throw new Problem(
		"No Chromium was found. Debian: apt install chromium; elsewhere install Chromium or Chrome. CHROMIUM=/path/to/it npm run test:browser takes one from another place.",
	);
}

/**
 * @param {string[]} args of Node
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} the exit code
 */
function run(args, env) {
	const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit", env });
	return new Promise((done) => child.once("exit", (code) => done(code ?? 1)));
}
