// Reads an HTTP/1.1 answer piece by piece: a bounded head, then a body by its length, in chunks, or up to the end.

import { oneLine } from "../base/text.js";

/** A head longer than this is refused. */
export const MAX_HEAD_BYTES = 8192;
/** A chunk's first line, and the lines behind the last chunk, together. */
const MAX_CHUNK_LINE_BYTES = 256;

/** The head of an answer. */
export interface HttpHead {
	readonly status: number;
	readonly phrase: string;
	/** "" where there is none. */
	readonly contentType: string;
	/** Where a redirect leads; "" where there is none. */
	readonly location: string;
	/** How long the body says it is, in bytes; undefined when it comes in chunks or ends with the connection. */
	readonly length: number | undefined;
}

export interface HttpReaderOptions {
	/** Words refuse the answer. */
	onHead(head: HttpHead): string | undefined;
	/** A piece of the body; the array belongs to whoever gets it. */
	onBody(bytes: Uint8Array): void;
}

/** The headers that are looked at. */
const HEADERS: readonly string[] = Object.freeze(["content-type", "location", "content-length", "transfer-encoding"]);

type State = "head" | "length" | "end" | "chunk line" | "chunk" | "chunk end" | "trailer" | "complete";

/** Never throws on what comes; it holds no more than a head or a line. */
export class HttpReader {
	readonly #options: HttpReaderOptions;
	#state: State = "head";
	#kept = new Uint8Array(0);
	/** Bytes still to come, of the body or of the chunk. */
	#left = 0;
	#line = "";

	constructor(options: HttpReaderOptions) {
		this.#options = options;
	}

	/** Has the whole answer come? */
	get complete(): boolean {
		return this.#state === "complete";
	}

	/** Takes what came. Returns what is wrong in words, or undefined. What follows the answer is dropped. */
	take(bytes: Uint8Array): string | undefined {
		let rest = bytes;
		while (rest.byteLength > 0 && this.#state !== "complete") {
			switch (this.#state) {
				case "head": {
					const before = this.#kept.byteLength;
					const head = new Uint8Array(before + rest.byteLength);
					head.set(this.#kept);
					head.set(rest, before);
					const end = endOfHead(head, Math.max(3, before));
					const seen = end < 0 ? head : head.subarray(0, end);
					if (!startsLikeHttp(seen)) return `the server does not speak HTTP: "${oneLine(latin1(seen.subarray(0, 40)))}"`;
					if (seen.byteLength > MAX_HEAD_BYTES) return `the head of the answer is over ${MAX_HEAD_BYTES} bytes`;
					if (end < 0) {
						this.#kept = head;
						return undefined;
					}
					this.#kept = new Uint8Array(0);
					const problem = this.#takeHead(latin1(seen));
					if (problem) return problem;
					rest = head.subarray(end);
					break;
				}
				case "length":
				case "chunk": {
					const piece = rest.slice(0, Math.min(this.#left, rest.byteLength));
					rest = rest.subarray(piece.byteLength);
					this.#left -= piece.byteLength;
					this.#options.onBody(piece);
					if (this.#left === 0) this.#state = this.#state === "length" ? "complete" : "chunk end";
					break;
				}
				case "end":
					this.#options.onBody(rest.slice());
					return undefined;
				default: {
					const end = rest.indexOf(10);
					const count = end < 0 ? rest.byteLength : end + 1;
					if (this.#line.length + count > MAX_CHUNK_LINE_BYTES) return "the server broke the protocol: a line between chunks is too long";
					this.#line += latin1(rest.subarray(0, count));
					rest = rest.subarray(count);
					if (end >= 0) {
						const line = this.#line.trim();
						this.#line = "";
						const problem = this.#takeLine(line);
						if (problem) return problem;
					}
				}
			}
		}
		return undefined;
	}

	/** The connection is over. Returns what is missing in words, or undefined when that is how the answer ends. */
	end(): string | undefined {
		switch (this.#state) {
			case "end":
				this.#state = "complete";
				return undefined;
			case "complete":
				return undefined;
			case "head":
				return this.#kept.byteLength > 0 ? "the connection was lost in the head of the answer" : "the server ended the connection without an answer";
			case "length":
				return `the connection was lost, ${this.#left} bytes before the end of the answer`;
			default:
				return "the connection was lost before the end of the answer";
		}
	}

	#takeHead(text: string): string | undefined {
		const lines = text.split("\r\n");
		const first = lines[0] ?? "";
		const space = first.indexOf(" ");
		const status = Number.parseInt(first.slice(space + 1, space + 4), 10);
		if (space < 0 || !(status >= 100 && status <= 999)) return `the answer has no status: "${oneLine(first, 60)}"`;
		// An interim answer: the real one follows.
		if (status < 200) return undefined;
		// The names are a stranger's: they must never become keys of the machine.
		const values = ["", "", undefined, undefined] as [string, string, string | undefined, string | undefined];
		for (const line of lines.slice(1)) {
			const colon = line.indexOf(":");
			const at = colon > 0 ? HEADERS.indexOf(line.slice(0, colon).trim().toLowerCase()) : -1;
			if (at >= 0) values[at] = line.slice(colon + 1).trim();
		}
		const [contentType, location, given, transfer] = values;
		const coding = transfer?.toLowerCase();
		if (coding !== undefined && coding !== "chunked" && coding !== "identity") return `the transfer encoding "${oneLine(coding, 40)}" is not known`;
		const chunked = coding === "chunked";
		const length = chunked || given === undefined ? undefined : Number(given);
		if (length !== undefined && !(Number.isInteger(length) && length >= 0 && given !== ""))
			return `the content-length "${oneLine(given ?? "", 40)}" is no number`;
		const problem = this.#options.onHead({ status, phrase: first.slice(space + 4).trim(), contentType, location, length });
		if (problem) return problem;
		this.#left = length ?? 0;
		if (status === 204 || status === 304 || length === 0) this.#state = "complete";
		else this.#state = chunked ? "chunk line" : length === undefined ? "end" : "length";
		return undefined;
	}

	#takeLine(line: string): string | undefined {
		switch (this.#state) {
			case "chunk line": {
				const digits = line.split(";")[0]?.trim() ?? "";
				if (!/^[0-9a-fA-F]{1,7}$/.test(digits)) return "the server broke the protocol: a chunk without a size";
				this.#left = Number.parseInt(digits, 16);
				this.#state = this.#left === 0 ? "trailer" : "chunk";
				break;
			}
			case "chunk end":
				if (line !== "") return "the server broke the protocol: a chunk that is too long";
				this.#state = "chunk line";
				break;
			case "trailer":
				if (line === "") this.#state = "complete";
				break;
		}
		return undefined;
	}
}

/** Where the head ends: behind its empty line; −1 when that has not come. */
function endOfHead(bytes: Uint8Array, from: number): number {
	for (let i = from; i < bytes.byteLength; i++) {
		if (bytes[i] === 10 && bytes[i - 1] === 13 && bytes[i - 2] === 10 && bytes[i - 3] === 13) return i + 1;
	}
	return -1;
}

function startsLikeHttp(bytes: Uint8Array): boolean {
	const start = latin1(bytes.subarray(0, 5));
	return start === "HTTP/".slice(0, start.length);
}

function latin1(bytes: Uint8Array): string {
	let text = "";
	for (let i = 0; i < bytes.byteLength; i++) text += String.fromCharCode(bytes[i] ?? 0);
	return text;
}
