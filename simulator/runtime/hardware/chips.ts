// The chips on the simulated I2C bus: registers that can be written and read back, and what some of them mean.

import config from "mc/config";
import { onInput, show } from "simulator/panel";

/** One chip's registers. */
export interface Chip {
	readonly name: string;
	/** Bytes of one register. */
	readonly width: 1 | 2;
	/** Registers that are not 0 after power-on. */
	readonly initial: { readonly [register: number]: number };
	/** Lets a person change what the registers say. */
	onStart?(registers: Uint16Array): void;
	/** Shows what the registers mean; is told which one was written. */
	onWrite?(registers: Uint16Array, register: number): void;
}

/** By bus address, each at the one that boards wire it to. */
const CHIPS: { readonly [address: number]: Chip } = {
	// ES8311 (Everest Semiconductor, data sheet and user guide): 0xFD, 0xFE chip id; 0x32 DAC volume, 0xBF is 0 dB; 0x31 DAC mute.
	24: {
		name: "ES8311",
		width: 1,
		initial: { 253: 0x83, 254: 0x11, 255: 0 },
		onWrite(registers, register) {
			if (register === 0x31 || register === 0x32) show("codec", { volume: registers[0x32] ?? 0, muted: ((registers[0x31] ?? 0) & 0x60) !== 0 });
		},
	},
	// AXP2101 (X-Powers, data sheet): 0x00 bit 3 battery there; 0x01 bits 6 and 5 charging; 0x03 chip id; 0xA4 charge in percent.
	52: {
		name: "AXP2101",
		width: 1,
		initial: { 0: 0x08, 1: 0x40, 3: 0x4a, 164: 85 },
		onStart(registers) {
			onInput("battery", ({ level, charging }) => {
				if (typeof level === "number" && level >= 0 && level <= 100) registers[164] = Math.round(level);
				if (typeof charging === "boolean") registers[1] = charging ? 0x20 : 0x40;
			});
		},
	},
	// AW88298 (Awinic, data sheet): 0x00 chip id; 0x0C volume in the upper byte, as attenuation.
	54: {
		name: "AW88298",
		width: 2,
		initial: { 0: 0x1852 },
		onWrite(registers, register) {
			if (register === 0x0c) show("amplifier", { attenuation: (registers[0x0c] ?? 0) >> 8 });
		},
	},
	// PI4IOE5V6408 (Diodes, data sheet): the port expander of M5Stack's Echo Base.
	67: { name: "PI4IOE5V6408", width: 1, initial: {} },
	// AW9523 (Awinic, data sheet): 0x10 chip id.
	88: { name: "AW9523", width: 1, initial: { 16: 0x23 } },
	// PY32 microcontroller with the firmware of M5Stack's StackChan base: 0x02 version; 0x24 bit 6 shows the pixels, as many as
	// the lower bits say, from 0x30 on in RGB565.
	111: {
		name: "PY32",
		width: 1,
		initial: { 2: 1 },
		onWrite(registers, register) {
			const config = registers[0x24] ?? 0;
			if (register !== 0x24 || !(config & 0x40)) return;
			const pixels = Array.from({ length: config & 0x3f }, (_, index) => {
				const color = (registers[0x30 + 2 * index] ?? 0) | ((registers[0x31 + 2 * index] ?? 0) << 8);
				return [color >> 11, (color >> 5) & 63, color & 31].map((part, at) => Math.round((part * 255) / (at === 1 ? 63 : 31)));
			});
			show("light", { on: pixels.some((pixel) => pixel.some((part) => part > 0)), brightness: 100, pixels });
		},
	},
	// ES7210 (Everest Semiconductor, data sheet): 0x3D, 0x3E chip id.
	64: { name: "ES7210", width: 1, initial: { 61: 0x72, 62: 0x10 } },
};

/** A chip with its registers as they are. */
export interface Registers {
	readonly chip: Chip;
	readonly values: Uint16Array;
	/** Where the next read begins. */
	pointer: number;
}

// Made when it is needed, because a module that lives in flash cannot change what it made there.
let present: Map<number, Registers> | undefined;

/**
 * The chip at an address; undefined where nothing answers. The setting `simulatedAbsent`, a list of addresses or true for all,
 * takes chips away, to see how a board does without; true takes the motors on the serial line away as well.
 */
export function chipAt(address: number): Registers | undefined {
	const absent = config.simulatedAbsent;
	if (absent === true || (Array.isArray(absent) && absent.includes(address))) return undefined;
	present ??= new Map();
	let registers = present.get(address);
	const chip = CHIPS[address];
	if (!registers && chip) {
		registers = { chip, values: new Uint16Array(256), pointer: 0 };
		for (const [register, value] of Object.entries(chip.initial)) registers.values[Number(register)] = value;
		present.set(address, registers);
		chip.onStart?.(registers.values);
	}
	return registers;
}
