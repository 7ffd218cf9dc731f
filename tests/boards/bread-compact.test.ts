// bread_compact's pins are those of its README.

import { expect, test } from "@jest/globals";
import { createBoard } from "../../boards/bread_compact/board.js";
import { made } from "../fakes/moddable.js";

test("bread_compact is wired as its README says", () => {
	const board = createBoard();
	expect(made.pixels.at(-1)?.options).toMatchObject({ pin: 48, length: 1 });
	expect(made.digitals.filter(({ closed }) => !closed).map(({ options }) => options.pin)).toEqual([18, 0, 47, 40, 39]);
	board.close();
});
