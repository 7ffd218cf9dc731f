// The wait between two attempts.

import { expect, test } from "@jest/globals";
import { Backoff } from "../../src/base/backoff.js";

const waits = (backoff: Backoff, count: number) => Array.from({ length: count }, () => backoff.next());

test("each wait is twice the one before, up to the longest", () => {
	const backoff = new Backoff({ minimumMs: 1000, maximumMs: 60_000 }, () => 0);
	expect(waits(backoff, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test("jitter makes a wait up to twice as long, and never longer than the longest", () => {
	const backoff = new Backoff({ minimumMs: 1000, maximumMs: 60_000 }, () => 1 - Number.EPSILON);
	expect(waits(backoff, 7)).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

test("after a success the next wait is a short one", () => {
	const backoff = new Backoff({ minimumMs: 1000, maximumMs: 60_000 }, () => 0);
	waits(backoff, 5);
	backoff.reset();
	expect(backoff.next()).toBe(1000);
});

test("thousands of failures leave the wait a number", () => {
	const backoff = new Backoff({ minimumMs: 1000, maximumMs: 600_000 }, () => 0);
	expect(waits(backoff, 5000).at(-1)).toBe(300_000);
});
