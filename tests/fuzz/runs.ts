// How many cases the property-based tests generate: 500 in all, 10,000 in `npm run test:slow`, or as many as the variable FUZZ_CASES says.

/** Cases for a test that takes this share (0 to 1) of the whole. */
export function cases(share: number): number {
	const all = Number(process.env.FUZZ_CASES ?? (globalThis as { fuzzCases?: number }).fuzzCases ?? 500);
	if (!Number.isInteger(all) || all < 1) throw new RangeError(`FUZZ_CASES must be a whole number from 1, got ${process.env.FUZZ_CASES}`);
	return Math.ceil(all * share);
}
