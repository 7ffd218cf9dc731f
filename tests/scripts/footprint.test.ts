// docs/footprint.md has a line for each board that is linked for a chip; `npm run footprint` writes it.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { runScriptFile } from "../support/script.js";

const boards = readdirSync("boards").filter((name) => JSON.parse(readFileSync(`boards/${name}/manifest.json`, "utf8")).build.MCP_TARGET !== "lin");

test.each(boards)("docs/footprint.md knows %s", (name) => {
	const { MCP_TARGET } = JSON.parse(readFileSync(`boards/${name}/manifest.json`, "utf8")).build;
	const row = readFileSync("docs/footprint.md", "utf8")
		.split("\n")
		.find((line) => line.startsWith(`| [${name}](../boards/${name}/README.md) |`));
	expect(row).toContain(`| \`${MCP_TARGET}\` |`);
	expect(row).toMatch(/(\| (?:[\d,]+|–) ){5}\| (≈ [\d,]+|[\d,]+ \(\d{4}-\d\d-\d\d\)) \| [\d,]+ \| -?[\d,]+ \|$/);
});

test("without the SDK it says what is missing and leaves the page alone", () => {
	const before = readFileSync("docs/footprint.md", "utf8");
	const { code, stderr } = runScriptFile("scripts/footprint.mjs", []);
	expect(code).toBe(1);
	expect(stderr).toMatch(/^The Moddable SDK is missing/);
	expect(readFileSync("docs/footprint.md", "utf8")).toBe(before);
});
