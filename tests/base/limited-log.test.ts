// The limit of a peer's lines in the log.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { LOG_WINDOW_MS, limitLog, MAX_LINES } from "base/limited-log";

describe("limitLog", () => {
	const timers = {
		set: (callback: () => void, delay: number) => setTimeout(callback, delay),
		clear: (timer: unknown) => clearTimeout(timer as never),
	};
	let lines: string[];
	let log: (line: string) => void;

	beforeEach(() => {
		jest.useFakeTimers();
		lines = [];
		log = limitLog((line) => lines.push(line), timers, "endpoint");
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	test("lets the first lines of a minute through and counts the rest in one", () => {
		for (let i = 0; i < 20_000; i++) log(`endpoint: ${i}`);
		expect(lines).toHaveLength(MAX_LINES);
		jest.advanceTimersByTime(LOG_WINDOW_MS);
		expect(lines.slice(MAX_LINES)).toEqual([`endpoint: ${20_000 - MAX_LINES} more messages within a minute`]);
	});

	test("begins anew after each minute, and needs no timer while it drops nothing", () => {
		for (let i = 0; i < MAX_LINES; i++) log("a");
		expect(jest.getTimerCount()).toBe(0);
		jest.advanceTimersByTime(LOG_WINDOW_MS);
		for (let i = 0; i < MAX_LINES; i++) log("b");
		expect(lines).toHaveLength(2 * MAX_LINES);
		log("c");
		expect(lines).toHaveLength(2 * MAX_LINES);
		jest.advanceTimersByTime(LOG_WINDOW_MS);
		expect(lines.at(-1)).toBe("endpoint: 1 more message within a minute");
	});

	test("counts the lines of a stack", () => {
		for (let i = 0; i < MAX_LINES; i++) log("Error\n\tat a\n\tat b\n\tat c");
		expect(lines).toHaveLength(MAX_LINES / 4);
	});

	test("still counts when the clock is set while it drops", () => {
		for (let i = 0; i <= MAX_LINES; i++) log("a");
		jest.setSystemTime(Date.now() + 1e12);
		for (let i = 0; i < 100; i++) log("a");
		expect(lines).toHaveLength(MAX_LINES);
	});
});
