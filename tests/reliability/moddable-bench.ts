// Moddable's simulator as a place to run a device on, with the settings in the file that its "preference" reads.

import { writeFileSync } from "node:fs";
import { runInSimulator } from "../../scripts/xsbug.mjs";
import { type Bench, Journal, type LaunchOptions } from "./bench.js";
import type { Seconds } from "./peer.js";

/** A test that takes longer has failed. */
const LIMIT_MS = 60_000;

export class ModdableBench implements Bench {
	readonly tries = 1;
	readonly longestWaitMs = 5000;
	readonly seconds: Seconds = {
		now: () => performance.now(),
		each(act) {
			const timer = setInterval(act, 1000);
			return () => clearInterval(timer);
		},
	};
	readonly journal = new Journal(this.seconds.now);
	readonly #command: readonly string[];
	readonly #store: string;
	readonly #stop = new AbortController();
	#run: Promise<unknown> | undefined;

	/**
	 * @param command the simulator and its arguments
	 * @param store the file of the settings
	 */
	constructor(command: readonly string[], store: string) {
		this.#command = command;
		this.#store = store;
	}

	async launch({ settings }: LaunchOptions): Promise<void> {
		const [simulator, ...rest] = this.#command;
		writeFileSync(this.#store, JSON.stringify({ "mcp-settings": settings }));
		this.#run = runInSimulator({
			simulator: simulator as string,
			arguments: rest,
			timeoutMs: LIMIT_MS * 2,
			signal: this.#stop.signal,
			onLine: (line) => {
				this.journal.add(line);
				return false;
			},
			onReport: (line) => this.journal.add(`simulator: ${line}`),
		});
	}

	async until<T>(promise: Promise<T>): Promise<T> {
		let timer: NodeJS.Timeout | undefined;
		const limit = new Promise<never>((_, reject) => {
			timer = setTimeout(() => reject(new Error("it never comes")), LIMIT_MS);
		});
		try {
			return await Promise.race([promise, limit]);
		} finally {
			clearTimeout(timer);
		}
	}

	at(milliseconds: number): Promise<void> {
		return new Promise((resolve) => setTimeout(resolve, milliseconds - performance.now()));
	}

	async close(): Promise<void> {
		this.#stop.abort();
		await this.#run;
	}
}
