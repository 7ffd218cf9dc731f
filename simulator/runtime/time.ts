// "time": milliseconds that only ever rise, on the host's clock, and the time of day, which is the device's own.
import { callHost, hosted } from "./bridge.js";
import config from "./mc-config.js";

const HostDate = Date;
/** From the host's time of day to the device's, in milliseconds. */
let offset = 0;

/** The device's time of day, where the machine has one of its own. */
class DeviceDate extends HostDate {
	constructor(...values: [] | [number]) {
		if (values.length === 0) super(DeviceDate.now());
		else super(...values);
	}

	static override now(): number {
		return HostDate.now() + offset;
	}
}

if (hosted) {
	if (typeof config.simulatedTime === "number") offset = config.simulatedTime - HostDate.now();
	globalThis.Date = DeviceDate as DateConstructor;
}

function ticks(): number {
	return hosted ? (callHost(["ticks"]).header[1] as number) : HostDate.now() | 0;
}

const Time = {
	timezone: 0,
	dst: 0,
	get ticks(): number {
		return ticks();
	},
	/** Milliseconds from `start` to `end`, both taken from `ticks`; it survives their overflow. */
	delta(start: number, end: number = ticks()): number {
		return (end - start) | 0;
	},
	/** Sets the device's clock, in seconds since 1970; the host's stays as it is. */
	set(seconds: number): void {
		offset = seconds * 1000 - HostDate.now();
	},
};

export default Time;
