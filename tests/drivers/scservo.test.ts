// The driver for servos on a serial bus: frames byte for byte, and whatever may come back over the wire.

import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ANSWER_LIMIT_MS, ATTEMPTS, MAX_RECEIVED_BYTES, ScServo, ScServoBus } from "drivers/scservo";
import { timers } from "../fakes/moddable.js";
import { addServos, FakeSerial, frame, ports, resetSerial } from "../fakes/serial.js";
import { servoContract } from "../hardware/servo-contract.js";

const STEPS_PER_DEGREE = 3.2;
const ZERO = 460;
/** What reading servo 1's position looks like on the wire. */
const READ_1 = [0xff, 0xff, 0x01, 0x04, 0x02, 0x38, 0x02, 0xbe];

const openBus = () => new ScServoBus({ io: FakeSerial, timers, transmit: 6, receive: 7 });
const openServo = (positions: Record<number, number>, more: object = {}) => {
	addServos(positions);
	return new ScServo({ bus: openBus(), timers, id: 1, minimum: -100, maximum: 100, zero: ZERO, stepsPerDegree: STEPS_PER_DEGREE, ...more });
};
const port = () => ports.at(-1) as FakeSerial;

beforeEach(resetSerial);

servoContract("ScServo", () => {
	resetSerial();
	const positions = { 1: ZERO };
	const servo = openServo(positions);
	return { servo, position: () => (positions[1] - ZERO) / STEPS_PER_DEGREE };
});

describe("the bus", () => {
	test("takes UART 1 at 1 Mbaud, and closes it once", () => {
		const bus = openBus();
		expect(port().options).toMatchObject({ transmit: 6, receive: 7, port: 1, baud: 1_000_000 });
		bus.close();
		bus.close();
		expect(port().closed).toBe(1);
		bus.move(1, 5);
		bus.setTorque(1, true);
		expect(() => bus.position(1)).toThrow("the servo bus is closed");
		expect(port().sent).toEqual([]);
	});

	test("writes frames byte for byte", () => {
		const bus = openBus();
		bus.move(1, 0x234, 0x5678, 0x9ab);
		bus.move(253, 1023);
		bus.setTorque(2, true);
		bus.setTorque(2, false);
		expect(port().sent).toEqual([
			[0xff, 0xff, 0xfe, 0x0b, 0x83, 0x2a, 0x06, 0x01, 0x02, 0x34, 0x56, 0x78, 0x09, 0xab, 0x8a],
			[0xff, 0xff, 0xfe, 0x0b, 0x83, 0x2a, 0x06, 0xfd, 0x03, 0xff, 0x00, 0x00, 0x00, 0x00, 0x44],
			[0xff, 0xff, 0xfe, 0x06, 0x83, 0x28, 0x01, 0x02, 0x01, 0x4c],
			[0xff, 0xff, 0xfe, 0x06, 0x83, 0x28, 0x01, 0x02, 0x00, 0x4d],
		]);
	});

	test("reads a position", () => {
		addServos({ 1: 0x1cc });
		expect(openBus().position(1)).toBe(0x1cc);
		expect(port().sent).toEqual([READ_1]);
	});

	test.each([
		["an id above 253", [254, 0]],
		["an id below 0", [-1, 0]],
		["a position above 1023", [1, 1024]],
		["a position below 0", [1, -1]],
		["a broken position", [1, 0.5]],
		["no position", [1, Number.NaN]],
		["a time that is too long", [1, 0, 65_536]],
		["a speed below 0", [1, 0, 0, -1]],
	])("refuses %s before a byte goes out", (_, [id, position, time, speed]) => {
		const bus = openBus();
		expect(() => bus.move(id as number, position as number, time, speed)).toThrow(/must be a whole number from 0 to/);
		expect(port().sent).toEqual([]);
	});

	test("refuses an id for the other sentences as well", () => {
		const bus = openBus();
		expect(() => bus.position(254)).toThrow("a servo id must be a whole number from 0 to 253, got 254");
		expect(() => bus.setTorque(300, true)).toThrow(RangeError);
		expect(port().sent).toEqual([]);
	});
});

