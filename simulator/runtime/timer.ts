// "timer": callbacks after a time, on the host's clock; directly on Node on Node's own.
import { callHost, hosted, onEvent } from "./bridge.js";

type TimerCallback = (timer: Timer) => void;

interface NodeTimers {
	setTimeout(callback: () => void, milliseconds: number): unknown;
	clearTimeout(handle: unknown): void;
}

const node = globalThis as unknown as NodeTimers;
const waiting = new Map<number, () => void>();
let lastId = 0;

function arm(milliseconds: number, callback: () => void): unknown {
	if (!hosted) return node.setTimeout(callback, milliseconds);
	const id = ++lastId;
	waiting.set(id, callback);
	callHost(["timer", id, milliseconds]);
	return id;
}

function disarm(handle: unknown): void {
	if (!hosted) node.clearTimeout(handle);
	else if (waiting.delete(handle as number)) callHost(["untimer", handle]);
}

onEvent("timer", (header) => {
	const id = header[1] as number;
	const callback = waiting.get(id);
	waiting.delete(id);
	callback?.();
});

/** A timer's handle; it has no methods, as on hardware. All times are in milliseconds. */
class Timer {
	#callback: TimerCallback | undefined;
	#repeat = 0;
	#handle: unknown;

	private constructor(callback: TimerCallback) {
		this.#callback = callback;
	}

	/** Calls back once after `interval`, and every `repeat` after that when it is not 0. */
	static set(callback: TimerCallback, interval = 0, repeat = 0): Timer {
		if (typeof callback !== "function") throw new TypeError("the callback must be a function");
		const timer = new Timer(callback);
		timer.#arm(interval, repeat);
		return timer;
	}

	/** Calls back every `interval`. */
	static repeat(callback: TimerCallback, interval: number): Timer {
		return Timer.set(callback, interval, interval);
	}

	/** Gives a living timer new times; without times it rests until it gets some. @throws Error when the timer is over */
	static schedule(timer: Timer, interval?: number, repeat = 0): void {
		if (!timer.#callback) throw new Error("the timer is over");
		disarm(timer.#handle);
		// A resting timer outlives its callback, so it must not look like a one-shot.
		if (interval === undefined) timer.#repeat = Number.POSITIVE_INFINITY;
		else timer.#arm(interval, repeat);
	}

	/** Does not block: hardware that a driver gives time is ready at once here. */
	static delay(_milliseconds: number): void {}

	/** Ends a timer; one that is over, null and undefined are fine. */
	static clear(timer: Timer | undefined | null): void {
		if (!(timer instanceof Timer) || !timer.#callback) return;
		timer.#callback = undefined;
		disarm(timer.#handle);
	}

	#arm(interval: number, repeat: number): void {
		this.#repeat = Math.trunc(repeat) || 0;
		const handle = arm(Math.max(0, Math.trunc(interval) || 0), () => this.#fire(handle));
		this.#handle = handle;
	}

	#fire(handle: unknown): void {
		try {
			this.#callback?.(this);
		} finally {
			// The callback may have cleared the timer or given it new times.
			if (this.#callback && this.#handle === handle) {
				if (this.#repeat === 0) this.#callback = undefined;
				else if (this.#repeat !== Number.POSITIVE_INFINITY) this.#arm(this.#repeat, this.#repeat);
			}
		}
	}
}

export default Timer;
