// A board and a tool that the scripts make pass the board suite at once, compile, and run; wrong names are refused in words.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "@jest/globals";
import { runScriptFile } from "../support/script.js";
import { boardSuite } from "./board-suite.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "moddable-mcp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const LIMIT_MS = 60_000;

// Relative, as one types it next to the project.
const board = join(folder, "my_board");
const made = runScriptFile("generators/new-board.ts", ["./my_board", "--target", "esp32/esp32c3"], { INIT_CWD: folder });
const listBefore = readList(board);
const tool = runScriptFile("generators/new-tool.ts", [board, "self.lamp.say_name"]);
// A list that is written over several lines.
const robot = join(folder, "robot_2");
const robotMade = runScriptFile("generators/new-board.ts", [robot, "--from", "electron_bot"]);
const robotListBefore = readList(robot);
const robotTool = runScriptFile("generators/new-tool.ts", [robot, "hello"]);

function readList(path: string): string {
	return readFileSync(join(path, "tools/index.ts"), "utf8");
}

test("the scripts say what they made and what to do next", () => {
	for (const { code, stderr } of [made, tool, robotMade, robotTool]) expect([code, stderr]).toEqual([0, ""]);
	expect(made.stdout).toContain("npm start -- --board ./my_board");
	expect(tool.stdout).toContain(join(board, "tools", "lamp-say-name.ts"));
});

test("the new board has its own name, target and types, and finds the drivers from where it is", () => {
	const source = readFileSync(join(board, "board.ts"), "utf8");
	expect(source).toContain('name: "my_board"');
	expect(source).toContain('chip: "esp32c3"');
	expect(source).not.toMatch(/BreadCompact/);
	const manifest = readFileSync(join(board, "manifest.json"), "utf8");
	expect(JSON.parse(manifest).build.MCP_TARGET).toBe("esp32/esp32c3");
	expect(manifest).not.toContain("../");
	// bread_compact's module has more flash and memory than any ESP32-C3.
	expect([manifest.includes("PARTITIONS_FILE"), existsSync(join(board, "sdkconfig"))]).toEqual([false, false]);
	expect(readFileSync(join(board, "README.md"), "utf8")).toMatch(/^# my_board\n\n\*\*Begun as a copy of bread_compact/);
});

test("the new board has the project's programs as scripts of its own, from wherever it is", () => {
	const { scripts } = JSON.parse(readFileSync(join(board, "package.json"), "utf8"));
	expect(scripts).toMatchObject({ start: expect.stringMatching(/ start -- --board \.$/), check: expect.stringMatching(/ run check:board -- \.$/) });
	const prefix = /--prefix "([^"]+)"/.exec(scripts.check)?.[1] ?? "";
	expect(realpathSync(join(board, prefix))).toBe(realpathSync(root));
	expect(runScriptFile("tests/check-board.mjs", ["nosuch"])).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('There is no board "nosuch"'),
	});
	expect(runScriptFile("tests/check-board.mjs", [])).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Which board\?/) });
});

test("the tool is the file that docs/adding-a-tool.md shows", () => {
	const page = readFileSync(join(root, "docs/adding-a-tool.md"), "utf8");
	const source = readFileSync(join(board, "tools/lamp-say-name.ts"), "utf8");
	expect(page).toContain(`<!-- made by npm run new:tool -->\n\`\`\`ts\n${source}\`\`\`\n`);
});

test("the tool is one line to import it and its name at the end of the list, and nothing else", () => {
	const imported = 'import { lampSayName } from "./lamp-say-name.js";\n';
	const list = readList(board);
	expect(list).toContain(imported);
	expect(list.replace(imported, "").replace(", lampSayName],\n", "],\n")).toBe(listBefore);
	const robotList = readList(robot);
	expect(robotList).toContain("\n\t\thello,\n\t],");
	expect(robotList.replace('import { hello } from "./hello.js";\n', "").replace("\t\thello,\n", "")).toBe(robotListBefore);
});

test.each([board, robot])(
	"%s compiles",
	(path) => {
		const { status, stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", path], { encoding: "utf8" });
		expect([stdout, status]).toEqual(["", 0]);
	},
	LIMIT_MS,
);

boardSuite(board, "node", true);
boardSuite(robot, "node", true);

describe("new:board refuses", () => {
	test.each([
		[[], /Which name\? \(--help/],
		[["My_Board"], /"My_Board" cannot be a board's name: it must be at most 32 lower-case letters/],
		[["my-board"], /"my-board" cannot be a board's name/],
		[["1st"], /"1st" cannot be a board's name/],
		[[""], /Which name\?/],
		[["bread_compact"], /There is already something at boards.bread_compact; choose another name/],
		[[join(folder, "nowhere", "board")], /There is no folder .*nowhere.* to make board in/],
		[[join(folder, "other"), "--from", "nosuch"], /There is no board "nosuch".*The boards are: .*bread_compact/],
		[[join(folder, "other"), "--target", "arduino"], /"arduino" is no target/],
		[["one", "two"], /Only one name/],
		[["one", "--colour"], /Unknown option '--colour'/],
	])(
		"%j",
		(args, reason) => {
			const { code, stdout, stderr } = runScriptFile("generators/new-board.ts", args);
			expect([code, stdout]).toEqual([stderr.includes("(--help shows the usage)") ? 2 : 1, ""]);
			expect(stderr).toMatch(reason);
			expect(existsSync(join(folder, "other"))).toBe(false);
		},
		LIMIT_MS,
	);
});

describe("new:tool refuses, and changes nothing", () => {
	test.each([
		[[], /A board and a name are needed/],
		[[board], /A board and a name are needed/],
		[["nosuch", "blink"], /There is no board "nosuch"/],
		[[board, "Lamp.Blink"], /"Lamp.Blink" cannot be a tool's name: it must be lower-case words with dots/],
		[[board, "lamp..blink"], /cannot be a tool's name/],
		[[board, "../blink"], /cannot be a tool's name/],
		[[board, "delete"], /it is a word of TypeScript/],
		[[board, `lamp.${"x".repeat(60)}`], /at most 64 characters/],
		[[board, "lamp.say_name"], /There is already a file .*lamp-say-name.ts/],
		[[board, "lamp.turn_on"], /self\.lamp\.turn_on cannot be added to my_board: .*has the name of number/],
	])(
		"%j",
		(args, reason) => {
			const index = readFileSync(join(board, "tools/index.ts"), "utf8");
			const { code, stdout, stderr } = runScriptFile("generators/new-tool.ts", args);
			expect([code, stdout]).toEqual([stderr.includes("(--help shows the usage)") ? 2 : 1, ""]);
			expect(stderr).toMatch(reason);
			expect(readFileSync(join(board, "tools/index.ts"), "utf8")).toBe(index);
			expect(existsSync(join(board, "tools/lamp-turn-on.ts"))).toBe(false);
		},
		LIMIT_MS,
	);

	test(
		"a list that it cannot read, and says what to write",
		() => {
			const odd = join(folder, "odd_board");
			runScriptFile("generators/new-board.ts", [odd]);
			writeFileSync(join(odd, "tools/index.ts"), "export { default } from './list.js';\n");
			const { code, stderr } = runScriptFile("generators/new-tool.ts", [odd, "greet"]);
			expect(code).toBe(1);
			expect(stderr).toContain('Add to it by hand: import { greet } from "./greet.js";');
		},
		LIMIT_MS,
	);
});
