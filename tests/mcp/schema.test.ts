import { describe, expect, jest, test } from "@jest/globals";
import { array, boolean, check, checkMembers, integer, membersOf, number, object, type Property, string, utf8Length } from "../../src/mcp/schema.js";
import { defineTool, wireText } from "../../src/mcp/tool.js";

const verdict = (property: Property, value: unknown) => check(property.rule, value, "x");

describe("check", () => {
	test("takes integers up to both ends of their range and names the range outside it", () => {
		const volume = integer({ minimum: 0, maximum: 100 });
		for (const good of [0, 50, 100, 50.0]) expect(verdict(volume, good)).toBeUndefined();
		expect(verdict(volume, -1)).toBe("x must be an integer from 0 to 100, got -1");
		expect(verdict(volume, 101)).toBe("x must be an integer from 0 to 100, got 101");
	});

	test("takes 50.0 for an integer and refuses 50.5", () => {
		expect(verdict(integer(), JSON.parse("50.0"))).toBeUndefined();
		expect(verdict(integer(), 50.5)).toBe("x must be an integer, got 50.5");
	});

	test("refuses every other type than its own, saying what came", () => {
		const properties = {
			integer: integer(),
			number: number(),
			boolean: boolean(),
			string: string(),
			array: array({ items: integer() }),
			object: object({ properties: {} }),
		};
		const values = { integer: 1, boolean: true, string: "a", array: [1], object: {}, null: null };
		for (const [kind, property] of Object.entries(properties))
			for (const [type, value] of Object.entries(values)) {
				const fits = kind === type || (kind === "number" && type === "integer");
				expect([kind, type, verdict(property, value) === undefined]).toEqual([kind, type, fits]);
			}
		expect(verdict(integer(), "5")).toBe('x must be an integer, got the string "5"');
		expect(verdict(integer(), null)).toBe("x must be an integer, got null");
		expect(verdict(integer(), [1, 2])).toBe("x must be an integer, got an array of 2");
	});

	test("refuses numbers that are not finite", () => {
		expect(verdict(number(), JSON.parse("1e999"))).toBe("x must be a number, got Infinity");
		expect(verdict(integer(), JSON.parse("-1e999"))).toBe("x must be an integer, got -Infinity");
	});

	test("counts the length of a text in code points", () => {
		const name = string({ minLength: 2, maxLength: 3 });
		for (const good of ["ab", "abc", "音量", "😀😀😀"]) expect(verdict(name, good)).toBeUndefined();
		for (const bad of ["", "a", "😀", "abcd", "😀😀😀😀"])
			expect(verdict(name, bad)).toContain("must be a string of 2 to 3 characters, got the string");
	});

	test("takes only the values of an enum", () => {
		const theme = string({ enum: ["light", "dark"] });
		expect(verdict(theme, "dark")).toBeUndefined();
		expect(verdict(theme, "Dark")).toBe('x must be one of "light", "dark", got the string "Dark"');
		expect(verdict(integer({ enum: [1, 2, 4] }), 3)).toBe("x must be one of 1, 2, 4, got 3");
	});

	test("names the element of an array that does not fit", () => {
		const list = array({ items: integer({ maximum: 9 }), minItems: 1, maxItems: 3 });
		expect(verdict(list, [1, 2])).toBeUndefined();
		expect(verdict(list, [1, 10])).toBe("x[1] must be an integer up to 9, got 10");
		expect(verdict(list, [])).toBe("x must be an array of 1 to 3 elements, got an array of 0");
		expect(verdict(list, [1, 2, 3, 4])).toContain("got an array of 4");
	});

	test("names the nested member that is missing or does not fit", () => {
		const color = object({ properties: { r: integer({ maximum: 255 }), a: number({ default: 1 }) } });
		const value = { r: 1 };
		expect(check(color.rule, value, "color")).toBeUndefined();
		expect(value).toEqual({ r: 1, a: 1 });
		expect(check(color.rule, {}, "color")).toBe("color.r is missing: expected an integer up to 255");
		expect(check(color.rule, { r: 256 }, "color")).toBe("color.r must be an integer up to 255, got 256");
	});

	test("names the pattern, the format or the only value", () => {
		expect(verdict(string({ pattern: "^#[0-9a-f]{6}$" }), "#12345G")).toBe(
			'x must be a string that matches ^#[0-9a-f]{6}$, got the string "#12345G"',
		);
		expect(verdict(string({ pattern: "^..$" }), "😀😀")).toBeUndefined();
		expect(verdict(string({ maxLength: 20, format: "time" }), "25:00:00Z")).toBe(
			'x must be a string of at most 20 characters in the format time, got the string "25:00:00Z"',
		);
		expect(verdict(string({ const: "on" }), "off")).toBe('x must be "on", got the string "off"');
		expect(verdict(integer({ const: 5 }), 5)).toBeUndefined();
		expect(verdict(string({ enum: ["a", "b"], titles: ["First", "Second"] }), "c")).toBe('x must be one of "a", "b", got the string "c"');
	});

	test.each([
		["date-time", "2026-11-21T18:00:00+01:00", "2026-11-21"],
		["date", "2026-11-21", "2026-13-01"],
		["time", "18:00:00.5Z", "18:00"],
		["email", "a@b.example", "a b@c"],
		["uri", "https://a.example/?q=1", "a.example"],
		["uuid", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b810-9dad-11d1-80b4"],
	] as const)("knows the format %s", (format, good, bad) => {
		expect(verdict(string({ format }), good)).toBeUndefined();
		expect(verdict(string({ format }), bad)).toContain(`in the format ${format}`);
	});

	test("cuts a long value in the sentence", () => {
		expect((verdict(integer(), "x".repeat(5000)) as string).length).toBeLessThan(120);
	});
});

describe("checkMembers", () => {
	const members = membersOf({ need: integer(), fall: integer({ default: 7 }), may: string({ optional: true }) });

	test("fills in defaults and leaves optional members out", () => {
		const args = { need: 1 };
		expect(checkMembers(members, args, "")).toBeUndefined();
		expect(args).toEqual({ need: 1, fall: 7 });
	});

	test("says which member is missing and what was expected", () => {
		expect(checkMembers(members, { fall: 1 }, "Argument ")).toBe("Argument need is missing: expected an integer");
	});

	test("has no member whose name every object inherits", () => {
		expect(() => membersOf({ constructor: integer() })).toThrow('"constructor" cannot be the name of a property');
		expect(() => membersOf(JSON.parse('{"__proto__":1}'))).toThrow('"__proto__" cannot be the name of a property');
	});
});

describe("a property refuses to be made", () => {
	const refused: [string, () => unknown, string][] = [
		["with a default outside its range", () => integer({ minimum: 0, maximum: 10, default: 11 }), "default must be an integer from 0 to 10, got 11"],
		["with a default of another type", () => boolean({ default: "yes" as unknown as boolean }), "default must be a boolean"],
		["with a minimum above its maximum", () => integer({ minimum: 2, maximum: 1 }), "the minimum 2 is above the maximum 1"],
		["with default and optional", () => integer({ default: 1, optional: true }), "either default or optional"],
		["with an empty enum", () => string({ enum: [] }), "enum is empty"],
		["with an enum value of another type", () => string({ enum: [1 as unknown as string] }), "enum must be"],
		["with enum and const", () => string({ enum: ["a"], const: "a" }), "either enum or const"],
		["with a const of another type", () => integer({ const: "5" as unknown as number }), "const must be"],
		["with titles that are too few", () => string({ enum: ["a", "b"], titles: ["A"] }), "titles must be as many as enum has values"],
		["with a pattern that is none", () => string({ pattern: "(" }), "regular expression"],
		["with a format it does not know", () => string({ format: "color" as "uri" }), "unknown format color, expected one of date-time"],
		["with a default against its pattern", () => string({ pattern: "^a", default: "b" }), "default must be a string that matches ^a"],
		["with a negative length", () => string({ minLength: -1 }), "an integer from 0"],
		["with an option it does not know", () => integer({ minimun: 1 } as object), "unknown option minimun"],
		["without items", () => array({} as { items: ReturnType<typeof integer> }), "items must be a property"],
		[
			"with a member that is no property",
			() => object({ properties: { a: 1 as unknown as ReturnType<typeof integer> } }),
			"property a must be made by",
		],
	];
	test.each(refused)("%s", (_title, make, message) => {
		expect(make).toThrow(message);
	});
});

test("the wire text of a property is JSON Schema", () => {
	const property = object({
		description: "色",
		properties: {
			r: integer({ minimum: 0, maximum: 255 }),
			mode: string({ enum: ["a", "b"], default: "a" }),
			list: array({ items: number(), maxItems: 3, optional: true }),
		},
	});
	const schema = {
		type: "object",
		description: "色",
		properties: {
			r: { type: "integer", minimum: 0, maximum: 255 },
			mode: { type: "string", default: "a", enum: ["a", "b"] },
			list: { type: "array", maxItems: 3, items: { type: "number" } },
		},
		required: ["r"],
	};
	expect(JSON.parse(property.json())).toEqual(schema);
	expect(JSON.parse(property.json(true))).toEqual({ ...schema, additionalProperties: false });
});

test("utf8Length counts bytes", () => {
	for (const text of ["", "abc", "äöü", "音量", "😀", "a\u0000b"]) expect(utf8Length(text)).toBe(Buffer.byteLength(text));
});

test("a tool keeps its wire text, not its words besides, and only what was given", () => {
	const tool = defineTool({
		name: "self.a",
		description: "Does",
		properties: { n: integer({ description: "How often", maximum: 3 }) },
		call: () => true,
	});
	expect(Object.keys(tool)).toEqual(["name", "foldedName", "members", "call", "hints", "body", "tail", "bodyBytes", "fullBytes"]);
	expect(Object.keys(tool.members)).toEqual(["names", "rules"]);
	expect(Object.entries(tool.members.rules[0] as object)).toEqual([
		["kind", "integer"],
		["maximum", 3],
	]);
});

test("a tool lists further keywords of JSON Schema as they are, and none that its properties decide", () => {
	const schema = { $defs: { a: { type: "string" } }, anyOf: [{ required: ["a"] }, { required: ["b"] }] };
	const make = (schema: Record<string, unknown>) =>
		defineTool({ name: "t", description: "d", properties: { a: string({ optional: true }) }, schema, call: () => true });
	const { inputSchema } = JSON.parse(wireText(make(schema), false));
	expect(inputSchema).toEqual({ type: "object", properties: { a: { type: "string" } }, required: [], ...schema, additionalProperties: false });
	for (const keyword of ["type", "properties", "required", "additionalProperties"])
		expect(() => make({ [keyword]: {} })).toThrow(`tool t: schema must not have ${keyword}, which follows from properties`);
});

test("wire text is written without JSON.stringify on objects, which throws on those in flash", () => {
	const options = { items: string({ enum: ["a", '"'] }), default: ["a" as const] };
	const property = array(options);
	const stringify = JSON.stringify;
	const spy = jest.spyOn(JSON, "stringify").mockImplementation((value) => {
		if (typeof value === "object") throw new TypeError("read only");
		return stringify(value);
	});
	const text = property.json();
	spy.mockRestore();
	expect(JSON.parse(text)).toEqual({ type: "array", default: ["a"], items: { type: "string", enum: ["a", '"'] } });
});
