// Runs a command-line program as a process, as npm does, and waits for its lines.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach } from "@jest/globals";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** For a test that waits for a program. */
export const PROGRAM_LIMIT_MS = 90_000;

export interface Exit {
	/** null when a signal ended it. */
	code: number | null;
	stdout: string;
	stderr: string;
}

export class Program {
	/** Everything on stdout so far. */
	stdout = "";
	stderr = "";
	/** Resolves when the process is over and its output is read. */
	readonly exited: Promise<Exit>;
	readonly #process: ChildProcessWithoutNullStreams;
	#over = false;
	#onOutput: (() => void)[] = [];

	/** @param file from the project's folder, such as "hub/start.ts" */
	constructor(file: string, args: string[], env: Record<string, string> = {}) {
		this.#process = spawn(process.execPath, ["--import", "tsx", file, ...args], { cwd: root, env: { ...process.env, ...env } });
		for (const name of ["stdout", "stderr"] as const) {
			this.#process[name].setEncoding("utf8").on("data", (text: string) => {
				this[name] += text;
				this.#wake();
			});
		}
		this.#process.stdin.on("error", () => {});
		this.exited = new Promise((resolve) =>
			this.#process.on("close", (code) => {
				this.#over = true;
				resolve({ code, stdout: this.stdout, stderr: this.stderr });
				this.#wake();
			}),
		);
	}

	/**
	 * Waits until stdout matches, looking only at what came after `from` characters.
	 * @returns how many characters stdout has up to and with the match, to go on from
	 * @throws Error when the program ends before
	 */
	async output(pattern: RegExp, from = 0): Promise<number> {
		for (;;) {
			const match = pattern.exec(this.stdout.slice(from));
			if (match) return from + match.index + match[0].length;
			if (this.#over) throw new Error(`the program ended without ${pattern}:\n${this.stdout}\n${this.stderr}`);
			await new Promise<void>((resolve) => this.#onOutput.push(resolve));
		}
	}

	/** Settles with the next output on either stream, or the end. */
	async more(): Promise<void> {
		if (this.#over) throw new Error(`the program has ended:\n${this.stdout}\n${this.stderr}`);
		await new Promise<void>((resolve) => this.#onOutput.push(resolve));
	}

	/** Writes one line to its input. */
	type(line: string): void {
		this.#process.stdin.write(`${line}\n`);
	}

	/** Ends its input. */
	endInput(): void {
		this.#process.stdin.end();
	}

	signal(signal: NodeJS.Signals): void {
		this.#process.kill(signal);
	}

	/** Makes sure that it is gone. May be called twice. */
	async close(): Promise<void> {
		if (!this.#over) this.#process.kill("SIGTERM");
		const limit = setTimeout(() => this.#process.kill("SIGKILL"), 5000);
		await this.exited;
		clearTimeout(limit);
	}

	#wake(): void {
		for (const resolve of this.#onOutput.splice(0)) resolve();
	}
}

/**
 * Starts programs that end with the test, if not before.
 * @param file from the project's folder
 * @param env in addition to this process's own
 */
export function programStarter(file: string, env?: Record<string, string>): (...args: string[]) => Program {
	const started: Program[] = [];
	afterEach(async () => {
		for (const program of started.splice(0)) await program.close();
	}, PROGRAM_LIMIT_MS);
	return (...args) => {
		const program = new Program(file, args, env);
		started.push(program);
		return program;
	};
}
