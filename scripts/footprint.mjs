// `npm run footprint`: links the JavaScript of each board for its chip and writes what it costs into docs/footprint.md.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { boardNames, findBoard, isSimulated, root } from "../cli/boards.js";
import { smallestSlot } from "../cli/firmware.js";
import { checkTarget, findSdk } from "../cli/moddable.js";
import { Problem, parseCommandLine, runProgram } from "../cli/program.js";
import { bundleForFlash } from "./flash-bundle.js";
import { createIdfStandIn, linkJavaScript, run } from "./link.mjs";

/** The board that is linked without features as well. */
const FEATURE_BOARD = "bread_compact";
/** A board with one part, which is linked without all of them. */
const SMALL_BOARD = "examples/doorbell";
/** What a board can leave out of src/manifest.json. */
const FEATURES = readdirSync(join(root, "src", "features", "absent"))
	.map((file) => file.replace(".ts", ""))
	.filter((name) => readFileSync(join(root, "src", "manifest.json"), "utf8").includes(`/${name}.manifest.json`));

const USAGE = `Usage: npm run footprint -- [BOARD ...]

Links the JavaScript of the boards given, or of all boards for an ESP32 in boards/, and prints what it costs.
Without BOARD it links ${FEATURE_BOARD} without each feature as well, and writes docs/footprint.md. It needs the Moddable SDK (not ESP-IDF), git, make, and gcc that can build for
32 bits (Debian and Ubuntu: apt install gcc-multilib).`;

/** The project's own modules by the beginning of their names. */
const OWN = new RegExp(
	`^(main$|(${readdirSync(join(root, "src"))
		.filter((name) => !name.includes("."))
		.join("|")}|board)/)`,
);
/** A slot of the machine, in bytes on a 32-bit chip. */
const SLOT_BYTES = 16;
/** What `npm run check:chip` measured last: everything but ESP-IDF, in bytes, by board. */
const MEASURED = join(root, "scripts", "natives.json");
/** A guess at what ESP-IDF with Wi-Fi takes, in bytes. */
const IDF_BYTES = /** @type {const} */ ([600_000, 850_000]);
/** What the machine keeps in RAM for an object in flash that may change, in bytes. */
const ALIAS_BYTES = 4;

/**
 * @typedef {object} Footprint
 * @property {string} name
 * @property {string} target
 * @property {number} flash bytes of the linked JavaScript
 * @property {number} ram bytes that the machine begins with
 * @property {number} aliases bytes for objects in flash that may change
 * @property {number} slot bytes of the smaller slot for firmware
 * @property {string[]} warnings about the project's own files
 */

await runProgram(USAGE, async (args) => {
	const { words: given } = parseCommandLine(args, {});
	const sdk = findSdk();
	for (const [tool, argument, advice] of /** @type {const} */ ([
		["git", "--version", "git"],
		["make", "--version", "make"],
		["gcc", "--version", "gcc-multilib"],
		["size", "--version", "binutils"],
	]))
		if (spawnSync(tool, [argument], { stdio: "ignore" }).error) throw new Problem(`${tool} is missing (Debian and Ubuntu: apt install ${advice}).`);
	const names = given.length > 0 ? given : boardNames();
	const boards = names.map((name) => findBoard(name)).filter((board) => given.length > 0 || !isSimulated(board.target));
	const work = join(root, "build", "footprint");
	const idf = createIdfStandIn(join(work, "idf"));
	/** @type {Footprint[]} */
	const footprints = [];
	for (const board of boards) {
		if (isSimulated(board.target)) throw new Problem(`The board ${board.name} is simulated; there is nothing to link for a chip.`);
		checkTarget(board, sdk);
		const footprint = await link(sdk, board, join(work, board.name), idf);
		footprints.push(footprint);
		console.log(`${board.name}: ${footprint.flash} bytes of flash, ${footprint.ram + footprint.aliases} bytes of RAM`);
		for (const warning of footprint.warnings) console.log(`  ${warning}`);
	}
	if (given.length === 0) {
		/** @type {[string, number][]} */
		const without = [];
		for (const left of [...FEATURES.map((feature) => [feature]), FEATURES]) {
			const board = leaveOut(findBoard(FEATURE_BOARD), left, join(work, "without"));
			const { flash, warnings } = await link(sdk, board, join(work, FEATURE_BOARD), idf);
			console.log(`${FEATURE_BOARD} without ${left.join(", ")}: ${flash} bytes of flash`);
			for (const warning of warnings) console.log(`  ${warning}`);
			without.push([left.length > 1 ? "all of them" : `\`${left[0]}\``, flash]);
		}
		const small = await link(sdk, leaveOut(findBoard(join(root, SMALL_BOARD)), FEATURES, join(work, "without")), join(work, "small"), idf);
		writeFileSync(join(root, "docs", "footprint.md"), page(footprints, without, small.flash));
	}
	return footprints.some(({ warnings }) => warnings.length > 0) ? 1 : 0;
});

