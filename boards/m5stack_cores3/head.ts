// The head on M5Stack's StackChan base: servo 1 turns it, servo 2 nods it. Ids, pins, rest positions and the size of a
// step are those of M5Stack's own firmware (repository m5stack/StackChan, "hal_servo.cpp", "hal_io_expander.cpp").

import { Timeout } from "base/timers";
import type { Py32Expander } from "drivers/py32-expander";
import { ScServo, ScServoBus } from "drivers/scservo";
import type { FeedbackServo } from "hardware/servo";
import Serial from "sdk/serial";
import timers from "sdk/timer";
import { PreferenceStore } from "settings/preference-store";
import { PITCH_LIMIT, YAW_LIMIT } from "./head-limits.js";

const TRANSMIT_PIN = 6;
const RECEIVE_PIN = 7;
/** The expander's pin that switches the servos' power. */
const POWER_PIN = 0;
const POWER_UP_MS = 200;
const STEPS_PER_DEGREE = 3.2;
/** How fast the head goes to its rest position at the start, in degrees per second. */
const START_SPEED = 60;
/** As long as the first servo takes at most: 128 degrees at that speed. */
const START_PAUSE_MS = 2200;
const LAST_POSITION = 1023;

/** The servos of a head; angles are 0 where it looks straight ahead. */
export interface Head {
	/** −128 (its left) to 128. */
	readonly yaw: FeedbackServo;
	/** 0 to 90 (up). */
	readonly pitch: FeedbackServo;
	/** Sends the head slowly to its rest position, one servo after the other. */
	start(): void;
	/** Takes the servos' power away as well. */
	close(): void;
}

/**
 * Powers the servos; nothing moves before `start`.
 * @throws Error when a servo does not answer, or the serial port is not available
 */
export function openHead(expander: Py32Expander): Head {
	const parts: { close(): void }[] = [];
	const close = () => {
		for (let part = parts.pop(); part; part = parts.pop()) part.close();
	};
	const open = <T extends { close(): void }>(part: T): T => {
		parts.push(part);
		return part;
	};
	// Each head is assembled a little differently; under these names M5Stack's firmware keeps what was measured for this one.
	const kept = new PreferenceStore("servo");
	const zero = (key: string, usual: number, lowest: number, highest: number) =>
		kept.integer(key, Math.ceil(-lowest * STEPS_PER_DEGREE), Math.floor(LAST_POSITION - highest * STEPS_PER_DEGREE), usual);
	try {
		expander.setOutput(POWER_PIN, true);
		parts.push({ close: () => expander.setOutput(POWER_PIN, false) });
		timers.delay(POWER_UP_MS);
		const bus = open(new ScServoBus({ io: Serial, timers, transmit: TRANSMIT_PIN, receive: RECEIVE_PIN }));
		const servo = (id: number, key: string, usual: number, minimum: number, maximum: number) =>
			open(new ScServo({ bus, timers, id, minimum, maximum, zero: zero(key, usual, minimum, maximum), stepsPerDegree: STEPS_PER_DEGREE }));
		const yaw = servo(1, "zero_pos_1", 460, -YAW_LIMIT, YAW_LIMIT);
		const pitch = servo(2, "zero_pos_2", 620, 0, PITCH_LIMIT);
		const pause = new Timeout(timers);
		parts.push({ close: () => pause.clear() });
		const start = () => {
			yaw.setAngle(0, START_SPEED);
			pause.set(START_PAUSE_MS, () => {
				if (!pitch.moving) pitch.setAngle(0, START_SPEED);
			});
		};
		return { yaw, pitch, start, close };
	} catch (error) {
		close();
		throw error;
	}
}
