// What every Servo promises; simulated parts and drivers pass the same tests.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Servo } from "hardware/servo";

/** @param position the angle that the servo's horn stands at */
export function servoContract(name: string, create: () => { servo: Servo; position(): number }): void {
	describe(`${name} as a Servo`, () => {
		beforeEach(() => {
			jest.useFakeTimers();
		});
		afterEach(() => {
			jest.useRealTimers();
		});

		test("begins within its range", () => {
			const { servo } = create();
			expect(servo.minimum).toBeLessThan(servo.maximum);
			expect(servo.angle).toBeGreaterThanOrEqual(servo.minimum);
			expect(servo.angle).toBeLessThanOrEqual(servo.maximum);
		});

		test("goes at once without a speed", () => {
			const { servo, position } = create();
			for (const angle of [servo.minimum, servo.maximum]) {
				servo.setAngle(angle);
				expect(servo.angle).toBe(angle);
				expect(position()).toBe(angle);
				servo.setAngle(servo.minimum, 0);
				expect(position()).toBe(servo.minimum);
			}
			expect(jest.getTimerCount()).toBe(0);
		});

		test("clamps to its range", () => {
			const { servo, position } = create();
			servo.setAngle(servo.maximum + 1);
			expect(position()).toBe(servo.maximum);
			servo.setAngle(servo.minimum - 1000);
			expect(position()).toBe(servo.minimum);
		});

		test("takes the time that the speed asks for", () => {
			const { servo, position } = create();
			servo.setAngle(servo.minimum);
			const way = servo.maximum - servo.minimum;
			servo.setAngle(servo.maximum, way / 2);
			expect(servo.angle).toBe(servo.maximum);
			expect(position()).toBe(servo.minimum);
			jest.advanceTimersByTime(1000);
			expect(Math.abs(position() - (servo.minimum + way / 2))).toBeLessThanOrEqual(way / 10);
			jest.advanceTimersByTime(1200);
			expect(position()).toBe(servo.maximum);
			expect(jest.getTimerCount()).toBe(0);
		});

		test("gives up an unfinished move for a later one", () => {
			const { servo, position } = create();
			servo.setAngle(servo.minimum);
			servo.setAngle(servo.maximum, 10);
			jest.advanceTimersByTime(1000);
			const turned = position();
			expect(turned).toBeGreaterThan(servo.minimum);
			servo.setAngle(servo.minimum, 10);
			jest.advanceTimersByTime(5000);
			expect(position()).toBe(servo.minimum);
			expect(jest.getTimerCount()).toBe(0);
		});

		test("stands still when it is closed, and may be closed twice", () => {
			const { servo, position } = create();
			servo.setAngle(servo.minimum);
			servo.setAngle(servo.maximum, 10);
			servo.close();
			servo.close();
			const before = position();
			jest.advanceTimersByTime(5000);
			servo.setAngle(servo.maximum);
			expect(position()).toBe(before);
			expect(jest.getTimerCount()).toBe(0);
		});
	});
}
