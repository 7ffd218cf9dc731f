// Moddable's timers (modules/base/timer), as far as this project uses them.

declare module "timer" {
	class Timer {
		private constructor();
		private readonly brand: boolean;

		/**
		 * Calls back once after `interval`, and then each `repeat`, both in milliseconds.
		 * Without `interval` it calls as soon as the current turn is over.
		 */
		static set(callback: (timer: Timer) => void, interval?: number, repeat?: number): Timer;
		/** Calls back every `interval` milliseconds, for the first time after one. */
		static repeat(callback: (timer: Timer) => void, interval: number): Timer;
		/** Gives a timer a new interval, counted from now; without one it is paused. */
		static schedule(timer: Timer, interval?: number, repeat?: number): void;
		/** Ends a timer. Undefined is ignored; a timer that has ended by itself must not be given. */
		static clear(timer: Timer | undefined | null): void;
		/** Blocks the whole machine for some milliseconds. */
		static delay(milliseconds: number): void;
	}
	export default Timer;
}