/**
 * Makes a copy of a board whose manifest leaves features out.
 * @param {import("../cli/boards.js").BoardFolder} board
 * @param {readonly string[]} features
 * @param {string} folder
 * @returns {import("../cli/boards.js").BoardFolder}
 */
function leaveOut(board, features, folder) {
	const path = join(folder, board.name);
	rmSync(path, { recursive: true, force: true });
	// An example has its check beside the board.
	cpSync(board.path, path, { recursive: true, filter: (file) => basename(file) !== "check.ts" });
	const source = "$(MODDABLE_MCP)/src";
	const kept = ["core", ...FEATURES.filter((name) => !features.includes(name)).map((name) => `features/${name}`)];
	const lines = kept.map((name) => `"${source}/${name}.manifest.json"`).join(", ");
	const manifest = readFileSync(join(path, "manifest.json"), "utf8");
	writeFileSync(join(path, "manifest.json"), manifest.replace('"../../src/manifest.json"', lines).replaceAll('"../../src/', `"${source}/`));
	return { ...board, path, named: false, variables: { BOARD: board.name, BOARD_DIR: path } };
}

/**
 * @param {{ moddable: string, bin: string }} sdk
 * @param {import("../cli/boards.js").BoardFolder} board
 * @param {string} output
 * @param {string} idf
 * @returns {Promise<Footprint>}
 */
async function link(sdk, board, output, idf) {
	mkdirSync(output, { recursive: true });
	const env = {
		...process.env,
		...board.variables,
		IDF_PATH: idf,
		PATH: [join(root, "node_modules", ".bin"), sdk.bin, join(idf, "tools"), process.env.PATH].join(delimiter),
	};
	if (board.named) delete (/** @type {NodeJS.ProcessEnv} */ (env).BOARD_DIR);
	const { app } = await bundleForFlash(sdk, { target: board.target, output, variables: board.variables });
	const { log, makefile, build, linked } = linkJavaScript(sdk, board.target, output, join(app, "manifest.json"), env);
	const made = join(output, "tmp");
	const partitions = readdirSync(made, { recursive: true, encoding: "utf8" }).find((path) => basename(path) === "partitions.csv") ?? "";
	const xs = join(sdk.moddable, "xs");
	const includes = [build, join(xs, "includes"), join(xs, "sources"), join(xs, "platforms")].map((path) => `-I${path}`);
	const object = join(output, "mc.xs.32.o");
	run("gcc", ["-m32", "-Os", "-w", "-c", "-DINCLUDE_XSPLATFORM=1", ...includes, linked, "-o", object], env);
	let flash = 0;
	for (const [, name = "", size] of run("size", ["-A", object], env).matchAll(/^(\.\S+)\s+(\d+)/gm))
		if (/rodata|rel\.ro/.test(name)) flash += Number(size);

	const source = readFileSync(linked, "utf8");
	const count = (/** @type {string} */ what) => Number(new RegExp(`#define mx${what}Count (\\d+)`).exec(source)?.[1] ?? 0);
	// The machine's creation, in the order of the linker's arguments: bytes for chunks, their increment, slots, their increment, stack.
	const [chunk = 0, , heap = 0, , stack = 0] = (/^CREATION = -c (\S+)/m.exec(readFileSync(makefile, "utf8"))?.[1] ?? "").split(",").map(Number);
	return {
		name: board.name,
		target: board.target,
		flash,
		ram: chunk + (heap + stack) * SLOT_BYTES,
		aliases: count("Alias") * ALIAS_BYTES,
		slot: smallestSlot(readFileSync(join(made, partitions), "utf8"))?.size ?? 0,
		warnings: log.split("\n").filter((line) => /warning|error/i.test(line) && concernsUs(line)),
	};
}

/** Is a line of the build about a file or module of the project? @param {string} line */
function concernsUs(line) {
	const module = /^### warning: ([\w/-]+):/.exec(line)?.[1];
	return module ? OWN.test(module) : line.includes(join(root, "src")) || line.includes(join(root, "boards"));
}

/**
 * @param {Footprint[]} footprints
 * @param {[what: string, flash: number][]} without
 * @param {number} small
 */
