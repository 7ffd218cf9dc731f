// A board's parts while it is put together.

import { expect, test } from "@jest/globals";
import { Parts } from "drivers/parts";

function part(log: string[], name: string) {
	return { name, close: () => log.push(name) };
}

test("closes what was made, the newest first and once", () => {
	const log: string[] = [];
	const parts = new Parts();
	expect(parts.add(part(log, "a")).name).toBe("a");
	parts.make("b", () => part(log, "b"));
	parts.add({ level: 1 });
	parts.close();
	parts.close();
	expect(log).toEqual(["b", "a"]);
	expect(parts.missing).toEqual([]);
});

test("notes what cannot be made, with its reason, and goes on", () => {
	const parts = new Parts();
	const made = parts.make("speaker", () => {
		throw new Error("nothing answers");
	});
	expect(made).toBeUndefined();
	expect(
		parts.make("light", () => {
			throw "in use";
		}),
	).toBeUndefined();
	expect(parts.missing).toEqual([
		{ part: "speaker", reason: "nothing answers" },
		{ part: "light", reason: "in use" },
	]);
});

test("closes the others when one fails to close", () => {
	const log: string[] = [];
	const parts = new Parts();
	parts.add(part(log, "a"));
	parts.add({
		close() {
			throw new Error("gone");
		},
	});
	parts.close();
	expect(log).toEqual(["a"]);
});
