// What powers the parts of a CoreS3: the regulators of the power chip AXP2101 and the reset lines of the port expander AW9523
// (both data sheets, "Register Description"; what is wired to which line: M5Stack's schematic of the CoreS3).

import { openRegisters, type Registers } from "drivers/registers";
import SMBus from "sdk/smbus";
import timers from "sdk/timer";

const BUS_HZ = 400_000;
const AXP2101_ADDRESS = 0x34;
const AW9523_ADDRESS = 0x58;
const DISPLAY_RESET_MS = 20;

/** The internal I2C bus. */
export const BUS = Object.freeze({ io: SMBus, data: 12, clock: 11 });

/** Pairs of a register and what is written to it. */
type Writes = readonly (readonly [register: number, value: number])[];

const REGULATORS: Writes = Object.freeze([
	Object.freeze([0x90, 0xbf] as const), // all on but CPUSLDO
	Object.freeze([0x92, 13] as const), // ALDO1, the codecs: 1.8 V
	Object.freeze([0x93, 28] as const), // ALDO2, the amplifier's interface: 3.3 V
	Object.freeze([0x94, 28] as const), // ALDO3, the camera: 3.3 V
	Object.freeze([0x95, 28] as const), // ALDO4, the card: 3.3 V
	Object.freeze([0x27, 0x00] as const), // the power button: shortest times
	Object.freeze([0x69, 0x11] as const), // the charge LED shows charging
	Object.freeze([0x10, 0x30] as const),
	Object.freeze([0x30, 0x0f] as const), // measures battery and supply
]);

const LINES: Writes = Object.freeze([
	Object.freeze([0x02, 0b0000_0111] as const), // port 0: amplifier and touch out of reset, bus power on
	Object.freeze([0x03, 0b1000_0011] as const), // port 1: boost on, camera out of reset, display in reset
	Object.freeze([0x04, 0b0001_1000] as const), // directions
	Object.freeze([0x05, 0b0000_1100] as const),
	Object.freeze([0x11, 0b0001_0000] as const), // port 0 pushes and pulls
	Object.freeze([0x12, 0xff] as const), // no LED drivers
	Object.freeze([0x13, 0xff] as const),
]);
/** Port 1 with the display out of reset. */
const DISPLAY_ON = 0b1010_0011;

/**
 * Switches the regulators on.
 * @returns the power chip's registers
 * @throws Error when it does not answer
 */
export function openPower(): Registers {
	return openRegisters({ bus: BUS, address: AXP2101_ADDRESS, hz: BUS_HZ }, (registers) => writeAll(registers, REGULATORS));
}

/**
 * Lets amplifier, touch panel, camera and display start.
 * @throws Error when the expander does not answer
 */
export function openLines(): Registers {
	return openRegisters({ bus: BUS, address: AW9523_ADDRESS, hz: BUS_HZ }, (registers) => {
		writeAll(registers, LINES);
		timers.delay(DISPLAY_RESET_MS);
		registers.writeUint8(0x03, DISPLAY_ON);
	});
}

function writeAll(registers: Registers, writes: Writes): void {
	for (const [register, value] of writes) registers.writeUint8(register, value);
}
