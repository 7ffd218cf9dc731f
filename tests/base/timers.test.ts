// A time limit that can be set again and cleared.

import { beforeEach, expect, jest, test } from "@jest/globals";
import { Timeout, type Timers } from "../../src/base/timers.js";

const timers: Timers = {
	set: (callback, delay) => setTimeout(callback, delay),
	clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
beforeEach(() => {
	jest.useFakeTimers();
});

test("calls back once, after its delay", () => {
	const called = jest.fn();
	const timeout = new Timeout(timers);
	timeout.set(100, called);
	jest.advanceTimersByTime(99);
	expect([called.mock.calls.length, timeout.pending]).toEqual([0, true]);
	jest.advanceTimersByTime(1000);
	expect([called.mock.calls.length, timeout.pending]).toEqual([1, false]);
});

test("setting it again replaces the callback before", () => {
	const first = jest.fn();
	const second = jest.fn();
	const timeout = new Timeout(timers);
	timeout.set(100, first);
	timeout.set(200, second);
	jest.advanceTimersByTime(1000);
	expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
});

test("a cleared one never calls back, and may be cleared twice", () => {
	const called = jest.fn();
	const timeout = new Timeout(timers);
	timeout.set(100, called);
	timeout.clear();
	timeout.clear();
	jest.advanceTimersByTime(1000);
	expect([called.mock.calls.length, timeout.pending]).toEqual([0, false]);
});

test("can be set from within its callback", () => {
	const called = jest.fn();
	const timeout = new Timeout(timers);
	timeout.set(100, () => timeout.set(100, called));
	jest.advanceTimersByTime(200);
	expect(called).toHaveBeenCalledTimes(1);
});
