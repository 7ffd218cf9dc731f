// docs/footprint.md has a line for each board that is linked for a chip; `npm run footprint` writes it.

import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { runScriptFile } from "../support/script.js";

const page = readFileSync("docs/footprint.md", "utf8");
const rows = [...page.matchAll(/^\| \[(\w+)\]\(\.\.\/boards\/\1\/README\.md\) \|.*$/gm)].map(([row, name = ""]) => [name, row] as const);

// A board that somebody is just adding gets its row with the next `npm run footprint`.
test("docs/footprint.md knows the boards that README.md names", () => {
	const named = [...readFileSync("README.md", "utf8").matchAll(/^\| \[(\w+)\]\(boards\/\1\/README\.md\) \|/gm)].map(([, name]) => name);
	expect(named.length).toBeGreaterThan(1);
	expect(rows.map(([name]) => name).sort()).toEqual(named.filter((name) => name !== "simulator").sort());
});

test.each(rows)("docs/footprint.md has the target and the figures of %s", (name, row) => {
	const { MCP_TARGET } = JSON.parse(readFileSync(`boards/${name}/manifest.json`, "utf8")).build;
	expect(row).toContain(`| \`${MCP_TARGET}\` |`);
	expect(row).toMatch(/(\| (?:[\d,]+|–) ){3}\| (≈ [\d,]+|[\d,]+ \(\d{4}-\d\d-\d\d\)) \| [\d,]+ \| -?[\d,]+ \|$/);
});

test("without the SDK it says what is missing and leaves the page alone", () => {
	const before = readFileSync("docs/footprint.md", "utf8");
	const { code, stderr } = runScriptFile("scripts/footprint.mjs", []);
	expect(code).toBe(1);
	expect(stderr).toMatch(/^The Moddable SDK is missing/);
	expect(readFileSync("docs/footprint.md", "utf8")).toBe(before);
});
