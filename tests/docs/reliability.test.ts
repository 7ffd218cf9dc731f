// docs/reliability.md says what the tests go through.

import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { renewFaultTable } from "../reliability/table.js";

test("docs/reliability.md has the table of all faults; npm run docs:faults renews it", () => {
	const text = readFileSync("docs/reliability.md", "utf8");
	expect(text).toBe(renewFaultTable(text));
});

test("docs/reliability.md names files that are there", () => {
	const text = readFileSync("docs/reliability.md", "utf8");
	for (const [, path = ""] of text.matchAll(/\]\(([^)#]+)\)/g)) expect(() => readFileSync(`docs/${path}`)).not.toThrow();
	for (const [, path = ""] of text.matchAll(/`((?:src|tests|scripts)\/[\w./-]+\.\w+)`/g)) expect(() => readFileSync(path)).not.toThrow();
});
