// `npm run check:chip`: compiles the C half of every board against ESP-IDF's headers and checks what it is built with.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boardNames, findBoard, isSimulated, root } from "../cli/boards.js";
import { checkTarget, findSdk } from "../cli/moddable.js";
import { compileNatives, findChipTools, type Natives } from "../cli/natives.js";
import { Problem, parseCommandLine, runProgram } from "../cli/program.js";
import { bundleForFlash } from "./flash-bundle.js";

const USAGE = `Usage: npm run check:chip -- [BOARD ...]

Compiles all natives of the boards given, or of all boards for an ESP32 in boards/, with the options of ESP-IDF that a release build
has. It checks those options, and the functions called by FFI against ESP-IDF's declarations. Nothing is linked with ESP-IDF or run.
Where there is a compiler, what a board takes without ESP-IDF is measured and kept for npm run footprint (scripts/natives.json).
It needs the Moddable SDK, ESP-IDF's sources with the submodule lwIP, kconfgen, make, and a compiler: Espressif's, or Debian's for
RISC-V (apt install gcc-riscv64-unknown-elf libnewlib-dev), which compiles for the ESP32-C3 and parses only for the others.`;

const SHOWN_ERRORS = 20;
/** What the boards take without ESP-IDF; docs/footprint.md has it from here. */
const MEASURED = join(root, "scripts", "natives.json");
/** What every board has to end up with, whatever its target says. */
const WANTED = [
	["BOOTLOADER_APP_ROLLBACK_ENABLE", "y"],
	["ESP_SYSTEM_PANIC_PRINT_REBOOT", "y"],
	["ESP_TASK_WDT_EN", "y"],
	["ESP_TASK_WDT_INIT", "y"],
	["ESP_TASK_WDT_PANIC", "y"],
	["ESP_TASK_WDT_TIMEOUT_S", "30"],
	["ESP_INT_WDT", "y"],
] as const;

await runProgram(USAGE, async (args) => {
	const { words: given } = parseCommandLine(args, {});
	const sdk = findSdk();
	const tools = findChipTools(sdk);
	const boards = (given.length > 0 ? given : boardNames())
		.map((name) => findBoard(name))
		.filter((board) => given.length > 0 || !isSimulated(board.target));
	console.log(`ESP-IDF ${tools.version}`);
	let failed = 0;
	for (const board of boards) {
		if (isSimulated(board.target)) throw new Problem(`The board ${board.name} is simulated; it has no C half for a chip.`);
		checkTarget(board, sdk);
		const natives = await compileNatives(tools, board, join(root, "build", "chip", board.name), (build) => bundleForFlash(sdk, build));
		const errors = [...natives.errors, ...wrongOptions(natives.options)];
		console.log(`${board.name}: ${summary(natives)}`);
		for (const error of errors.slice(0, SHOWN_ERRORS)) console.log(`  ${error}`);
		if (errors.length > SHOWN_ERRORS) console.log(`  and ${errors.length - SHOWN_ERRORS} more`);
		if (errors.length > 0) failed++;
		else if (natives.size !== undefined && board.named) keep(board.name, natives.size);
	}
	console.log(
		failed > 0 ? `${failed} of ${boards.length} boards failed.` : `All ${boards.length} boards passed. Nothing was linked with ESP-IDF or run.`,
	);
	return failed > 0 ? 1 : 0;
});

/** Notes what was measured, with today's date. */
function keep(name: string, bytes: number): void {
	const measured = existsSync(MEASURED) ? JSON.parse(readFileSync(MEASURED, "utf8")) : {};
	const all = { ...measured, [name]: { bytes, date: new Date().toISOString().slice(0, 10) } };
	const lines = Object.keys(all)
		.sort()
		.map((board) => `\t"${board}": { "bytes": ${all[board].bytes}, "date": "${all[board].date}" }`);
	writeFileSync(MEASURED, `{\n${lines.join(",\n")}\n}\n`);
}

function wrongOptions(options: Natives["options"]): string[] {
	return WANTED.filter(([name, value]) => options.get(name) !== value).map(
		([name, value]) => `CONFIG_${name} is ${options.get(name) ?? "not set"}, not ${value}`,
	);
}

function summary({ depth, files, compared, options, size }: Natives): string {
	const memory = options.get("SPIRAM") ? `PSRAM ${options.get("SPIRAM_MODE_OCT") ? "octal" : "quad"}` : "no PSRAM";
	return [
		`${files.length} C files ${depth === "compiled" ? "compiled" : "parsed (no Xtensa compiler: not compiled)"}`,
		`${compared.length} FFI declarations compared`,
		`flash ${options.get("ESPTOOLPY_FLASHSIZE")?.replaceAll('"', "")}, ${memory}`,
		...(size === undefined ? [] : [`${size.toLocaleString("en-US")} bytes without ESP-IDF`]),
	].join("; ");
}
