// `npm run new:board -- NAME`: makes the folder of a new board, which is a copy of another one under its own name.

import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { BOARD_NAME, BOARD_NAME_RULE, findBoard, fromHere, root } from "../cli/boards.js";
import { checkTarget, findSdk } from "../cli/moddable.js";
import { Problem, parseCommandLine, runProgram, UsageError } from "../cli/program.js";
import { format, isInside, pascalCase, renewReadme, shown } from "./make.js";

const USAGE = `Usage: npm run new:board -- NAME [--from BOARD] [--target TARGET]

Makes the folder boards/NAME, or with a path such as ../my_board a folder elsewhere.

  --from BOARD     the board to begin with; "bread_compact" where it is not given
  --target TARGET  Moddable's name of the platform, such as esp32/esp32c3; that of the other board where it is not given`;

/** The targets that are a bare chip, and the chip's name. */
const CHIP = /^esp32\/(esp32[a-z]\d)(_\w+)?$/;
/** Where a board of the project finds this project, and where one elsewhere does. */
const OWN_ROOT = '"../../';
const ROOT = '"$(MODDABLE_MCP)/';

await runProgram(USAGE, async (args) => {
	const { values, words } = parseCommandLine(args, { from: { type: "string", default: "bread_compact" }, target: { type: "string" } });
	const [given] = words;
	if (!given || words.length > 1) throw new UsageError(given ? "Only one name can be given." : "Which name?");
	const { from, target } = values;
	const path = /[/\\]/.test(given) ? fromHere(given) : join(root, "boards", given);
	const name = basename(path);
	if (!BOARD_NAME.test(name)) throw new Problem(`"${name}" cannot be a board's name: it must be ${BOARD_NAME_RULE}.`);
	if (existsSync(path)) throw new Problem(`There is already something at ${shown(path)}; choose another name.`);
	if (!existsSync(join(path, ".."))) throw new Problem(`There is no folder ${join(path, "..")} to make ${name} in.`);
	const model = findBoard(from);
	if (target !== undefined) {
		if (!/^(lin|esp32(\/\w+)?)$/.test(target)) throw new Problem(`"${target}" is no target: it must be esp32/NAME, such as esp32/esp32s3, or lin.`);
		if (process.env.MODDABLE) checkTarget({ ...model, name, target }, findSdk());
	}

	// An example's check is of the example.
	cpSync(model.path, path, { recursive: true, filter: (file) => basename(file) !== "check.ts" });
	// Another chip comes on another module: its flash and memory are not those of the model.
	const sameModule = target === undefined || target === model.target;
	if (!sameModule) rmSync(join(path, "sdkconfig"), { recursive: true, force: true });
	const rename = createRename(model.name, name);
	for (const file of readdirSync(path, { recursive: true, encoding: "utf8" })) {
		if (!/\.(ts|md|json)$/.test(file)) continue;
		const before = readFileSync(join(path, file), "utf8");
		let text = rename(before);
		if (file === "manifest.json") text = changeManifest(sameModule ? text : withoutPartitions(text), model.name, path, target);
		if (file === "board.ts") text = changeBoard(text, target);
		if (file === "README.md") text = changeReadme(text, name, model.name, path, target);
		if (text !== before) writeFileSync(join(path, file), text);
	}
	if (!isInside(path)) {
		writeFileSync(join(path, "tsconfig.json"), typeScriptConfiguration(path));
		writeFileSync(join(path, "package.json"), packageFile(path));
	}
	format([path]);
	await renewReadme(path);

	const argument = isInside(path) ? name : given;
	console.log(`Made ${shown(path)}, a copy of ${model.name}. What to do now:
  1. pins and parts: ${shown(join(path, "board.ts"))} and ${shown(join(path, "manifest.json"))}
  2. tools: ${shown(join(path, "tools", "index.ts"))}, and npm run new:tool -- ${argument} NAME
  3. wiring: ${shown(join(path, "README.md"))}
  4. try it: npm start -- --board ${argument}
  5. check it: npm run check:board -- ${argument}`);
	return 0;
});

/** Renames a board in a file: its name where it is called by it, and the type of its parts. */
function createRename(from: string, to: string): (text: string) => string {
	const type = new RegExp(`\\b${pascalCase(from)}Board\\b`, "g");
	return (text) => text.replaceAll(`name: "${from}"`, `name: "${to}"`).replace(type, `${pascalCase(to)}Board`.replace(/BoardBoard$/, "Board"));
}

function changeManifest(text: string, from: string, path: string, target: string | undefined): string {
	const before: string = JSON.parse(text).build.MCP_TARGET;
	let changed = text.replaceAll(`board ${from} `, `board ${basename(path)} `);
	if (!isInside(path)) changed = changed.replaceAll(OWN_ROOT, ROOT);
	// Where it names the platform, where it refuses others, and what it says then.
	return target === undefined ? changed : changed.replace(new RegExp(`(?<![\\w/])${before}(?![\\w/])`, "g"), target);
}

function withoutPartitions(manifest: string): string {
	return manifest.replace(/,\s*"PARTITIONS_FILE": "[^"]*"/, "");
}

function changeBoard(text: string, target: string | undefined): string {
	const chip = CHIP.exec(target ?? "")?.[1];
	return chip ? text.replace(/chip: "esp32\w*"/g, `chip: "${chip}"`) : text;
}

function changeReadme(text: string, name: string, from: string, path: string, target: string | undefined): string {
	const lines = text.replace(/^# .*$/m, `# ${name}`).replaceAll(`-- ${from}`, `-- ${isInside(path) ? name : path}`);
	const named = target === undefined ? lines : lines.replace(/(Moddable target: `)[^`]+(`)/, `$1${target}$2`);
	return named.replace(/^(# .*\n)/, `$1\n**Begun as a copy of ${from}**: pins, wiring and text below are still those of that board.\n`);
}

/** The project's programs for a board that lies elsewhere, so that they are called from its folder. */
function packageFile(path: string): string {
	const project = `npm --silent --prefix "${relative(path, root).replaceAll("\\", "/")}"`;
	const scripts = {
		start: `${project} start -- --board .`,
		check: `${project} run check:board -- .`,
		build: `${project} run build -- .`,
		flash: `${project} run flash -- .`,
	};
	return `${JSON.stringify({ name: basename(path), private: true, scripts }, undefined, "\t")}\n`;
}

/** So that an editor and \`tsc\` know the modules of a board that lies elsewhere. */
function typeScriptConfiguration(path: string): string {
	const way = (to: string) => relative(path, join(root, to)).replaceAll("\\", "/");
	return `${JSON.stringify({ extends: way("tsconfig.json"), include: ["board.ts", "tools", way("typings")] }, undefined, "\t")}\n`;
}
