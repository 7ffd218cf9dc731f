// What an inputSchema promises and what the check does are the same thing: both judge generated values, ajv for the promise.

import { expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { array, boolean, check, integer, number, object, type Property, type Rule, string } from "../../src/mcp/schema.js";
import { anyText } from "../support/any-text.js";
import { cases } from "./runs.js";

const ajv = new Ajv2020({ strict: true, strictRequired: false, useDefaults: true });

/** The long run takes minutes. */
const LONG_MS = 1_200_000;

const small = fc.integer({ min: -20, max: 20 });
const limits = fc.option(
	fc.tuple(small, small).map(([a, b]) => ({ minimum: Math.min(a, b), maximum: Math.max(a, b) })),
	{ nil: {} },
);
const lengths = fc.option(
	fc.tuple(fc.nat(4), fc.nat(4)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
	{ nil: undefined },
);
const texts = fc.oneof(fc.string({ maxLength: 6 }), anyText({ maxLength: 6 }), fc.constantFrom("", "音", "音量", "😀", "😀😀", "\0", "a\u0301"));

const property: fc.Arbitrary<Property> = fc.letrec<{ property: Property }>((tie) => ({
	property: fc.oneof(
		{ maxDepth: 3 },
		fc.constant(boolean()),
		limits.map((options) => integer(options)),
		limits.map((options) => number(options)),
		fc.uniqueArray(small, { minLength: 1, maxLength: 4 }).map((values) => integer({ enum: values })),
		small.map((value) => integer({ const: value })),
		texts.map((value) => string({ const: value })),
		fc.constantFrom("^a", "音$", "^.{2}$", "[0-9]+", "^(a|b)*$").map((pattern) => string({ pattern })),
		fc.uniqueArray(texts, { minLength: 1, maxLength: 4 }).map((values) => string({ enum: values, titles: values.map((_, i) => `No. ${i}`) })),
		lengths.map((range) => string(range ? { minLength: range[0], maxLength: range[1] } : {})),
		fc.uniqueArray(texts, { minLength: 1, maxLength: 4 }).map((values) => string({ enum: values })),
		fc.tuple(tie("property"), lengths).map(([items, range]) => array(range ? { items, minItems: range[0], maxItems: range[1] } : { items })),
		fc
			.dictionary(fc.constantFrom("a", "b", "音", "x.y"), tie("property"), { maxKeys: 3 })
			.chain((members) => fc.constant(object({ properties: members }))),
	),
})).property;

/** Values near what the rule allows, and far from it. */
function valueFor({ kind, items, members, enum: choices }: Rule): fc.Arbitrary<unknown> {
	const near: { [kind: string]: fc.Arbitrary<unknown> } = {
		boolean: fc.boolean(),
		integer: fc.oneof(small, fc.constantFrom(0.5, -0, 1e20, 2 ** 53, 1e-9)),
		number: fc.oneof(small, fc.double({ noNaN: true, min: -30, max: 30 })),
		string: texts,
	};
	if (kind === "array") near.array = fc.array(valueFor(items as Rule), { maxLength: 5 });
	if (kind === "object" && members) {
		const shape = Object.fromEntries(members.names.map((name, i) => [name, valueFor(members.rules[i] as Rule)]));
		near.object = fc.record({ ...shape, extra: small }, { requiredKeys: [] });
	}
	const options = [near[kind] as fc.Arbitrary<unknown>, fc.jsonValue({ maxDepth: 2 })];
	return fc.oneof(
		{ weight: 8, arbitrary: choices ? fc.constantFrom<unknown>(...choices) : (options[0] as fc.Arbitrary<unknown>) },
		{ weight: 2, arbitrary: options[0] as fc.Arbitrary<unknown> },
		{ weight: 1, arbitrary: options[1] as fc.Arbitrary<unknown> },
	);
}

test(
	"the check and the schema on the wire give the same verdict",
	() => {
		let fitting = 0;
		let refused = 0;
		fc.assert(
			fc.property(
				property.chain((one) => fc.tuple(fc.constant(one), fc.array(valueFor(one.rule), { minLength: 1, maxLength: 5 }))),
				([one, values]) => {
					const validate = ajv.compile(JSON.parse(one.json()));
					for (const value of values) {
						// As it comes from a peer: through JSON, which has no undefined and no -0.
						const parsed = JSON.parse(JSON.stringify(value));
						const promised = validate(structuredClone(parsed));
						const problem = check(one.rule, parsed, "x");
						if (promised) fitting++;
						else refused++;
						expect([parsed, problem === undefined]).toEqual([parsed, promised]);
					}
				},
			),
			{ numRuns: cases(0.3) },
		);
		// Both verdicts have to be put to the test.
		expect(fitting).toBeGreaterThan(refused / 10);
		expect(refused).toBeGreaterThan(fitting / 10);
	},
	LONG_MS,
);

test(
	"defaults are filled in as the schema says",
	() => {
		const shape = fc.record({ a: fc.option(small, { nil: undefined }), b: fc.option(texts, { nil: undefined }) }, { requiredKeys: [] });
		const one = object({ properties: { a: integer({ default: 7 }), b: string({ default: "音" }), c: array({ items: integer(), default: [1, 2] }) } });
		const validate = ajv.compile(JSON.parse(one.json()));
		fc.assert(
			fc.property(shape, (value) => {
				const mine = JSON.parse(JSON.stringify(value));
				const theirs = structuredClone(mine);
				expect(validate(theirs)).toBe(true);
				expect(check(one.rule, mine, "x")).toBeUndefined();
				expect(mine).toEqual(theirs);
			}),
			{ numRuns: cases(0.05) },
		);
	},
	LONG_MS,
);
