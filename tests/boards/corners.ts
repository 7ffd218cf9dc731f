// Arguments made from a tool's schema: the corners of its ranges, and what lies just outside them.

interface Schema {
	type?: string;
	minimum?: number;
	maximum?: number;
	minLength?: number;
	maxLength?: number;
	minItems?: number;
	maxItems?: number;
	enum?: unknown[];
	items?: Schema;
	properties?: Record<string, Schema>;
	required?: string[];
	default?: unknown;
}

export type Arguments = Record<string, unknown>;

/** The longest text that is tried where a schema has no limit. */
const LONG_TEXT = 200;

/** Values that fit at the corners, the least one first. */
function corners(schema: Schema): unknown[] {
	if (schema.enum) return schema.enum;
	switch (schema.type) {
		case "boolean":
			return [false, true];
		case "integer":
		case "number": {
			const { minimum = schema.maximum === undefined ? -1000 : schema.maximum - 1000, maximum = minimum + 2000 } = schema;
			const middle = (minimum + maximum) / 2;
			return [minimum, maximum, schema.type === "integer" ? Math.round(middle) : middle];
		}
		case "string":
			return ["x".repeat(schema.minLength ?? 0), "é".repeat(schema.maxLength ?? LONG_TEXT)];
		case "array": {
			const items = corners(schema.items ?? {});
			const fill = (count: number) => Array.from({ length: count }, (_, index) => items[index % items.length]);
			return [fill(schema.minItems ?? 0), fill(schema.maxItems ?? 4)];
		}
		case "object":
			return cornersOf(schema);
		default:
			return [null];
	}
}

/** Values that must be refused. */
function outside(schema: Schema): unknown[] {
	const wrong: unknown[] = [null, { a: 1 }, schema.type === "string" ? 7 : "seven", schema.type === "array" ? 7 : [1]];
	if (schema.type === "object") wrong[1] = true;
	if (schema.type === "integer") wrong.push(0.5);
	if (schema.minimum !== undefined) wrong.push(schema.minimum - 1);
	if (schema.maximum !== undefined) wrong.push(schema.maximum + 1);
	if (schema.minLength) wrong.push("x".repeat(schema.minLength - 1));
	if (schema.maxLength !== undefined) wrong.push("x".repeat(schema.maxLength + 1));
	if (schema.minItems) wrong.push(corners({ ...schema, maxItems: schema.minItems - 1 })[1]);
	if (schema.maxItems !== undefined) wrong.push(corners({ ...schema, maxItems: schema.maxItems + 1 })[1]);
	if (schema.enum) wrong.push(schema.type === "string" ? "no such choice" : 1e9);
	return wrong;
}

/** All least, all greatest, and each property through its corners while the others stand in the middle; without those that may be left out too. */
export function cornersOf(schema: Schema): Arguments[] {
	const members = Object.entries(schema.properties ?? {}).map(([name, property]) => [name, corners(property)] as const);
	const pick = (choose: (values: unknown[]) => unknown) => Object.fromEntries(members.map(([name, values]) => [name, choose(values)]));
	const least = pick((values) => values[0]);
	const middle = pick((values) => values.at(-1));
	const only = Object.fromEntries((schema.required ?? []).map((name) => [name, middle[name]]));
	const each = members.flatMap(([name, values]) => values.map((value) => ({ ...middle, [name]: value })));
	const all = [least, pick((values) => values[1] ?? values[0]), ...each, only];
	return [...new Map(all.map((args) => [JSON.stringify(args), args])).values()];
}

/** Each property through what it must refuse, and left out where it is required. */
export function outsideOf(schema: Schema): Arguments[] {
	const fitting = cornersOf(schema)[0] as Arguments;
	const wrong = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
		outside(property).map((value) => ({ ...fitting, [name]: value })),
	);
	const missing = (schema.required ?? []).map((name) => Object.fromEntries(Object.entries(fitting).filter(([key]) => key !== name)));
	return [...wrong, ...missing];
}
