// A build has its tools in one language, whole.

import { expect, test } from "@jest/globals";
import { boardNames } from "../../cli/boards.js";
import { type BoardTools, readBoardTools } from "../../generators/board-page.js";

/** The titles and descriptions of all tools and arguments, by where they stand. */
function texts({ tools, userTools }: BoardTools): Map<string, string> {
	const found = new Map<string, string>();
	const collect = (value: unknown, path: string) => {
		if (typeof value !== "object" || value === null) return;
		for (const [key, member] of Object.entries(value)) {
			const isText = typeof member === "string" && (key === "description" || key === "title");
			if (isText) found.set(`${path}/${key}`, member);
			else collect(member, `${path}/${key}`);
		}
	};
	for (const tool of [...tools, ...userTools]) collect(tool, tool.name);
	return found;
}

const isChinese = (text: string) => /\p{Script=Han}/u.test(text);
// Names of tools, choices and units stay; sentences do not.
const isEnglish = (text: string) => /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i.test(text);

test.each(boardNames())("a tool of %s that has Chinese texts has no English ones beside them", async (board) => {
	const english = texts(await readBoardTools(board));
	const chinese = texts(await readBoardTools(board, "zh"));
	expect([...chinese.keys()]).toEqual([...english.keys()]);
	expect([...english].filter(([, text]) => isChinese(text))).toEqual([]);
	const toolOf = (path: string) => path.split("/", 1)[0];
	const translated = new Set([...chinese].filter(([path, text]) => text !== english.get(path)).map(([path]) => toolOf(path)));
	const left = [...chinese].filter(([path, text]) => translated.has(toolOf(path)) && path !== `${toolOf(path)}/title` && !isChinese(text));
	expect(left).toEqual([]);
	expect([...chinese].filter(([path, text]) => translated.has(toolOf(path)) && isEnglish(text) && isChinese(text))).toEqual([]);
});

test("a Chinese build of esp_hi says everything in Chinese", async () => {
	const chinese = texts(await readBoardTools("esp_hi", "zh"));
	expect([...chinese].filter(([, text]) => !isChinese(text) || isEnglish(text))).toEqual([]);
});
