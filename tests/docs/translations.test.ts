// A Chinese document has the headings, the code and the tables of the English one.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";

const translated = [".", "docs"].flatMap((folder) =>
	readdirSync(folder)
		.filter((name) => name.endsWith(".zh-CN.md"))
		.map((name) => `${folder}/${name}`),
);

/** The code of each block, and the rest as lines. */
function parts(file: string): { code: string[]; lines: string[] } {
	const code: string[] = [];
	const rest = readFileSync(file, "utf8").replace(/^```.*?^```$/gms, (block) => {
		code.push(block);
		return "";
	});
	return { code, lines: rest.split("\n") };
}

test("what newcomers need is there in Chinese", () => {
	const needed = ["./README.zh-CN.md", ...["adding-a-board", "adding-a-tool", "xiaozhi"].map((name) => `docs/${name}.zh-CN.md`)];
	expect(translated).toEqual(expect.arrayContaining(needed));
});

describe.each(translated)("%s", (file) => {
	const chinese = parts(file);
	const english = parts(file.replace(".zh-CN.md", ".md"));

	test("has the same headings, one below the other", () => {
		const levels = (lines: string[]) => lines.flatMap((line) => /^(#+) /.exec(line)?.[1] ?? []);
		expect(levels(chinese.lines)).toEqual(levels(english.lines));
	});

	test("has the same blocks of code", () => expect(chinese.code).toEqual(english.code));

	test("has the same tables, pictures, and marks of what is run", () => {
		const count = (pattern: RegExp) => (lines: string[]) => lines.filter((line) => pattern.test(line)).length;
		for (const counted of [count(/^\|/), count(/^!\[/), count(/^<!-- /)]) expect(counted(chinese.lines)).toBe(counted(english.lines));
	});
});
