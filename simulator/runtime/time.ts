// "time": milliseconds that only ever rise, on the host's clock.
import { callHost, hosted } from "./bridge.js";

function ticks(): number {
	return hosted ? (callHost(["ticks"]).header[1] as number) : Date.now() | 0;
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
	/** The host's clock stays as it is. */
	set(_seconds: number): void {},
};

export default Time;