describe("an answer", () => {
	const answer = frame(1, 0, 1, 2);
	const wrongCheck = [...answer.slice(0, -1), (answer.at(-1) as number) ^ 1];

	test.each<[string, number[][]]>([
		["after the echo of the request", [[...READ_1, ...answer]]],
		["after an echo in pieces", [READ_1.slice(0, 3), READ_1.slice(3), answer]],
		["byte by byte", answer.map((byte) => [byte])],
		["after noise", [[0, 0xff, 7, 0xff, 0xff, 0xff, ...answer]]],
		["after the answer of another servo", [[...frame(2, 0, 3, 4), ...answer]]],
		["after the acknowledgement of a write", [[...frame(1, 0), ...answer]]],
		["after one with a wrong check", [[...wrongCheck, ...answer]]],
		["after an unfinished one", [[...answer.slice(0, 5), ...answer]]],
		["late, but in time", [...new Array(ANSWER_LIMIT_MS - 1).fill([]), answer]],
		["with bytes behind it", [[...answer, 1, 2, 3]]],
		["with an error of the servo, such as a low voltage", [frame(1, 1, 1, 2)]],
	])("is understood %s", (_, pieces) => {
		FakeSerial.reply = () => pieces;
		expect(openBus().position(1)).toBe(0x102);
		expect(port().sent).toHaveLength(1);
	});

	test.each<[string, number[][]]>([
		["silence", []],
		["only the echo", [READ_1]],
		["a wrong check", [wrongCheck]],
		["another servo", [frame(2, 0, 1, 2)]],
		["too few values", [frame(1, 0, 1)]],
		["too many values", [frame(1, 0, 1, 2, 3)]],
		["a position that no servo has", [frame(1, 0, 4, 0)]],
		["half an answer", [answer.slice(0, 6)]],
		["a length that never comes", [[0xff, 0xff, 1, 255, 0, 1, 2, 3]]],
		["one that is too late", [...new Array(ANSWER_LIMIT_MS).fill([]), answer]],
		["only header bytes", [new Array(100).fill(0xff)]],
	])("is missing with %s, and it is asked again a few times", (_, pieces) => {
		FakeSerial.reply = () => pieces;
		const bus = openBus();
		const delay = jest.spyOn(port(), "read");
		// What is left of one attempt must not be taken for the next one's.
		port().incoming.length = 0;
		expect(() => bus.position(1)).toThrow("servo 1 does not answer");
		expect(port().sent).toEqual(new Array(ATTEMPTS).fill(READ_1));
		expect(delay.mock.calls.length).toBeLessThanOrEqual(ATTEMPTS * (ANSWER_LIMIT_MS + MAX_RECEIVED_BYTES + 2));
	});

	test("is not waited for without end while noise keeps coming", () => {
		const bus = openBus();
		port().read = () => {
			port().reads++;
			return Uint8Array.of(0xff).buffer;
		};
		expect(() => bus.position(1)).toThrow("does not answer");
		expect(port().reads).toBeLessThanOrEqual(ATTEMPTS * (ANSWER_LIMIT_MS + MAX_RECEIVED_BYTES + 2));
	});

	test("of random bytes is a position in range or none", () => {
		let seed = 7;
		const random = (below: number) => {
			seed = (seed * 1103515245 + 12345) % 2147483648;
			return Math.floor((seed / 2147483648) * below);
		};
		const bus = openBus();
		for (let round = 0; round < 500; round++) {
			const bytes = [...answer];
			for (let change = random(4); change >= 0; change--) bytes.splice(random(bytes.length), random(2), random(3) ? 0xff : random(256));
			FakeSerial.reply = () => [bytes];
			try {
				expect(bus.position(1)).toBeLessThanOrEqual(1023);
			} catch (error) {
				expect((error as Error).message).toBe("servo 1 does not answer");
			}
		}
	});

	test("that nobody waits for is forgotten", () => {
		const bus = openBus();
		port().incoming.push(frame(1, 0, 3, 3));
		port().options.onReadable(8);
		expect(port().incoming).toEqual([]);
		port().incoming.push(frame(1, 0, 3, 3));
		addServos({ 1: 5 });
		expect(bus.position(1)).toBe(5);
		bus.close();
		port().options.onReadable(8);
	});
});

