// Serial bus servos of Feetech's SCS series, such as the SCS0009 ("Communication Protocol Manual" of the SMART servos, and the
// series' "Memory Table"): half duplex, big-endian numbers, 1024 positions.

import type { FeedbackServo } from "../hardware/servo.js";
import type { SerialConstructor, SerialPort } from "../sdk/serial.js";
import { clampInteger } from "./clamp.js";
import type { DriverTimers } from "./interval.js";
import { SteppedServo, type SteppedServoOptions } from "./stepped-servo.js";

const HEADER = 0xff;
const BROADCAST = 0xfe;
const READ = 0x02;
const SYNC_WRITE = 0x83;
const TORQUE_ENABLE = 40;
const GOAL_POSITION = 42;
const PRESENT_POSITION = 56;
const POSITION_BYTES = 2;
/** Header, id, length, error and check: what an answer has besides its values. */
const FRAME_BYTES = 6;

const MAX_ID = 253;
const MAX_POSITION = 1023;
const MAX_TIME_MS = 0xffff;
const MAX_SPEED = 0xffff;
const DEFAULT_BAUD = 1_000_000;
const DEFAULT_STEPS_PER_DEGREE = 1024 / 300;
const STEP_MS = 20;

/** A servo answers within half a millisecond; the rest allows for the clock's resolution. */
export const ANSWER_LIMIT_MS = 10;
/** How often a servo that does not answer is asked. */
export const ATTEMPTS = 3;
/** How many received bytes are examined: an echo, a late answer, the answer, and some noise. */
export const MAX_RECEIVED_BYTES = 64;

export interface ScServoBusOptions {
	/** Moddable's serial port, `sdk/serial`. */
	io: SerialConstructor;
	timers: DriverTimers;
	/** The GPIO that sends. */
	transmit: number;
	/** The GPIO that receives. */
	receive: number;
	/** The UART's number; 1 by default. */
	port?: number;
	/** Bits per second; 1,000,000 by default, the factory setting of the servos. */
	baud?: number;
}

/**
 * The bus that servos share. Whatever is written goes out as a synchronous write, to which no servo replies: replies
 * would collide with the next frame on the shared wire. Reads wait for their answer, some milliseconds at most.
 */
export class ScServoBus {
	readonly #serial: SerialPort;
	readonly #timers: DriverTimers;
	#closed = false;

	/** @throws what the serial driver throws when the pins or the port are not available */
	constructor(options: ScServoBusOptions) {
		const { io, timers, transmit, receive, port = 1, baud = DEFAULT_BAUD } = options;
		this.#timers = timers;
		// What comes while no answer is awaited is discarded.
		this.#serial = new io({ transmit, receive, port, baud, format: "buffer", onReadable: () => this.#drain() });
	}

	/**
	 * Asks for a servo's position.
	 * @param id 0 to 253
	 * @returns 0 to 1023
	 * @throws Error when it does not answer with a position, or the bus is closed; RangeError for another id
	 */
	position(id: number): number {
		check("servo id", id, MAX_ID);
		const request = frame(id, [READ, PRESENT_POSITION, POSITION_BYTES]);
		for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
			const at = this.#ask(request, id, POSITION_BYTES);
			if (at !== undefined && at <= MAX_POSITION) return at;
		}
		throw new Error(`servo ${id} does not answer`);
	}

	/**
	 * Sends a servo to a position, in a time or at a speed. It also holds that position then.
	 * @param id 0 to 253
	 * @param position 0 to 1023
	 * @param time in milliseconds; 0: as the speed says
	 * @param speed in positions per second; 0: as fast as it can
	 * @throws RangeError for other numbers; what the serial driver throws when it has no room
	 */
	move(id: number, position: number, time = 0, speed = 0): void {
		check("servo id", id, MAX_ID);
		check("servo position", position, MAX_POSITION);
		check("servo time", time, MAX_TIME_MS);
		check("servo speed", speed, MAX_SPEED);
		this.#write(id, GOAL_POSITION, [position >> 8, position & 255, time >> 8, time & 255, speed >> 8, speed & 255]);
	}

	/**
	 * Makes a servo hold its position, or go limp.
	 * @throws RangeError for an id other than 0 to 253; what the serial driver throws when it has no room
	 */
	setTorque(id: number, on: boolean): void {
		check("servo id", id, MAX_ID);
		this.#write(id, TORQUE_ENABLE, [on ? 1 : 0]);
	}

	close(): void {
		if (this.#closed) return;
		this.#closed = true;
		this.#serial.close();
	}

	#write(id: number, register: number, values: readonly number[]): void {
		if (!this.#closed) this.#serial.write(frame(BROADCAST, [SYNC_WRITE, register, values.length, id, ...values]));
	}

	/** The number of `count` bytes that the servo answers; undefined when no such answer comes in time. */
	#ask(request: Uint8Array, id: number, count: number): number | undefined {
		if (this.#closed) throw new Error("the servo bus is closed");
		this.#drain();
		this.#serial.write(request);
		const received = new Uint8Array(MAX_RECEIVED_BYTES);
		let length = 0;
		for (let waited = 0; waited < ANSWER_LIMIT_MS; ) {
			const bytes = this.#serial.read();
			if (!(bytes instanceof ArrayBuffer)) {
				this.#timers.delay(1);
				waited++;
				continue;
			}
			const room = MAX_RECEIVED_BYTES - length;
			received.set(new Uint8Array(bytes, 0, Math.min(room, bytes.byteLength)), length);
			length += Math.min(room, bytes.byteLength);
			const values = findAnswer(received.subarray(0, length), request, id, count);
			if (values) return values.reduce((number, byte) => (number << 8) | byte, 0);
			if (length === MAX_RECEIVED_BYTES) return undefined;
		}
		return undefined;
	}

	/** Discards what has been received, never more than the port's 128 bytes. */
	#drain(): void {
		if (!this.#closed) this.#serial.read();
	}
}

