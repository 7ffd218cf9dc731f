// What the command-line programs share: options and their checks, the output, signals and the way out.

import { createHash, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { findBoard, Problem } from "../scripts/moddable.mjs";
import { createPalette, type Palette } from "./text.js";

/** A wrong option; the message is for the person at the keyboard. Exit code 2. */
export class UsageError extends Error {}

/** Ends a program with a reason and exit code 1. */
export class Failure extends Error {}

/** After a signal a program has this long to end by itself; it promises 2 s. */
export const EXIT_LIMIT_MS = 1500;

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>["values"];

/** @throws UsageError for options that are not there, values that are missing, and words that belong to nothing */
export function parseOptions<const O extends Options>(args: string[], options: O): Values<O> {
	try {
		const { values, tokens } = parseArgs({ args, options, allowPositionals: false, strict: true, tokens: true });
		const seen = new Set<string>();
		for (const token of tokens) {
			if (token.kind !== "option") continue;
			if (seen.has(token.name) && !options[token.name]?.multiple) throw new UsageError(`--${token.name} is given twice`);
			seen.add(token.name);
		}
		return values as Values<O>;
	} catch (error) {
		if (error instanceof UsageError) throw error;
		// The first sentence says what is wrong; the rest explains parseArgs to programmers.
		throw new UsageError((error instanceof Error ? error.message : String(error)).split(/\. |\n/, 1)[0] ?? "");
	}
}

/** @throws UsageError unless it is a whole number from 0 to 65535 */
export function parsePort(text: string): number {
	const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
	if (!(port <= 65535)) throw new UsageError(`--port must be a whole number from 0 to 65535, got "${text}"`);
	return port;
}

/** @throws UsageError unless it is a ws or wss URL that a device can open */
export function parseDeviceUrl(text: string | undefined, option = "--url"): string {
	if (text === undefined) throw new UsageError(`${option} is missing, for example ${option} ws://127.0.0.1:8000/xiaozhi/v1/`);
	const url = parseUrl(text, option, ["ws:", "wss:"]);
	if (url.username || url.password) throw new UsageError(`${option} must not hold a name or password; use --token`);
	return text;
}

/** Where a broker is, and who the device is there. */
export interface MqttOption {
	/** Without name and password. */
	endpoint: string;
	username: string | undefined;
	password: string | undefined;
}

/** @throws UsageError unless it looks like mqtt://user:password@host:port; name and password may be percent-encoded */
export function parseMqttUrl(text: string): MqttOption {
	const { protocol, host, username, password, pathname, search } = parseUrl(text, "--mqtt", ["mqtt:", "mqtts:"]);
	if ((pathname && pathname !== "/") || search) throw new UsageError("--mqtt has no path; the topics are --publish and --subscribe");
	try {
		const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
		return { endpoint: `${protocol}//${host}`, username: name || undefined, password: secret || undefined };
	} catch {
		throw new UsageError("--mqtt has a name or password that is not percent-encoded well");
	}
}

/** @throws UsageError unless it looks like tcp://host:port */
export function parseFramedAddress(text: string): string {
	const { protocol, host, port, username, password, pathname, search } = parseUrl(text, "--framed", ["tcp:", "tls:"]);
	if (!port || username || password || (pathname && pathname !== "/") || search)
		throw new UsageError(`--framed must look like tcp://HOST:PORT, got "${text}"`);
	return `${protocol}//${host}`;
}

/** The message never repeats what may hold a secret. */
function parseUrl(text: string, option: string, protocols: readonly string[]): URL {
	const [first, second] = protocols.map((protocol) => `${protocol}//`);
	const url = !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) ? new URL(text) : undefined;
	if (!url) throw new UsageError(`${option} is not a URL: "${hideSecrets(text)}"`);
	if (!protocols.includes(url.protocol) || !url.hostname)
		throw new UsageError(`${option} must begin with ${first} or ${second}, got "${hideSecrets(text)}"`);
	return url;
}

function hideSecrets(text: string): string {
	return text.replace(/\/\/[^/@]*@/, "//…@").replace(/\?.*/s, "?…");
}

/** @throws UsageError unless it can stand in a header */
export function parseToken(text: string): string {
	if (!/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text)) throw new UsageError("--token must be of printable ASCII characters");
	return text;
}

/**
 * Reads the certificates of a file, PEM or DER.
 * @returns DER by made-up names, as resources of the firmware
 * @throws UsageError when there are none
 */
