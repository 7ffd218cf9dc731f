// Motors on a bus that speak Feetech's SCS protocol (SCServo, communication protocol manual): FF FF, id, length, instruction, parameters, check.

import config from "mc/config";
import { hornAt, type ServoHorn } from "./servo-horn.js";

const PING = 1;
const READ = 2;
const WRITE = 3;
const SYNC_WRITE = 0x83;
const BROADCAST = 0xfe;
/** Where the SCS series keeps the position to go to and the one that it has, in 1024 steps of 300 degrees. */
const GOAL_POSITION = 42;
const PRESENT_POSITION = 56;
const DEGREES_PER_STEP = 300 / 1024;
/** What a bus of a robot's head has: a sentence of the bus to any other id stays without an answer. */
const MAX_MOTORS = 8;

interface Motor {
	readonly memory: Uint8Array;
	readonly horn: ServoHorn;
}

/** All motors of one bus; a motor exists from the first sentence to its id on. */
export class ServoBus {
	readonly #motors = new Map<number, Motor>();
	#pending: number[] = [];

	/** Takes bytes from the wire. @returns the bytes of the answers */
	take(bytes: Iterable<number>): number[] {
		this.#pending.push(...bytes);
		const answers: number[] = [];
		for (;;) {
			while (this.#pending.length > 1 && (this.#pending[0] !== 0xff || this.#pending[1] !== 0xff)) this.#pending.shift();
			const length = this.#pending[3];
			if (length === undefined || this.#pending.length < length + 4) return answers;
			const [, , id = 0, , instruction = 0, ...rest] = this.#pending.splice(0, Math.max(6, length + 4));
			const check = rest.pop() ?? 0;
			const sum = [id, length, instruction, ...rest].reduce((total, byte) => total + byte, 0);
			if ((~sum & 255) === check) answers.push(...this.#obey(id, instruction, rest));
		}
	}

	/** The horns come to rest. */
	close(): void {
		for (const { horn } of this.#motors.values()) horn.rest();
	}

	#obey(id: number, instruction: number, parameters: number[]): number[] {
		if (instruction === SYNC_WRITE) {
			const [register = 0, count = 0, ...rest] = parameters;
			for (let at = 0; count > 0 && at + count < rest.length; at += count + 1)
				this.#write(this.#motor(rest[at] as number), register, rest.slice(at + 1, at + 1 + count));
			return [];
		}
		const motor = id === BROADCAST ? undefined : this.#motor(id);
		if (!motor) return [];
		const [register = 0, ...values] = parameters;
		if (instruction === WRITE) this.#write(motor, register, values);
		if (instruction === PING || instruction === WRITE) return answer(id, []);
		if (instruction === READ) return answer(id, [...motor.memory.subarray(register, register + (values[0] ?? 0))]);
		return [];
	}

	#motor(id: number): Motor | undefined {
		let motor = this.#motors.get(id);
		if (config.simulatedAbsent === true) return undefined;
		if (!motor && this.#motors.size < MAX_MOTORS && id < BROADCAST) {
			motor = { memory: new Uint8Array(256), horn: hornAt({ id }) };
			// In the middle of its range.
			this.#motors.set(id, motor);
			this.#write(motor, GOAL_POSITION, [2, 0]);
		}
		return motor;
	}

	#write(motor: Motor | undefined, register: number, values: number[]): void {
		if (!motor) return;
		const { memory, horn } = motor;
		values.forEach((value, at) => {
			memory[(register + at) & 255] = value;
		});
		if (register > GOAL_POSITION + 1 || register + values.length <= GOAL_POSITION) return;
		const [high = 0, low = 0] = memory.subarray(GOAL_POSITION, GOAL_POSITION + 2);
		memory[PRESENT_POSITION] = high;
		memory[PRESENT_POSITION + 1] = low;
		horn.turn(((high << 8) | low) * DEGREES_PER_STEP);
	}
}

function answer(id: number, values: number[]): number[] {
	const body = [id, values.length + 2, 0, ...values];
	return [0xff, 0xff, ...body, ~body.reduce((total, byte) => total + byte, 0) & 255];
}
