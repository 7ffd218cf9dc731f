// What every Battery promises; simulated parts and drivers pass the same tests.

import { describe, expect, test } from "@jest/globals";
import type { Battery } from "hardware/battery";

export function batteryContract(name: string, create: () => Battery): void {
	describe(`${name} as a Battery`, () => {
		test("has a whole level from 0 to 100, and is charging or not, at every look", () => {
			const battery = create();
			for (let look = 0; look < 3; look++) {
				expect(Number.isInteger(battery.level) && battery.level >= 0 && battery.level <= 100).toBe(true);
				expect(typeof battery.charging).toBe("boolean");
			}
		});
	});
}
