// Bundles of the firmware, kept on disk from one process to the next.

import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, jest, test } from "@jest/globals";

const board = mkdtempSync(path.join(tmpdir(), "moddable-mcp-"));
const entry = path.join(board, "entry.ts");
afterAll(() => rmSync(board, { recursive: true }));

/** Bundles as a process does that has not bundled anything yet. */
async function bundle(): Promise<string> {
	jest.resetModules();
	const { bundleFirmware } = await import("../../simulator/bundle.js");
	return (await bundleFirmware({ board, entry })).code;
}

function write(name: string, text: string): void {
	writeFileSync(path.join(board, name), text);
	// What changes while it is bundled is not kept.
	utimesSync(path.join(board, name), 1, 1);
}

test("a bundle is taken again until one of its files changes", async () => {
	write("board.ts", 'export { word } from "./word.js";');
	write("word.ts", 'export const word = "one";');
	write("entry.ts", 'import { word } from "board/unwatched"; trace(word);');
	const first = await bundle();
	expect(first).toContain('"one"');
	expect(await bundle()).toBe(first);
	write("word.ts", 'export const word = "two";');
	expect(await bundle()).toContain('"two"');
});
