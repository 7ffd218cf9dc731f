// How many cases the property-based tests generate: 2000 in all by default, FUZZ_CASES=100000 for the long run.

/** Cases for a test that takes this share (0 to 1) of the whole. */
export function cases(share: number): number {
	const all = Number(process.env.FUZZ_CASES ?? 2000);
	if (!Number.isInteger(all) || all < 1) throw new RangeError(`FUZZ_CASES must be a whole number from 1, got ${process.env.FUZZ_CASES}`);
	return Math.ceil(all * share);
}
