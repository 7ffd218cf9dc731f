// Every folder in boards/ passes the board suite on Node; boards.xs.slow.test.ts runs it on the XS engine.

import { readdirSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { made } from "../fakes/moddable.js";
import { boardSuite } from "./board-suite.js";

const names = readdirSync(new URL("../../boards/", import.meta.url), { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

for (const name of names) boardSuite(name, "node");

test("bread_compact is wired as its README says", async () => {
	const { createBoard } = await import("../../boards/bread_compact/board.js");
	const board = createBoard();
	expect(made.pixels.at(-1)?.options).toMatchObject({ pin: 48, length: 1 });
	expect(made.digitals.filter(({ closed }) => !closed).map(({ options }) => options.pin)).toEqual([18, 0, 47, 40, 39]);
	board.close();
});