function page(footprints, without, small) {
	const whole = footprints.find(({ name }) => name === FEATURE_BOARD)?.flash ?? 0;
	const number = (/** @type {number} */ value) => value.toLocaleString("en-US");
	/** @type {{ [board: string]: { bytes: number, date: string } }} */
	const measured = JSON.parse(readFileSync(MEASURED, "utf8"));
	const halves = footprints.map(({ name, flash }) => (measured[name]?.bytes ?? 0) - flash);
	// Of a chip without a compiler here only the JavaScript is measured; the C half is taken as that of the chips that have one.
	const estimate = (/** @type {number} */ flash) => Math.round((flash + Math.max(...halves)) / 10_000) * 10_000;
	const rows = footprints.map(({ name, target, flash, ram, aliases, slot }) => {
		const all = measured[name]?.bytes ?? estimate(flash);
		return [
			"",
			`[${name}](../boards/${name}/README.md)`,
			`\`${target}\``,
			number(flash),
			number(ram),
			number(aliases),
			measured[name] ? `${number(all)} (${measured[name].date})` : `≈ ${number(all)}`,
			number(slot),
			number(slot - all),
			"",
		]
			.join(" | ")
			.trim();
	});
	return `# Footprint

What the JavaScript of each board takes on its chip, in bytes. \`npm run footprint\` makes this page.

| board | target | flash: all JavaScript | RAM at the start | RAM for changes in flash | all but ESP-IDF | OTA slot | left for ESP-IDF |
|---|---|---|---|---|---|---|---|
${rows.join("\n")}

- **Flash** is everything that the link of the JavaScript puts there: bytecode, strings, and the objects that are made at link
  time, of this project and of the SDK's modules, bundled as \`npm run build\` does. It is counted on the linked C file, compiled for a
  32-bit processor.
- **RAM at the start** is what the machine asks for when it begins: chunks, slots and stack (\`creation\` in \`src/core.manifest.json\`).
  It grows with what runs: a connection, its messages, tools that are added at run time.
- **RAM for changes in flash** is a table of ${ALIAS_BYTES} bytes for each object in flash that may be changed later.
- **All but ESP-IDF** is the JavaScript, XS and all natives, linked without ESP-IDF and the C library. \`npm run check:chip\` measures it
  where there is a compiler for the chip (the date says when); \`≈\` is the JavaScript of today and the C half of a board that was measured.
- **OTA slot** is the smaller of the two slots for firmware: of 4 MB of flash, or of what the board's \`sdkconfig/\` says.
- **Left for ESP-IDF**: nothing has been linked with it yet. With Wi-Fi it takes perhaps ${IDF_BYTES.map((bytes) => bytes / 1000).join(" to ")} KB, so a board with
  less left than the second number may not fit. \`npm run build\` says how large the image is, and fails when it is too large for a slot.

What there is room for: boards with 8 or 16 MB take whatever comes. On those with 4 MB a further driver or a set of tools (10 to 30 KB)
fits if ESP-IDF does; what the CoreS3 has beside its sound, a screen with its font, a head and a battery, came to 95 KB of JavaScript.
A camera or Bluetooth does not fit.

## What a board can leave out

[architecture.md](architecture.md#what-a-board-can-leave-out) says how. ${FEATURE_BOARD} takes ${number(whole)} bytes with everything:

| without | flash | saved |
|---|---|---|
${without.map(([what, flash]) => `| ${what} | ${number(flash)} | ${number(whole - flash)} |`).join("\n")}

Names and code that two features share go with the last of them, so that all of them together save more than the sum. \`mdns\`, which a
board has to ask for, took 18,366 bytes on m5stack_cores3, most of them the SDK's DNS-SD. \`drivers/state-light\`, a light that shows what the device
does, took 2,736 on c3_led_strip.

A board with one button ([${SMALL_BOARD}](../${SMALL_BOARD}/README.md)) without any of them, which has a WebSocket and no TLS, takes ${number(small)} bytes.
A tool of three integers with descriptions of its own takes 903 bytes in 24 slots where another tool has equal arguments, 1,111 in 37 where
one of the three has limits that no other argument has, and 1,239 in 45 where all three have (30 tools against 10, everything linked); the
aim was 1,200.

## What bundling saves

[adr/0008-bundled-for-flash.md](adr/0008-bundled-for-flash.md) says what is done. Measured on ${FEATURE_BOARD} with everything when it came in, each step
with those above it:

| step | flash |
|---|---|
| every module by itself (a plain \`mcconfig\`) | 810,354 |
| the project's modules bundled, what nobody uses dropped, variables that nobody changes constant | 753,300 |
| the SDK's plain modules too | 749,246 |
| private members as properties | 667,593 |
| fields set by constructors | 652,041 |
| numbers in the place of their names | 625,768 |
| short names for variables | 607,595 |
| the names of properties for variables | 591,554 |
| functions as arrows | 574,066 |

Sums for templates, statements for conditions whose value nobody wants, and fields that are not set to undefined came later and save 6,624
bytes.

What is not preloaded by name, so that it takes its texts from flash when it runs, costs 8 KB of it; everything so would cost 61 KB.
`;
}
