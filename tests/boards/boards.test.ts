// Every board folder is complete, and its tools fit what backends take.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { installFakes, made } from "../fakes/moddable.js";

installFakes();

const folder = new URL("../../boards/", import.meta.url);
const names = readdirSync(folder, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

/** What the documents allow; some backends drop what goes past 32. */
const MAX_TOOLS = 20;

describe.each(names)("boards/%s", (name) => {
	test.each(["manifest.json", "board.ts", "tools/index.ts", "README.md"])("has %s", (file) => {
		expect(existsSync(new URL(`${name}/${file}`, folder))).toBe(true);
	});

	test("says what it is built for", () => {
		const manifest = JSON.parse(readFileSync(new URL(`${name}/manifest.json`, folder), "utf8"));
		expect(manifest.build.MCP_TARGET).toMatch(/^(lin|esp32\/\w+)$/);
	});

	test("has tools with the common ones first and no more than a model can hold", async () => {
		const { default: list } = await import(`../../boards/${name}/tools/index.ts`);
		expect(list.tools[0].name).toBe("self.get_device_status");
		expect(list.tools.length).toBeLessThanOrEqual(MAX_TOOLS);
	});

	test("makes its parts, answers for its state and lets go of everything, twice", async () => {
		const { createBoard } = await import(`../../boards/${name}/board.ts`);
		const { default: list } = await import(`../../boards/${name}/tools/index.ts`);
		const board = createBoard();
		expect(board.name).toBe(name);
		expect(board.system.uuid).toHaveLength(36);
		const status = list.find("self.get_device_status").call({}, board);
		expect(status.network.type).toBe("wifi");
		board.close();
		board.close();
	});

	test("has a README that names every tool", async () => {
		const { default: list } = await import(`../../boards/${name}/tools/index.ts`);
		const text = readFileSync(new URL(`${name}/README.md`, folder), "utf8");
		for (const tool of [...list.tools, ...list.userTools]) expect(text).toContain(tool.name);
	});
});

test("bread_compact is wired as its README says", async () => {
	const { createBoard } = await import("../../boards/bread_compact/board.js");
	const board = createBoard();
	expect(made.pixels.at(-1)?.options).toMatchObject({ pin: 48, length: 1 });
	expect(made.digitals.at(-1)?.options.pin).toBe(18);
	board.close();
});
