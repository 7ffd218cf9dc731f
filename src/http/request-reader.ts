// Reads HTTP/1.1 requests piece by piece: a bounded head, then a bounded body by its length or in chunks.

import { concatBytes, latin1 } from "../base/bytes.js";

/** A head longer than this is refused. */
export const MAX_REQUEST_HEAD_BYTES = 4096;
/** A chunk's first line, and the lines behind the last chunk, together. */
const MAX_CHUNK_LINE_BYTES = 256;

/** A request's head. */
export interface HttpRequest {
	readonly method: string;
	/** With the query. */
	readonly path: string;
	/** The value of a header that was asked for, by its name in lower case; several of one name are joined by commas. */
	header(name: string): string | undefined;
}

export interface RequestReaderOptions {
	/** Headers to look at, in lower case. The others are a stranger's: their names must never become keys of the machine. */
	readonly headers: readonly string[];
	readonly maxBodyBytes: number;
}

/** Whoever is told of a request. */
export interface HeadTaker {
	/** The head has come. A status refuses the request, and its body is not read. */
	onHead(request: HttpRequest): number | undefined;
}

const OWN_HEADERS = Object.freeze(["content-length", "transfer-encoding", "expect"] as const);
const EMPTY = new Uint8Array(0);

type State = "head" | "length" | "chunk line" | "chunk" | "chunk end" | "trailer" | "complete";

/** Never throws on what comes; it holds no more than a head and a body. */
export class RequestReader {
	readonly #options: RequestReaderOptions;
	readonly #taker: HeadTaker | undefined;
	#state: State = "head";
	/** What came of a head, a line or the next request. */
	#rest: Uint8Array = EMPTY;
	#request: HttpRequest | undefined;
	#body: Uint8Array = EMPTY;
	#bodyBytes = 0;
	/** Bytes still to come, of the body or of the chunk. */
	#left = 0;
	#trailerBytes = 0;
	/** Does the client wait for a word before it sends the body? */
	expectsContinue = false;

	/** @param options may be those of many readers */
	constructor(options: RequestReaderOptions, taker?: HeadTaker) {
		this.#options = options;
		this.#taker = taker;
	}

	/** Has the whole request come? */
	get complete(): boolean {
		return this.#state === "complete";
	}

	/** Has any of a request come? */
	get begun(): boolean {
		return this.#state !== "head" || this.#rest.byteLength > 0;
	}

	/** The head, once it has come. */
	get request(): HttpRequest | undefined {
		return this.#request;
	}

	/** The body of a whole request. */
	get body(): Uint8Array {
		return this.#body.subarray(0, this.#bodyBytes);
	}

	/** Forgets the request; what has come behind it is the beginning of the next one. */
	next(): void {
		this.#state = "head";
		this.#request = undefined;
		this.#body = EMPTY;
		this.#bodyBytes = 0;
		this.#trailerBytes = 0;
		this.expectsContinue = false;
	}

