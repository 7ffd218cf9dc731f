// A stack trace of XS or Node names the project's files and lines.

import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { bundleFirmware } from "../../simulator/bundle.js";
import { createPositionFinder } from "../../simulator/source-positions.js";

test("a line of the bundle becomes the file and the line that it was made from", async () => {
	const bundle = await bundleFirmware({ board: "simulator", entry: "tests/simulator/fixtures/modules.ts" });
	const bundled = bundle.code.split("\n");
	const source = readFileSync("simulator/runtime/bridge.ts", "utf8").split("\n");
	const text = "console is not defined";
	const line = bundled.findIndex((code) => code.includes(text));
	expect(line).toBeGreaterThan(0);
	const position = `simulator/runtime/bridge.ts:${source.findIndex((code) => code.includes(text)) + 1}`;
	const find = createPositionFinder(bundle);
	expect(find(` at handleFailure (#0:${line + 1})`)).toBe(` at handleFailure (${position})`);
	const column = (bundled[line]?.indexOf(text) ?? 0) + 1;
	expect(find(`    at firmware.js:${line + 1}:${column}`)).toBe(`    at ${position}`);
});

test("what is no position, or one of nothing, stays as it is", async () => {
	const find = createPositionFinder({ code: "1;\n", map: '{"version":3,"sources":[],"names":[],"mappings":""}' });
	for (const line of ["main: starting -> idle", "at call ()", "at x (#0:1)", "at firmware.js:99:1", "(#0:999999)"]) expect(find(line)).toBe(line);
});