describe("a servo on the bus", () => {
	beforeEach(() => {
		jest.useFakeTimers();
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	test("begins where it stands, and moves nothing", () => {
		const servo = openServo({ 1: ZERO + 32 });
		expect([servo.angle, servo.position, servo.readAngle(), servo.moving]).toEqual([10, 10, 10, false]);
		expect(port().sent).toEqual([READ_1, READ_1]);
	});

	test("comes back slowly from outside of its range", () => {
		const positions = { 1: ZERO + 352 };
		const servo = openServo(positions);
		expect([servo.angle, servo.position]).toEqual([100, 110]);
		servo.setAngle(100, 10);
		jest.advanceTimersByTime(500);
		expect(servo.readAngle()).toBeCloseTo(105, 0);
		jest.advanceTimersByTime(1000);
		expect(servo.readAngle()).toBe(100);
	});

	test("is not there when it is silent", () => {
		expect(() => openServo({ 2: 0 })).toThrow("servo 1 does not answer");
	});

	test.each([
		["below the first position", { zero: 100 }],
		["above the last position", { zero: 800 }],
		["empty", { minimum: 5, maximum: 5 }],
	])("refuses a range that is %s", (_, more) => {
		expect(() => openServo({ 1: 0 }, more)).toThrow(RangeError);
	});

	test("moves in steps of 20 ms, never faster than asked for", () => {
		const servo = openServo({ 1: ZERO });
		servo.setAngle(50, 100);
		port().sent.length = 0;
		jest.advanceTimersByTime(1000);
		const positions = port().sent.map((bytes) => ((bytes[8] as number) << 8) | (bytes[9] as number));
		expect(positions).toHaveLength(25);
		positions.reduce((before, position) => {
			expect(position - before).toBeLessThanOrEqual(Math.ceil(2 * STEPS_PER_DEGREE));
			return position;
		}, ZERO);
		expect(positions.at(-1)).toBe(ZERO + 160);
		expect(port().sent[0]).toEqual(frame(0xfe, 0x83, 42, 6, 1, (ZERO + 6) >> 8, (ZERO + 6) & 255, 0, 20, 0, 0));
	});

	test("stops at once where it is", () => {
		const positions = { 1: ZERO };
		const servo = openServo(positions);
		servo.setAngle(100, 100);
		jest.advanceTimersByTime(210);
		const stood = positions[1];
		servo.stop();
		expect([servo.moving, servo.angle, servo.readAngle()]).toEqual([false, 20, 20]);
		jest.advanceTimersByTime(5000);
		expect(positions[1]).toBe(stood);
	});

	test("ends where the last of two commands sends it", () => {
		const positions = { 1: ZERO };
		const servo = openServo(positions);
		servo.setAngle(100, 400);
		servo.setAngle(-50, 400);
		jest.advanceTimersByTime(5000);
		expect([positions[1], jest.getTimerCount()]).toEqual([ZERO - 160, 0]);
	});

	test("lets go when it is closed, and goes on without an exception when the port has no room", () => {
		const servo = openServo({ 1: ZERO });
		FakeSerial.full = true;
		servo.setAngle(20, 100);
		jest.advanceTimersByTime(100);
		FakeSerial.full = false;
		servo.close();
		servo.close();
		expect(port().sent.at(-1)).toEqual(frame(0xfe, 0x83, 40, 1, 1, 0));
		expect(port().sent).toHaveLength(2);
	});
});
