// The code in docs/ is that of files that compile, and its commands are there.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { renewToolSection } from "../../generators/board-page.js";

/** A block with the comment that stands before it. */
interface Block {
	origin: string | undefined;
	language: string;
	code: string;
}

function blocksOf(text: string): Block[] {
	return [...text.matchAll(/(?:^<!-- ([^\n]+) -->\n)?^```(\w*)\n(.*?)^```$/gms)].map(([, origin, language = "", code = ""]) => ({
		origin,
		language,
		code,
	}));
}

/** Are the same lines in it, one after the other, and not as a part of a longer line? */
function hasLines(source: string, block: string): boolean {
	const lines = source.split("\n");
	const wanted = block.trimEnd().split("\n");
	return lines.some((_, at) => wanted.every((line, index) => lines[at + index] === line));
}

/** Are the same words in it, in this order? A board's list of tools grows: whoever follows the guide adds to it. */
function hasWords(source: string, block: string): boolean {
	const words = (text: string): string[] => text.match(/[\w"'./]+/g) ?? [];
	const left = words(source);
	return words(block).every((word) => {
		const at = left.indexOf(word);
		left.splice(0, at + 1);
		return at >= 0;
	});
}

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));

test("a README without a part on its tools gets one, and keeps the rest", () => {
	const tools = { tools: [{ name: "self.a", description: "Does | a", inputSchema: { type: "object" as const } }], userTools: [] };
	const made = renewToolSection("# a\n\n## Tools\n\nold\n", tools);
	expect(made).toMatch(
		/^# a\n\n## Tools\n\n<!-- tools: [^\n]+\n\nFor the model:\n\n[\s\S]+\| `self\.a` \| – \| Does \\\| a \|\n\n<!-- end of tools -->\n\nold\n$/,
	);
	expect(renewToolSection(made, tools)).toBe(made);
	expect(renewToolSection("# a\n", tools)).toMatch(/^# a\n\n## Tools\n\n<!--/);
});

describe.each(["adding-a-board.md", "adding-a-tool.md"])("docs/%s", (name) => {
	const text = readFileSync(`docs/${name}`, "utf8");
	const blocks = blocksOf(text);

	test("has blocks of code that are in the files that they name, word for word", () => {
		const code = blocks.filter(({ language }) => language !== "sh");
		expect(code.length).toBeGreaterThan(3);
		for (const { origin, code: block } of code) {
			if (origin === "made by npm run new:tool") continue;
			const file = /^from (\S+)$/.exec(origin ?? "")?.[1];
			expect([block, file]).toEqual([block, expect.any(String)]);
			const source = readFileSync(file as string, "utf8");
			const found = file?.endsWith("/tools/index.ts") ? hasWords(source, block) : hasLines(source, block);
			expect([file, block, found]).toEqual([file, block, true]);
		}
	});

	test("names scripts and files that are there", () => {
		for (const [, script = ""] of text.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(script);
		for (const [, path = ""] of text.matchAll(/\]\(([^)#]+)\)/g)) expect(() => readFileSync(`docs/${path}`)).not.toThrow();
		for (const [, path = ""] of text.matchAll(/`((?:src|simulator|scripts|generators|cli|hub|tests)\/[\w./-]+)`/g))
			expect([path, readdirSync(path.replace(/\/?[^/]*$/, "") || ".").some((entry) => path.endsWith(entry))]).toEqual([path, true]);
	});
});
