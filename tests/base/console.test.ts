// `console` of the firmware: one line a call, whatever is given.

import { expect, test } from "@jest/globals";
import { createConsole } from "base/console";

const circular: Record<string, unknown> = {};
circular.self = circular;

test.each([
	[["two", "texts"], "two texts"],
	[["n", 1, true, undefined, null, Number.NaN], "n 1 true undefined null NaN"],
	[[{ a: [1] }], '{"a":[1]}'],
	[[circular], "[object Object]"],
	[[Object.create(null)], "{}"],
	[[12n], "12"],
	[[], ""],
])("%p is one line", (parts, line) => {
	const lines: string[] = [];
	createConsole((text) => lines.push(text)).log(...parts);
	expect(lines).toEqual([line]);
});

test("an error is its stack, and every method writes", () => {
	const lines: string[] = [];
	const made = createConsole((text) => lines.push(text));
	const error = new Error("no");
	made.error(error);
	for (const write of [made.log, made.info, made.warn, made.debug]) write("x");
	expect(lines).toEqual([error.stack, "x", "x", "x", "x"]);
});
