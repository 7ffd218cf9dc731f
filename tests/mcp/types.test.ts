// What the compiler promises about tools; `npm run types` fails where a line that must not compile does.

import { expect, test } from "@jest/globals";
import { type Arguments, array, boolean, integer, object, string } from "../../src/mcp/schema.js";
import { defineTool } from "../../src/mcp/tool.js";
import { defineTools } from "../../src/mcp/tool-list.js";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function isTrue<T extends true>(): T | undefined {
	return undefined;
}

const properties = {
	volume: integer({ minimum: 0, maximum: 100 }),
	theme: string({ enum: ["light", "dark"] }),
	loud: boolean({ default: false }),
	note: string({ optional: true }),
	points: array({ items: object({ properties: { x: integer(), label: string({ optional: true }) } }) }),
};

test("the type of the arguments follows from the properties", () => {
	isTrue<Equal<Arguments<typeof properties>["volume"], number>>();
	isTrue<Equal<Arguments<typeof properties>["theme"], "light" | "dark">>();
	isTrue<Equal<Arguments<typeof properties>["loud"], boolean>>();
	isTrue<Equal<Arguments<typeof properties>["note"], string | undefined>>();
	isTrue<Equal<Arguments<typeof properties>["points"], { x: number; label: string | undefined }[]>>();

	const tool = defineTool({
		name: "t",
		description: "d",
		properties,
		call({ volume, theme, points }) {
			isTrue<Equal<typeof volume, number>>();
			isTrue<Equal<typeof theme, "light" | "dark">>();
			// @ts-expect-error the theme is never "blue"
			if (theme === "blue") return false;
			return volume + points.length;
		},
	});
	expect(tool.name).toBe("t");
});

test("a tool fits only a board that has what it needs", () => {
	const needsLight = defineTool({
		name: "light",
		description: "d",
		needs: ["light"],
		call: (_args, board: { light: { on: boolean } }) => board.light.on,
	});
	const needsNothing = defineTool({ name: "none", description: "d", call: () => true });
	defineTools<{ light: { on: boolean }; more: number }>([needsLight, needsNothing]);
	defineTools<{ light: { on: boolean } | undefined }>([needsLight]);
	const trustsLight = defineTool({ name: "trusts", description: "d", call: (_args, board: { light: { on: boolean } }) => board.light.on });
	defineTools<{ light: { on: boolean } }>([trustsLight]);
	// @ts-expect-error a board that may lack its light has only tools that say that they need it
	defineTools<{ light: { on: boolean } | undefined }>([trustsLight]);
	// @ts-expect-error this board has no light
	defineTools<{ speaker: object }>([needsLight]);
	// @ts-expect-error the handler's arguments have no such member
	defineTool({ name: "x", description: "d", properties: { a: integer() }, call: ({ b }) => b });
	// @ts-expect-error needs names members of the board that call takes
	defineTool({ name: "x", description: "d", needs: ["speaker"], call: (_args, board: { light: object }) => board.light });
	expect(needsLight.members.names).toEqual([]);
});
