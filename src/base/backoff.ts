// The wait between two attempts: it doubles with each failure, with jitter, so that many devices do not come back at once.

/** No wait grows by doubling more often than this. */
const MAX_DOUBLINGS = 30;

export interface BackoffLimits {
	/** The first wait is between this and twice this, in milliseconds. */
	readonly minimumMs: number;
	/** The longest wait, in milliseconds. */
	readonly maximumMs: number;
}

export class Backoff {
	private readonly limits: BackoffLimits;
	/** Only where it was given. */
	declare private readonly random: (() => number) | undefined;
	private failures = 0;

	/** @param random a number from 0 up to 1, for the jitter; `Math.random` where it is not given */
	constructor(limits: BackoffLimits, random?: () => number) {
		this.limits = limits;
		if (random) this.random = random;
	}

	/** Another attempt has failed: the wait before the next one, in whole milliseconds. */
	next(): number {
		const { minimumMs, maximumMs } = this.limits;
		const random = this.random ?? Math.random;
		const longest = Math.min(maximumMs, minimumMs * 2 ** (this.failures + 1));
		if (this.failures < MAX_DOUBLINGS) this.failures++;
		return Math.round((longest / 2) * (1 + random()));
	}

	/** An attempt has succeeded: the next wait is a short one again. */
	reset(): void {
		this.failures = 0;
	}
}
