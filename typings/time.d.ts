// Moddable's clock (modules/base/time), as far as this project uses it.

declare module "time" {
	const Time: {
		/** Sets the clock, in seconds since 1970 UTC. */
		set(seconds: number): void;
		/** Seconds east of UTC. */
		timezone: number;
		/** Seconds of daylight saving time. */
		dst: number;
		/** Milliseconds since some moment, never going back; it wraps around, so compare by `delta`. */
		readonly ticks: number;
		/** Milliseconds from `start` to `end`, two values of `ticks`; to now without `end`. */
		delta(start: number, end?: number): number;
	};
	export default Time;
}
