// A light that shows what the device does until a tool drives it, on a light of WS2812 pixels.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { NeopixelLight } from "drivers/neopixel-light";
import { ERROR_AFTER_MS, LISTENING_MS, StateLight } from "drivers/state-light";
import type { Board } from "hardware/board";
import { FakeNeoPixel, made, timers } from "../fakes/moddable.js";
import { rgbLightContract } from "../hardware/rgb-light-contract.js";

const parts = (color: number) => [color >> 16, (color >> 8) & 255, color & 255];
const DARK = [0, 0, 0];

function create() {
	const light = new StateLight(new NeopixelLight({ io: FakeNeoPixel, timers, pin: 5, length: 4 }));
	const driver = made.pixels.at(-1);
	const board: Pick<Board, "onState" | "onSpeech"> = {};
	light.follow(board);
	const seen = () => driver?.shown.map(parts) ?? [];
	return { light, board, seen, color: () => seen()[3] };
}

rgbLightContract("StateLight", () => {
	const { light, board, seen } = create();
	board.onState?.("idle");
	return { light, seen };
});

describe("what it shows", () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	test("a connection on its way in amber, one that does not come in red, and dark when it stands", () => {
		const { board, color } = create();
		board.onState?.("connecting");
		jest.advanceTimersByTime(1000);
		expect(color()).toEqual([255, 100, 0]);
		jest.advanceTimersByTime(1000);
		expect(color()).toEqual(DARK);
		jest.advanceTimersByTime(ERROR_AFTER_MS - 1000);
		expect(color()).toEqual([255, 0, 0]);
		board.onState?.("idle");
		expect(color()).toEqual(DARK);
		expect(jest.getTimerCount()).toBe(0);
	});

	test("listening in green until the assistant speaks, or nothing comes; a call in blue; an upgrade in violet", () => {
		const { board, color } = create();
		board.onState?.("idle");
		board.onSpeech?.("user", "Hello");
		expect(color()).toEqual([0, 255, 60]);
		board.onSpeech?.("assistant", "Hello");
		expect(color()).toEqual(DARK);
		board.onSpeech?.("user", "Hello?");
		jest.advanceTimersByTime(LISTENING_MS);
		expect(color()).toEqual(DARK);
		board.onState?.("executing");
		expect(color()).toEqual([0, 80, 255]);
		board.onState?.("upgrading");
		jest.advanceTimersByTime(1000);
		expect(color()).toEqual([160, 0, 255]);
	});

	test("nothing while a tool drives it; the tool's colors come back, and the state when it is turned off", () => {
		const { board, light, color } = create();
		board.onState?.("connecting");
		expect(light.on).toBe(false);
		light.setAll(1, 2, 3);
		for (const state of ["idle", "executing", "connecting"]) board.onState?.(state);
		board.onSpeech?.("user", "Hello");
		jest.advanceTimersByTime(5000);
		expect([light.on, color()]).toEqual([true, [1, 2, 3]]);
		light.setPower(false);
		jest.advanceTimersByTime(1000);
		expect([light.on, color()]).toEqual([false, [255, 100, 0]]);
		light.setPower(true);
		expect(color()).toEqual([1, 2, 3]);
		light.close();
		board.onState?.("executing");
		expect(color()).toEqual(DARK);
	});
});
