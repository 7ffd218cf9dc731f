// What every command-line program shares: options, signals, and the way out with a reason and an exit code.

import { type ParseArgsConfig, parseArgs } from "node:util";

/** What went wrong and what to do about it, told to the person at the keyboard without a stack trace. Exit code 1. */
export class Problem extends Error {}

/** A command line that makes no sense. Exit code 2. */
export class UsageError extends Problem {}

/** How long a program may take to end after a signal, in milliseconds; 2 s are promised. */
export const EXIT_LIMIT_MS = 1500;

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>["values"];

/**
 * Splits a command line into options and the words between them.
 * @throws UsageError for unknown options, options given twice, and missing values
 */
export function parseCommandLine<const O extends Options>(args: string[], options: O): { values: Values<O>; words: string[] } {
	refuseOptionsOfNpm(args, options);
	try {
		const { values, positionals, tokens } = parseArgs({
			args: joinValues(args, options),
			options,
			allowPositionals: true,
			strict: true,
			tokens: true,
		});
		const seen = new Set<string>();
		for (const token of tokens) {
			if (token.kind !== "option") continue;
			if (seen.has(token.name) && !options[token.name]?.multiple) throw new UsageError(`--${token.name} is given twice`);
			seen.add(token.name);
		}
		return { values: values as Values<O>, words: positionals };
	} catch (error) {
		if (error instanceof UsageError) throw error;
		// The first sentence says what is wrong; the rest explains parseArgs to programmers.
		const reason = String((error as { message?: unknown }).message ?? error).split(/\. |\n/, 1)[0] ?? "";
		const unknown = /^Unknown option '--([^']*)'/.exec(reason)?.[1];
		const close = unknown === undefined ? undefined : closest(unknown, [...Object.keys(options), "help"]);
		throw new UsageError(close === undefined ? reason : `${reason}. Did you mean --${close}?`);
	}
}

/** `npm start --board x`, without the `--` between, gives the option to npm, which keeps it in the environment. */
function refuseOptionsOfNpm(args: readonly string[], options: Options, environment: NodeJS.ProcessEnv = process.env): void {
	const script = environment.npm_lifecycle_event;
	if (script === undefined) return;
	for (const [name, { type }] of Object.entries(options)) {
		const taken = environment[`npm_config_${name.replaceAll("-", "_")}`];
		if (taken === undefined || taken === "" || args.some((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`))) continue;
		const command = script === "start" ? "npm start" : `npm run ${script}`;
		// Of an option without a value behind it npm keeps "true", and the value is among the arguments.
		const value = type === "boolean" ? "" : ` ${taken === "true" ? (args[0] ?? "…") : taken}`;
		throw new UsageError(`npm took --${name} for itself. Put -- before it: ${command} -- --${name}${value}`);
	}
}

/** The one of `words` that alone begins with `word`, or is spelled almost like it; undefined when none is. */
export function closest(word: string, words: readonly string[]): string | undefined {
	const begun = word.length > 2 ? words.filter((candidate) => candidate.startsWith(word)) : [];
	if (begun.length === 1) return begun[0];
	const limit = Math.max(1, Math.floor(word.length / 3));
	const [best] = words.map((candidate) => ({ candidate, distance: distanceOf(word, candidate) })).sort((a, b) => a.distance - b.distance);
	return best && best.distance <= limit ? best.candidate : undefined;
}

/** How many characters have to be changed, added, taken out or swapped with the next (Damerau and Levenshtein). */
function distanceOf(from: string, to: string): number {
	let [older, old]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, at) => at)];
	for (let i = 1; i <= from.length; i++) {
		const row = [i];
		for (let j = 1; j <= to.length; j++) {
			const same = from[i - 1] === to[j - 1];
			const least = Math.min((old[j] as number) + 1, (row[j - 1] as number) + 1, (old[j - 1] as number) + (same ? 0 : 1));
			const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
			row.push(swapped ? Math.min(least, (older[j - 2] as number) + 1) : least);
		}
		[older, old] = [old, row];
	}
	return old[to.length] as number;
}

/** A value may begin with a dash, as one token in 64 does, unless it is an option itself. */
function joinValues(args: readonly string[], options: Options): string[] {
	const isOption = (text: string) => text === "--" || Object.keys(options).some((name) => text === `--${name}` || text.startsWith(`--${name}=`));
	const joined: string[] = [];
	for (let i = 0; i < args.length; i++) {
		const [given = "", next = ""] = [args[i], args[i + 1]];
		const takesValue = given.startsWith("--") && options[given.slice(2)]?.type === "string";
		if (takesValue && next.length > 1 && next.startsWith("-") && !isOption(next)) {
			joined.push(`${given}=${next}`);
			i++;
		} else joined.push(given);
	}
	return joined;
}

/** The same for a program that takes options only. @throws UsageError */
export function parseOptions<const O extends Options>(args: string[], options: O): Values<O> {
	const { values, words } = parseCommandLine(args, options);
	if (words.length > 0) throw new UsageError(`Unexpected argument '${words[0]}'`);
	return values;
}

/** @throws UsageError unless it is a whole number from 0 to 65535 */
export function parsePort(text: string): number {
	const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
	if (!(port <= 65535)) throw new UsageError(`--port must be a whole number from 0 to 65535, got "${text}"`);
	return port;
}

/** How often it is looked whether npm is still there. */
const NPM_LOOK_MS = 500;

/**
 * Resolves with the signal's name at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. npm hands its signals to
 * the shell between, and where that ends without a word to anybody, this counts as SIGHUP.
 */
export function onceSignalled(): Promise<NodeJS.Signals> {
	return new Promise((resolve) => {
		let signalled = false;
		const parent = process.ppid;
		if (process.env.npm_lifecycle_event !== undefined)
			setInterval(() => process.ppid !== parent && process.emit("SIGHUP", "SIGHUP"), NPM_LOOK_MS).unref();
		for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
			process.on(signal, () => {
				if (signalled) process.exit(1);
				signalled = true;
				resolve(signal);
			});
	});
}

/** Waits for `work`, but no longer than the limit; never rejects. */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, limitMs);
	});
	await Promise.race([work.catch(() => {}), limit]);
	clearTimeout(timer);
}

/** Runs a program and ends the process with its exit code: 1 with the reason for a {@link Problem}, 2 for a {@link UsageError}. */
export async function runProgram(usage: string, program: (args: string[]) => number | Promise<number>): Promise<void> {
	// A reader that goes away (`npm start | head`) is not a failure.
	process.stdout.on("error", () => process.exit(0));
	const help = `${usage.trimEnd()}\n`;
	let code: number;
	try {
		const args = process.argv.slice(2);
		if (args.includes("--help") || args.includes("-h")) {
			process.stdout.write(help);
			code = 0;
		} else code = await program(args);
	} catch (error) {
		const reason = error instanceof Problem ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
		process.stderr.write(error instanceof UsageError ? `${reason} (--help shows the usage)\n` : `${reason}\n`);
		code = error instanceof UsageError ? 2 : 1;
	}
	process.stdout.write("", () => process.exit(code));
}