/** Header, id, length, body and check. */
function frame(id: number, body: readonly number[]): Uint8Array {
	const bytes = Uint8Array.of(HEADER, HEADER, id, body.length + 1, ...body, 0);
	bytes[bytes.length - 1] = checkOf(bytes, 0, bytes.length);
	return bytes;
}

/** The inverted sum of what stands between a frame's header and its last byte. */
function checkOf(bytes: Uint8Array, start: number, end: number): number {
	let sum = 0;
	for (let at = start + 2; at < end - 1; at++) sum += bytes[at] as number;
	return ~sum & 255;
}

/** The values of the first whole and right answer among noise, other answers and the echo of the request. */
function findAnswer(bytes: Uint8Array, request: Uint8Array, id: number, count: number): Uint8Array | undefined {
	const size = FRAME_BYTES + count;
	for (let start = 0; start + size <= bytes.length; start++) {
		const end = start + size;
		if (bytes[start] !== HEADER || bytes[start + 1] !== HEADER || bytes[start + 2] !== id || bytes[start + 3] !== count + 2) continue;
		if (bytes[end - 1] !== checkOf(bytes, start, end)) continue;
		// Where both directions share a wire the request comes back, and it has the shape of an answer.
		if (size === request.length && request.every((byte, at) => bytes[start + at] === byte)) continue;
		return bytes.slice(end - 1 - count, end - 1);
	}
	return undefined;
}

function check(what: string, value: number, maximum: number): void {
	if (!(Number.isInteger(value) && value >= 0 && value <= maximum))
		throw new RangeError(`a ${what} must be a whole number from 0 to ${maximum}, got ${value}`);
}

export interface ScServoOptions extends SteppedServoOptions {
	/** Closed by whoever made it, after the servos on it. */
	bus: ScServoBus;
	/** The servo's id on the bus, 0 to 253. */
	id: number;
	/** The position, 0 to 1023, that stands for 0 degrees. */
	zero: number;
	/** Positions per degree; 1024 / 300 by default. */
	stepsPerDegree?: number;
}

/** A servo on the bus. It knows its position, so that even its first move can be slow. */
export class ScServo extends SteppedServo implements FeedbackServo {
	readonly #bus: ScServoBus;
	readonly #id: number;
	readonly #zero: number;
	readonly #stepsPerDegree: number;

	/** @throws Error when the servo does not answer; RangeError for an empty range, or one that the servo has not */
	constructor(options: ScServoOptions) {
		const { bus, id, zero, minimum = 0, maximum = 180, stepsPerDegree = DEFAULT_STEPS_PER_DEGREE } = options;
		for (const angle of [minimum, maximum]) {
			const position = Math.round(zero + angle * stepsPerDegree);
			if (!(position >= 0 && position <= MAX_POSITION))
				throw new RangeError(`servo ${id} has the positions 0 to ${MAX_POSITION}, but ${angle} degrees would be ${position}`);
		}
		super({ stepMs: STEP_MS, ...options, minimum, maximum, angle: (bus.position(id) - zero) / stepsPerDegree });
		this.#bus = bus;
		this.#id = id;
		this.#zero = zero;
		this.#stepsPerDegree = stepsPerDegree;
	}

	/** @throws Error when the servo does not answer */
	readAngle(): number {
		return (this.#bus.position(this.#id) - this.#zero) / this.#stepsPerDegree;
	}

	stop(): void {
		this.setAngle(this.position);
	}

	protected override write(angle: number): void {
		try {
			this.#bus.move(this.#id, clampInteger(this.#zero + angle * this.#stepsPerDegree, 0, MAX_POSITION), STEP_MS);
		} catch {
			// Nothing would catch it on the timer. The port always has room: the frames are short and far between.
		}
	}

	/** The servo goes limp. */
	protected override release(): void {
		try {
			this.#bus.setTorque(this.#id, false);
		} catch {
			// As above; it will be without power anyway.
		}
	}
}
