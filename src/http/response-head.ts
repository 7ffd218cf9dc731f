// Reads the head of an HTTP/1.1 response piece by piece, within a limit.

import { concatBytes, latin1 } from "../base/bytes.js";
import { oneLine } from "../base/text.js";

/** The head of a response. */
export interface ResponseHead {
	readonly status: number;
	/** "" where there is none. */
	readonly phrase: string;
	/** The values of the headers asked for, in that order; undefined where there is none, several of one name joined by commas. */
	readonly values: readonly (string | undefined)[];
	/** What came after the head. */
	readonly rest: Uint8Array;
}

export interface HeadReaderOptions {
	/** Headers to look at, in lower case. The others are a stranger's: their names must never become keys of the machine. */
	readonly names: readonly string[];
	/** The longest head, in bytes. */
	readonly maxBytes: number;
	/** What is wrong with a longer one, in words. */
	readonly tooLong: string;
}

/** Holds no more than the head. */
export class HeadReader {
	readonly #options: HeadReaderOptions;
	#bytes: Uint8Array = new Uint8Array(0);

	constructor(options: HeadReaderOptions) {
		this.#options = options;
	}

	/** Has any of the head come? */
	get begun(): boolean {
		return this.#bytes.byteLength > 0;
	}

	/** Takes what came. Returns the head when all of it is there, undefined until then, or what is wrong in words. It never throws. */
	take(piece: Uint8Array): ResponseHead | string | undefined {
		const before = this.#bytes.byteLength;
		const bytes = concatBytes(this.#bytes, piece);
		const end = endOfHead(bytes, Math.max(3, before));
		const head = end < 0 ? bytes : bytes.subarray(0, end);
		const start = latin1(head.subarray(0, 5));
		if (start !== "HTTP/".slice(0, start.length)) return `the server does not speak HTTP: "${oneLine(latin1(head.subarray(0, 40)))}"`;
		if (head.byteLength > this.#options.maxBytes) return this.#options.tooLong;
		this.#bytes = end < 0 ? bytes : new Uint8Array(0);
		return end < 0 ? undefined : parseHead(latin1(head), this.#options.names, bytes.subarray(end));
	}
}

function parseHead(text: string, names: readonly string[], rest: Uint8Array): ResponseHead | string {
	let end = text.indexOf("\r\n");
	const first = text.slice(0, end);
	const space = first.indexOf(" ");
	const status = Number.parseInt(first.slice(space + 1, space + 4), 10);
	if (space < 0 || !(status >= 100 && status <= 999)) return `the answer has no status: "${oneLine(first, 60)}"`;
	const values: (string | undefined)[] = names.map(() => undefined);
	// Line by line: a head of nothing but short lines would become as many strings as it has lines.
	for (let start = end + 2; start < text.length; start = end + 2) {
		end = text.indexOf("\r\n", start);
		if (end < 0) break;
		const line = text.slice(start, end);
		const colon = line.indexOf(":");
		const at = colon > 0 ? names.indexOf(line.slice(0, colon).trim().toLowerCase()) : -1;
		if (at < 0) continue;
		const value = line.slice(colon + 1).trim();
		values[at] = values[at] === undefined ? value : `${values[at]}, ${value}`;
	}
	return { status, phrase: first.slice(space + 4).trim(), values, rest };
}

/** Where the head ends: after its empty line; −1 when that has not come. */
function endOfHead(bytes: Uint8Array, from: number): number {
	for (let i = from; i < bytes.byteLength; i++)
		if (bytes[i] === 10 && bytes[i - 1] === 13 && bytes[i - 2] === 10 && bytes[i - 3] === 13) return i + 1;
	return -1;
}
