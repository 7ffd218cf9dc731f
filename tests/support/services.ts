// A board with the services of a running firmware, for tests of tools that use them.

import type { Timers } from "base/timers";
import type { Board } from "hardware/board";
import type { Device } from "hardware/device";
import { BootLog } from "system/boot-log";
import { FirmwareTrial } from "system/firmware-trial";
import { createServices } from "system/services";
import Timer from "timer";

/** A record of starts, with the trial that belongs to it. */
export function openBootLog(system: Board["system"], timers: Timers = Timer, log: (line: string) => void = () => {}) {
	const trial = new FirmwareTrial({ system, timers, log });
	return { trial, bootLog: new BootLog({ system, trial, timers, log }) };
}

/** The board itself, with services that have neither a set-up page nor an upgrade. */
export function withServices<B extends Board>(board: B, bootLog: BootLog = openBootLog(board.system).bootLog): B & Device {
	const absent = () => {
		throw new Error("not in this test");
	};
	return Object.assign(board, { services: createServices({ board, bootLog, timers: Timer, openSetup: absent, upgrade: absent }) });
}
