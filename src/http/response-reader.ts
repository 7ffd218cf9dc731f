// Reads an HTTP/1.1 response piece by piece: a bounded head, then a body by its length, in chunks, or up to the end.

import { latin1 } from "../base/bytes.js";
import { oneLine } from "../base/text.js";
import { HeadReader, type ResponseHead } from "./response-head.js";

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

export interface ResponseReaderOptions {
	/** Words refuse the answer. */
	onHead(head: HttpHead): string | undefined;
	/** A piece of the body; the array belongs to whoever gets it. Words refuse the rest. */
	onBody(bytes: Uint8Array): string | undefined;
}

const HEAD = Object.freeze({
	names: Object.freeze(["content-type", "location", "content-length", "transfer-encoding"]),
	maxBytes: MAX_HEAD_BYTES,
	tooLong: `the head of the answer is over ${MAX_HEAD_BYTES} bytes`,
});

type State = "head" | "length" | "end" | "chunk line" | "chunk" | "chunk end" | "trailer" | "complete";

/** Never throws on what comes; it holds no more than a head or a line. */
export class ResponseReader {
	readonly #options: ResponseReaderOptions;
	#state: State = "head";
	readonly #head = new HeadReader(HEAD);
	/** Bytes still to come, of the body or of the chunk. */
	#left = 0;
	#line = "";

	constructor(options: ResponseReaderOptions) {
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
					const head = this.#head.take(rest);
					if (typeof head !== "object") return head;
					const problem = this.#takeHead(head);
					if (problem) return problem;
					rest = head.rest;
					break;
				}
				case "length":
				case "chunk": {
					const piece = rest.slice(0, Math.min(this.#left, rest.byteLength));
					rest = rest.subarray(piece.byteLength);
					this.#left -= piece.byteLength;
					const problem = this.#options.onBody(piece);
					if (problem) return problem;
					if (this.#left === 0) this.#state = this.#state === "length" ? "complete" : "chunk end";
					break;
				}
				case "end":
					return this.#options.onBody(rest.slice());
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
				return this.#head.begun ? "the connection was lost in the head of the answer" : "the server ended the connection without an answer";
			case "length":
				return `the connection was lost, ${this.#left} bytes before the end of the answer`;
			default:
				return "the connection was lost before the end of the answer";
		}
	}

	#takeHead({ status, phrase, values }: ResponseHead): string | undefined {
		// An interim response: the real one follows.
		if (status < 200) return undefined;
		const [contentType = "", location = "", given, transfer] = values;
		const coding = transfer?.toLowerCase();
		if (coding !== undefined && coding !== "chunked" && coding !== "identity") return `the transfer encoding "${oneLine(coding, 40)}" is not known`;
		const chunked = coding === "chunked";
		const length = chunked || given === undefined ? undefined : Number(given);
		if (length !== undefined && !(Number.isInteger(length) && length >= 0 && given !== ""))
			return `the content-length "${oneLine(given ?? "", 40)}" is no number`;
		const problem = this.#options.onHead({ status, phrase, contentType, location, length });
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
