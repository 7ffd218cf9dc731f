// What every Lamp promises; simulated parts and drivers pass the same tests.

import { describe, expect, test } from "@jest/globals";
import type { Lamp } from "hardware/lamp";

/** @param create its `lit` is what an observer sees */
export function lampContract(name: string, create: () => { lamp: Lamp; lit(): boolean }): void {
	describe(`${name} as a Lamp`, () => {
		test("is dark at first", () => {
			const { lamp, lit } = create();
			expect([lamp.on, lit()]).toEqual([false, false]);
			lamp.close();
		});

		test("does the last of several commands", () => {
			const { lamp, lit } = create();
			for (const on of [true, true, false, true]) {
				lamp.setPower(on);
				expect([lamp.on, lit()]).toEqual([on, on]);
			}
			lamp.close();
		});

		test("is dark when it is closed, and may be closed twice", () => {
			const { lamp, lit } = create();
			lamp.setPower(true);
			lamp.close();
			lamp.close();
			expect([lamp.on, lit()]).toEqual([false, false]);
		});
	});
}