export function readCertificates(file: string): Record<string, Uint8Array> {
	let bytes: Buffer;
	try {
		bytes = readFileSync(file);
	} catch (error) {
		throw new UsageError(`--ca cannot be read: ${(error as Error).message}`);
	}
	const blocks = bytes.toString("latin1").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [bytes];
	try {
		return Object.fromEntries(blocks.map((block, i) => [`ca-${i + 1}.der`, new Uint8Array(new X509Certificate(block).raw)]));
	} catch {
		throw new UsageError(`--ca holds no certificate in PEM or DER: "${file}"`);
	}
}

/** @throws UsageError unless it is six pairs of hexadecimal digits with colons */
export function parseMacAddress(text: string): string {
	if (!/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(text)) throw new UsageError(`--device-id must look like aa:bb:cc:dd:ee:ff, got "${text}"`);
	return text.toLowerCase();
}

/** @throws UsageError unless it is a UUID */
export function parseUuid(text: string): string {
	if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new UsageError(`--client-id must be a UUID, got "${text}"`);
	return text.toLowerCase();
}

/**
 * Takes a name in boards/, or the path of a board's folder elsewhere, from where npm was called.
 * @returns the name, or the absolute path
 * @throws UsageError when there is no board, or not all of it
 */
export function parseBoard(text: string): string {
	try {
		const { named, name, path } = findBoard(text);
		return named ? name : path;
	} catch (error) {
		throw error instanceof Problem ? new UsageError(error.message) : error;
	}
}

/** A network address for this machine, the same at every start: locally administered, so no real device has it. */
export function defaultMacAddress(machine = hostname()): string {
	const digest = createHash("sha256").update(`moddable-mcp device ${machine}`).digest();
	return ["02", ...[...digest.subarray(0, 5)].map((byte) => byte.toString(16).padStart(2, "0"))].join(":");
}

/** A UUID (version 8, RFC 9562) that belongs to a network address. */
export function uuidOf(macAddress: string): string {
	const bytes = createHash("sha256").update(`moddable-mcp client ${macAddress}`).digest().subarray(0, 16);
	bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
	bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
	return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Where a program writes; a prompt may stand on the last line meanwhile. */
export class Transcript {
	readonly palette: Palette;
	/** Is called around each line: takes a standing prompt away and brings it back. */
	around: { before(): void; after(): void } | undefined;
	readonly #stream: NodeJS.WriteStream;
	#held: string[] | undefined;

	constructor(stream: NodeJS.WriteStream = process.stdout) {
		this.#stream = stream;
		this.palette = createPalette(stream);
	}

	/** In columns; 100 where the output is no terminal. */
	get width(): number {
		return this.#stream.isTTY ? Math.max(40, this.#stream.columns || 80) : 100;
	}

	line(text = ""): void {
		if (this.#held) {
			this.#held.push(text);
			return;
		}
		this.around?.before();
		this.#stream.write(`${text}\n`);
		this.around?.after();
	}

	/** Keeps the lines that come while `work` runs, and writes them after what it resolves with. */
	async leadWith<T>(work: Promise<T>, headline: (value: T) => string): Promise<T> {
		this.#held = [];
		let first: string | undefined;
		try {
			const value = await work;
			first = headline(value);
			return value;
		} finally {
			const held = this.#held ?? [];
			this.#held = undefined;
			for (const line of first === undefined ? held : [first, ...held]) this.line(line);
		}
	}
}

/** Why a device did not start, in words for the person at the keyboard. */
export function startFailure(error: unknown, board: string): Failure {
	const reason = error instanceof Error ? error.message : String(error);
	if (!reason.includes("which the simulator does not have")) return new Failure(`the device did not start: ${reason}`);
	return new Failure(`board ${board} needs its own hardware and cannot run here; npm run flash -- ${board} puts it on a device\n${reason}`);
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

/** Runs a program and ends the process with its exit code: 1 with the reason for a failure, 2 for a wrong option. */
export async function runProgram(usage: string, program: (args: string[]) => Promise<number>): Promise<void> {
	// A reader that goes away (`npm start | head`) is no failure.
	process.stdout.on("error", () => process.exit(0));
	let code: number;
	try {
		const args = process.argv.slice(2);
		if (args.includes("--help") || args.includes("-h")) {
			process.stdout.write(usage);
			code = 0;
		} else code = await program(args);
	} catch (error) {
		if (error instanceof UsageError) {
			process.stderr.write(`${error.message}\n\n${usage}`);
			code = 2;
		} else {
			process.stderr.write(`${error instanceof Failure ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
			code = 1;
		}
	}
	process.stdout.write("", () => process.exit(code));
}
