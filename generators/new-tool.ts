// `npm run new:tool -- BOARD NAME`: makes the file of a new tool and adds it to the board's list.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBoard } from "../cli/boards.js";
import { Problem, parseCommandLine, runProgram, UsageError } from "../cli/program.js";
import { format, pascalCase, renewReadme, shown } from "./make.js";

const USAGE = `Usage: npm run new:tool -- BOARD NAME

BOARD is a name in boards/ or the path of a board's folder elsewhere.
NAME is what the tool is called, such as self.lamp.blink; "self." may be left out.`;

const TOOL_NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;
const MAX_NAME_LENGTH = 64;
/** Words that no constant can be called by. */
const RESERVED =
	"await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield".split(
		" ",
	);

await runProgram(USAGE, async (args) => {
	const [given, wanted, ...others] = parseCommandLine(args, {}).words;
	if (!given || !wanted || others.length > 0) throw new UsageError("A board and a name are needed.");
	const board = findBoard(given);
	const words = wanted.replace(/^self\./, "");
	const name = `self.${words}`;
	if (!TOOL_NAME.test(words) || name.length > MAX_NAME_LENGTH)
		throw new Problem(
			`"${wanted}" cannot be a tool's name: it must be lower-case words with dots between them, such as lamp.blink, at most ${MAX_NAME_LENGTH} characters with "self.".`,
		);
	const stem = words.replace(/[._]+/g, "-").replace(/-$/, "");
	const constant = pascalCase(words).replace(/^./, (letter) => letter.toLowerCase());
	if (["index", ...RESERVED].includes(constant))
		throw new Problem(`"${wanted}" cannot be a tool's name: it is a word of TypeScript; add what it is about, such as lamp.${words}.`);
	const folder = join(board.path, "tools");
	const file = join(folder, `${stem}.ts`);
	const index = join(folder, "index.ts");
	if (existsSync(file)) throw new Problem(`There is already a file ${shown(file)}; choose another name.`);
	const before = readFileSync(index, "utf8");
	if (new RegExp(`\\b${constant}\\b`).test(before))
		throw new Problem(`${shown(index)} has something called ${constant} already; choose another name.`);
	const after = addToList(before, constant, stem, shown(index));
	const type = boardType(board.path);

	mkdirSync(folder, { recursive: true });
	writeFileSync(file, toolSource(name, constant, type));
	writeFileSync(index, after);
	format([file, index]);
	try {
		await renewReadme(board.path);
	} catch (error) {
		// Such as a name that the board has already, in one of its ready-made tools.
		rmSync(file);
		writeFileSync(index, before);
		throw new Problem(`${name} cannot be added to ${board.name}: ${(error as Error).message.split("\n")[0]}`);
	}
	console.log(`Made ${shown(file)} and added ${constant} to ${shown(index)}, for the model. What to do now:
  1. say in it what the tool does, which arguments it takes, and do it
  2. npm run docs:boards -- ${given}
  3. try it: npm start -- --board ${given}, and there: call ${name} {"times": 2}`);
	return 0;
});

/** The type of the board's parts, and where it stands. */
function boardType(path: string): { name: string; module: string } {
	const name =
		readdirSync(path).includes("board.ts") && /export (?:type|interface) (\w*Board)\b/.exec(readFileSync(join(path, "board.ts"), "utf8"))?.[1];
	return name ? { name, module: "../board.js" } : { name: "Board", module: "hardware/board" };
}

/**
 * Adds an import, and the tool at the end of the list for the model.
 * @throws Problem when the list cannot be found
 */
function addToList(text: string, constant: string, stem: string, file: string): string {
	const line = `import { ${constant} } from "./${stem}.js";`;
	const unknown = new Problem(`${file} is written in a way that this script does not know. Add to it by hand: ${line}`);
	const imports = [...text.matchAll(/^import .*?;$/gms)];
	// After those that come before it in the alphabet: own files stand last.
	const after = imports.filter(({ 0: found }) => !/ from "\.\//.test(found) || (/ from "(.*)"/.exec(found)?.[1] ?? "") < `./${stem}.js`).at(-1);
	if (!after) throw unknown;
	const at = after.index + after[0].length;
	const imported = `${text.slice(0, at)}\n${line}${text.slice(at)}`;
	const call = /\bdefineTools(?:<[^>]*>)?\(\s*\[/.exec(imported);
	if (!call) throw unknown;
	let depth = 1;
	let end = call.index + call[0].length;
	for (; end < imported.length && depth > 0; end++) depth += imported[end] === "[" ? 1 : imported[end] === "]" ? -1 : 0;
	if (depth > 0) throw unknown;
	const list = imported.slice(0, end - 1);
	const [, head = "", space = ""] = /^([\s\S]*?),?(\s*)$/.exec(list) ?? [];
	const several = space.includes("\n");
	return `${head}${several ? `,${space}\t${constant},` : head.endsWith("[") ? constant : `, ${constant}`}${space}${imported.slice(end - 1)}`;
}

/** A tool that works at once and shows what belongs in one. */
function toolSource(name: string, constant: string, type: { name: string; module: string }): string {
	const board = `import type { ${type.name} } from "${type.module}";`;
	const modules = ['import { integer } from "mcp/schema";', 'import { defineTool, READS } from "mcp/tool";'];
	const imports = type.module.startsWith(".") ? [...modules, board] : [board, ...modules];
	return `// The tool ${name}.

${imports.join("\n")}

/** \`${name}\` */
export const ${constant} = defineTool({
	name: "${name}",
	// One text is enough; with both, npm run build -- BOARD --language zh takes the Chinese one.
	description: {
		en: "Says the board's name. Write here what the tool does, in words that help a model choose it.",
		zh: "说出板子的名字。在这里写工具做什么，用能帮助模型选择它的话。",
	},
	properties: {
		times: integer({ description: { en: "How often, from 1 to 3", zh: "几次，1 到 3" }, minimum: 1, maximum: 3 }),
	},
	// It changes nothing. SETS, ACTS and DESTROYS are for tools that do; assistants ask their user by it.
	annotations: READS,
	// The parts of the board that it cannot do without, such as "speaker": where one does not answer, the tool is hidden.
	needs: [],
	call({ times }, board: ${type.name}) {
		return Array(times).fill(board.name).join(" ");
	},
});
`;
}
