// The driver for a hobby servo on a fake of Moddable's servo module.

import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { PinServo } from "drivers/pin-servo";
import { timers } from "../fakes/moddable.js";
import { FakeServo, pulses, servos, trail } from "../fakes/servo.js";
import { servoContract } from "../hardware/servo-contract.js";

const PIN = 21;

servoContract("PinServo", () => {
	for (const servo of servos) servo.close();
	const servo = new PinServo({ io: FakeServo, timers, pin: PIN, minimum: 20, maximum: 160, idleMs: 0 });
	return { servo, position: () => pulses(PIN) ?? servo.position };
});

beforeEach(() => {
	jest.useFakeTimers();
	servos.length = 0;
});
afterEach(() => {
	jest.useRealTimers();
});

test("touches no pin before the first move", () => {
	const servo = new PinServo({ io: FakeServo, timers, pin: PIN });
	expect(servos).toHaveLength(0);
	servo.setAngle(45);
	expect(servos[0]?.options).toMatchObject({ pin: PIN, min: 500, max: 2500 });
	expect(pulses(PIN)).toBe(45);
});

test("takes the servo's own pulses", () => {
	new PinServo({ io: FakeServo, timers, pin: PIN, minimumPulse: 1000, maximumPulse: 2000 }).setAngle(0);
	expect(servos[0]?.options).toMatchObject({ min: 1000, max: 2000 });
});

test.each([
	[10, 90, 100],
	[-10, 90, 80],
	[30, 170, 180],
	[-30, 10, 0],
])("adds a trim of %p to %p degrees and sends %p", (trim, angle, sent) => {
	const servo = new PinServo({ io: FakeServo, timers, pin: PIN, trim });
	servo.setAngle(angle);
	expect(pulses(PIN)).toBe(sent);
	expect(servo.angle).toBe(angle);
});

test("shows a new trim at once only while the servo gets pulses", () => {
	const servo = new PinServo({ io: FakeServo, timers, pin: PIN });
	servo.trim = 5;
	expect(servos).toHaveLength(0);
	servo.setAngle(90);
	servo.trim = -7;
	expect([servo.trim, pulses(PIN)]).toEqual([-7, 83]);
});

test("lets go of the servo when it has been idle, and takes hold of it again", () => {
	const servo = new PinServo({ io: FakeServo, timers, pin: PIN, idleMs: 300 });
	servo.setAngle(180, 90);
	jest.advanceTimersByTime(1299);
	expect([servo.attached, pulses(PIN)]).toEqual([true, 180]);
	jest.advanceTimersByTime(1);
	expect([servo.attached, pulses(PIN)]).toEqual([false, undefined]);
	expect(jest.getTimerCount()).toBe(0);
	servo.setAngle(0, 90);
	jest.advanceTimersByTime(20);
	expect(pulses(PIN)).toBeCloseTo(178.2);
});

test("goes in steps no larger than the speed allows", () => {
	const servo = new PinServo({ io: FakeServo, timers, pin: PIN, angle: 0 });
	servo.setAngle(0);
	servo.setAngle(180, 200);
	jest.advanceTimersByTime(1000);
	const angles = trail(PIN);
	for (let i = 1; i < angles.length; i++) expect(Math.abs((angles[i] as number) - (angles[i - 1] as number))).toBeLessThanOrEqual(4.0001);
	expect(angles.at(-1)).toBe(180);
});

test("ends in the last command's position when two come at once", () => {
	const servo = new PinServo({ io: FakeServo, timers, pin: PIN });
	servo.setAngle(180, 100);
	servo.setAngle(10, 100);
	jest.advanceTimersByTime(3000);
	expect(trail(PIN).at(-1)).toBe(10);
	expect(Math.max(...trail(PIN))).toBeLessThanOrEqual(90);
});

test("lets go of its pin when it is closed, and ends its timers", () => {
	const servo = new PinServo({ io: FakeServo, timers, pin: PIN });
	servo.setAngle(180, 10);
	jest.advanceTimersByTime(40);
	servo.close();
	servo.close();
	expect(servos[0]?.closed).toBe(true);
	expect(jest.getTimerCount()).toBe(0);
});

test.each([
	[{ minimumPulse: 2500, maximumPulse: 500 }],
	[{ minimumPulse: 0 }],
	[{ minimum: -10 }],
	[{ maximum: 181 }],
	[{ minimum: 90, maximum: 90 }],
])("refuses %p before it touches the pin", (options) => {
	expect(() => new PinServo({ io: FakeServo, timers, pin: PIN, ...options })).toThrow(RangeError);
	expect(servos).toHaveLength(0);
});

test("passes on that the driver has no channel left", () => {
	FakeServo.refuse = true;
	try {
		expect(() => new PinServo({ io: FakeServo, timers, pin: PIN }).setAngle(90)).toThrow("channels");
	} finally {
		FakeServo.refuse = false;
	}
	expect(jest.getTimerCount()).toBe(0);
});
