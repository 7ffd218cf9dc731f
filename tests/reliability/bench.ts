// A place to run a device on, with a log that knows when each line came, and with a way to let time pass.

import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type RunningDevice, runDevice } from "../../simulator/run-device.js";
import type { Seconds } from "./peer.js";

/** A line of the log, and when it came. */
export interface Entry {
	readonly line: string;
	readonly at: number;
}

/** A log that can be waited on. */
export class Journal {
	readonly entries: Entry[] = [];
	readonly #now: () => number;
	#waiting: (() => void)[] = [];

	constructor(now: () => number) {
		this.#now = now;
	}

	add(line: string): void {
		this.entries.push({ line, at: this.#now() });
		for (const wake of this.#waiting.splice(0)) wake();
	}

	/** Settles with the first line from `from` on that matches; `next` is the place behind it. */
	async find(pattern: RegExp, from = 0): Promise<{ match: RegExpExecArray; at: number; next: number }> {
		for (let i = from; ; i++) {
			while (i >= this.entries.length) await new Promise<void>((resolve) => this.#waiting.push(resolve));
			const { line, at } = this.entries[i] as Entry;
			const match = pattern.exec(line);
			if (match) return { match, at, next: i + 1 };
		}
	}
}

export interface LaunchOptions {
	readonly settings: Readonly<Record<string, string>>;
	readonly resources: Readonly<Record<string, Uint8Array>>;
}

/** Where a device runs. */
export interface Bench {
	readonly seconds: Seconds;
	readonly journal: Journal;
	launch(options: LaunchOptions): Promise<void>;
	/** Lets time pass until the promise settles. */
	until<T>(promise: Promise<T>): Promise<T>;
	/** How many failures of a connection are looked at. */
	readonly tries: number;
	/** A wait that is announced to be longer is not waited for. */
	readonly longestWaitMs: number;
	/** Settles when it is so late; while `until` lets time pass. */
	at(milliseconds: number): Promise<void>;
	close(): Promise<void>;
}

/** The simulated board, as one with a real chip, so that it can tell an image for another one. */
const BOARD = fileURLToPath(new URL("board", import.meta.url));
/** How much time passes in one go: what is on its way through sockets takes part in it between two of them. */
const STEP_MS = 100;
/** A message between two processes and back takes fewer turns of the loop. */
const TURNS = 4;
/** Nothing is waited for longer. */
const LIMIT_MS = 3_600_000;

/** The XS engine, on a clock that is moved by hand: no time limit is ever waited for. */
export class XsBench implements Bench {
	readonly tries = 3;
	readonly longestWaitMs = LIMIT_MS;
	readonly journal = new Journal(() => this.#now);
	readonly seconds: Seconds = {
		now: () => this.#now,
		each: (act) => {
			this.#acts.add(act);
			return () => this.#acts.delete(act);
		},
	};
	readonly #acts = new Set<() => void>();
	#alarms: { at: number; ring: () => void }[] = [];
	#now = 0;
	#device: RunningDevice | undefined;

	async launch({ settings, resources }: LaunchOptions): Promise<void> {
		this.#device = await runDevice({
			board: BOARD,
			engine: "xs",
			clock: "manual",
			config: settings,
			resources,
			onLog: (line) => this.journal.add(line),
		});
	}

	async until<T>(promise: Promise<T>): Promise<T> {
		let settled = false;
		const settle = () => {
			settled = true;
		};
		promise.then(settle, settle);
		while (!settled) {
			if (this.#now > LIMIT_MS) throw new Error("it never comes");
			await this.#step();
		}
		return promise;
	}

	at(milliseconds: number): Promise<void> {
		return new Promise((ring) => this.#alarms.push({ at: milliseconds, ring }));
	}

	async close(): Promise<void> {
		await this.#device?.close();
	}

	async #step(): Promise<void> {
		this.#now += STEP_MS;
		if (this.#now % 1000 === 0) for (const act of [...this.#acts]) act();
		await this.#device?.advance(STEP_MS);
		for (let i = 0; i < TURNS; i++) await turn();
		const due = this.#alarms.filter(({ at }) => at <= this.#now);
		this.#alarms = this.#alarms.filter(({ at }) => at > this.#now);
		for (const { ring } of due) ring();
	}
}
