// Random text of whatever UTF-16 has, half characters too.

import fc, { type StringSharedConstraints } from "fast-check";

/** One code unit; of the planes beyond the first only parts. fast-check's own unit "binary" makes a table of all characters first. */
const unit = fc.oneof(
	{ weight: 3, arbitrary: fc.integer({ min: 0, max: 0xff }) },
	{ weight: 2, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
	{ weight: 1, arbitrary: fc.integer({ min: 0x10000, max: 0x10ffff }) },
);

export const anyText = (constraints: StringSharedConstraints = {}): fc.Arbitrary<string> =>
	fc.string({ ...constraints, unit: unit.map((code) => String.fromCodePoint(code)) });