	/** Takes what came, nothing too. Returns the status that refuses it, or undefined. */
	take(bytes: Uint8Array): number | undefined {
		let rest = this.#rest.byteLength > 0 ? concatBytes(this.#rest, bytes) : bytes;
		while (this.#state !== "complete") {
			let taken: number | undefined;
			switch (this.#state) {
				case "head": {
					const end = endOfHead(rest);
					if ((end ?? rest.byteLength) > MAX_REQUEST_HEAD_BYTES) return 431;
					if (end !== undefined) {
						const problem = this.takeHead(latin1(rest.subarray(0, end - 4)));
						if (problem !== undefined) return problem;
					}
					taken = end;
					break;
				}
				case "length":
				case "chunk":
					taken = Math.min(this.#left, rest.byteLength) || undefined;
					if (taken !== undefined) this.takeBody(rest.subarray(0, taken));
					break;
				default: {
					const end = rest.indexOf(10);
					if ((end < 0 ? rest.byteLength : end) > MAX_CHUNK_LINE_BYTES) return 400;
					if (end >= 0) {
						const problem = this.takeLine(latin1(rest.subarray(0, end)).trim());
						if (problem !== undefined) return problem;
						taken = end + 1;
					}
				}
			}
			if (taken === undefined) break;
			rest = rest.subarray(taken);
		}
		// A copy: the rest of a segment would keep all of it.
		this.#rest = rest.byteLength > 0 ? rest.slice() : EMPTY;
		return undefined;
	}

	private takeHead(text: string): number | undefined {
		const [first = "", ...lines] = text.split("\r\n");
		const [method = "", path = "", version = "", more] = first.split(" ");
		if (!/^[A-Z]+$/.test(method) || !path.startsWith("/") || more !== undefined) return 400;
		if (version !== "HTTP/1.1") return 505;
		const names: readonly string[] = [...OWN_HEADERS, ...this.#options.headers];
		const values: (string | undefined)[] = names.map(() => undefined);
		for (const line of lines) {
			const colon = line.indexOf(":");
			const name = line.slice(0, Math.max(colon, 0));
			if (!name || name.trim() !== name) return 400;
			const at = names.indexOf(name.toLowerCase());
			if (at < 0) continue;
			const value = line.slice(colon + 1).trim();
			values[at] = values[at] === undefined ? value : `${values[at]}, ${value}`;
		}
		const [length, coding, expect] = values;
		const header = (name: string) => values[names.indexOf(name, OWN_HEADERS.length)];
		const request = { method, path, header };
		if (coding !== undefined && (length !== undefined || coding.toLowerCase() !== "chunked")) return length === undefined ? 501 : 400;
		if (length !== undefined && !/^\d{1,9}$/.test(length)) return 400;
		this.#request = request;
		const refusal = this.#taker?.onHead(request);
		if (refusal !== undefined) return refusal;
		this.#left = Number(length ?? 0);
		if (this.#left > this.#options.maxBodyBytes) return 413;
		this.#state = coding !== undefined ? "chunk line" : this.#left > 0 ? "length" : "complete";
		this.#body = this.#left > 0 ? new Uint8Array(this.#left) : EMPTY;
		this.expectsContinue = expect?.toLowerCase() === "100-continue" && this.#state !== "complete";
		return undefined;
	}

	private takeBody(piece: Uint8Array): void {
		if (this.#bodyBytes + piece.byteLength > this.#body.byteLength)
			// Chunks can be of one byte.
			this.#body = concatBytes(this.body, new Uint8Array(Math.max(piece.byteLength, this.#bodyBytes, 256)));
		this.#body.set(piece, this.#bodyBytes);
		this.#bodyBytes += piece.byteLength;
		this.#left -= piece.byteLength;
		if (this.#left === 0) this.#state = this.#state === "length" ? "complete" : "chunk end";
	}

	private takeLine(line: string): number | undefined {
		switch (this.#state) {
			case "chunk line": {
				const digits = line.split(";")[0]?.trim() ?? "";
				if (!/^[0-9a-fA-F]{1,7}$/.test(digits)) return 400;
				this.#left = Number.parseInt(digits, 16);
				if (this.#bodyBytes + this.#left > this.#options.maxBodyBytes) return 413;
				this.#state = this.#left === 0 ? "trailer" : "chunk";
				return undefined;
			}
			case "chunk end":
				this.#state = "chunk line";
				return line === "" ? undefined : 400;
			default:
				this.#trailerBytes += line.length;
				if (line === "") this.#state = "complete";
				return this.#trailerBytes > MAX_CHUNK_LINE_BYTES ? 400 : undefined;
		}
	}
}

/** Where the head ends, behind its empty line; undefined when that has not come. It looks at one byte in four. */
function endOfHead(bytes: Uint8Array): number | undefined {
	for (let i = 3; i < bytes.byteLength; ) {
		const byte = bytes[i];
		if (byte !== 10 && byte !== 13) i += 4;
		else if (byte === 10 && bytes[i - 1] === 13 && bytes[i - 2] === 10 && bytes[i - 3] === 13) return i + 1;
		else i++;
	}
	return undefined;
}
