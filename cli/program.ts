// What every command-line program shares: options, signals, and the way out with a reason and an exit code.

import { type ParseArgsConfig, parseArgs } from "node:util";

/** What went wrong and what to do about it, told to the person at the keyboard without a stack trace. Exit code 1. */
export class Problem extends Error {}

/** A command line that makes no sense; the usage is shown after the message. Exit code 2. */
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
		throw new UsageError((error instanceof Error ? error.message : String(error)).split(/\. |\n/, 1)[0] ?? "");
	}
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

/** Resolves with the signal's name at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function onceSignalled(): Promise<NodeJS.Signals> {
	return new Promise((resolve) => {
		let signalled = false;
		for (const signal of ["SIGINT", "SIGTERM"] as const)
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
		process.stderr.write(error instanceof UsageError ? `${reason}\n\n${help}` : `${reason}\n`);
		code = error instanceof UsageError ? 2 : 1;
	}
	process.stdout.write("", () => process.exit(code));
}
