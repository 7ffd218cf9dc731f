// The reply to one `tools/call`: its result, its failure and the progress on the way.

import { plainText, StructuredResult, ToolError, toContent } from "./content.js";
import { type Dialect, isFull, maxResultBytes } from "./dialect.js";
import { INVALID_PARAMS, idText } from "./json-rpc.js";
import type { JsonRpcWriter, Request } from "./json-rpc-writer.js";
import type { Caller } from "./running-calls.js";
import { checkMembers, describe, isObject, utf8Length } from "./schema.js";
import { clip } from "./text.js";
import type { Tool, Vision } from "./tool.js";

/** From this revision on wrong arguments are a result with `isError`, so that the model sees what is wrong. */
const BAD_ARGUMENTS_ARE_RESULTS = "2025-11-25";

/** A result of so few bytes is joined into one text. */
const SMALL_RESULT_BYTES = 8192;

export class ToolReply implements Caller {
	readonly #writer: JsonRpcWriter;
	readonly #dialect: Dialect;
	readonly #request: Request;
	readonly #tool: Tool<never>;
	readonly #progressToken: string | undefined;

	vision: Vision | undefined;

	constructor(writer: JsonRpcWriter, dialect: Dialect, request: Request, tool: Tool<never>, progressToken: unknown) {
		this.#writer = writer;
		this.#dialect = dialect;
		this.#request = request;
		this.#tool = tool;
		this.#progressToken = progressToken === undefined ? undefined : idText(progressToken);
	}

	get id(): string {
		return this.#request.id;
	}

	get outlet(): object {
		return this.#request.outlet;
	}

	get maxResultBytes(): number {
		return maxResultBytes(this.#dialect, this.#request.revision);
	}

	returned(value: unknown): void {
		const { name, output } = this.#tool;
		const request = this.#request;
		const { guardsAction, rpcErrorsUpTo } = this.#dialect;
		const around = this.#writer.bytesAround(request);
		// Most tools return true, and the rest costs as much again.
		if (!output && (typeof value !== "object" || value === null)) {
			const text = plainText(value, guardsAction);
			if (text.length * 3 + around < SMALL_RESULT_BYTES)
				return this.#writer.result(request, '"content":[{"type":"text","text":', text, '}],"isError":false');
		}
		const { texts, structured } = toContent(value, guardsAction, request.revision <= rpcErrorsUpTo);
		if (isFull(this.#dialect, request.revision) && (output || value instanceof StructuredResult)) {
			const data = value instanceof StructuredResult ? value.data : value;
			const problem = !isObject(data) ? `an object was expected, got ${describe(data)}` : output && checkMembers(output, data, "", false);
			if (problem) throw new TypeError(`its result does not fit its outputSchema: ${problem}`);
			texts.push('],"structuredContent":', structured as string, ',"isError":false');
		} else texts.push('],"isError":false');
		let bytes = around;
		for (const text of texts) bytes += text.length * 3;
		if (bytes <= SMALL_RESULT_BYTES) return this.#writer.result(request, '"content":[', texts.join(""));
		bytes = 0;
		for (const text of texts) bytes += utf8Length(text);
		const maximum = this.maxResultBytes;
		if (bytes + around > maximum) throw tooLarge(name, bytes + around, maximum);
		this.#writer.resultTexts(request, '"content":[', ["", ...texts], bytes, "");
	}

	failed(code: number, message: string): void {
		const request = this.#request;
		if (request.revision <= this.#dialect.rpcErrorsUpTo || (code === INVALID_PARAMS && request.revision < BAD_ARGUMENTS_ARE_RESULTS))
			sayError(this.#writer, this.#dialect, request, code, message);
		else this.#writer.result(request, `"content":[{"type":"text","text":${JSON.stringify(message)}}],"isError":true`);
	}

	progress(done: number, total: number | undefined, message: string | undefined): void {
		if (this.#progressToken === undefined) return;
		const parts = `${total === undefined ? "" : `,"total":${total}`}${message === undefined ? "" : `,"message":${JSON.stringify(clip(message, 200))}`}`;
		const params = `{"progressToken":${this.#progressToken},"progress":${done}${parts}}`;
		this.#writer.notification("notifications/progress", params, this.#request.outlet);
	}
}

/** A call's JSON-RPC error, in the words of the dialect. */
export function sayError(writer: JsonRpcWriter, { spoken }: Dialect, request: Request, code: number, message: string): void {
	if (spoken) writer.error(request, code, spoken(code), `,"data":${JSON.stringify(message)}`);
	else writer.error(request, code, message);
}

/** The error of a result of so many bytes. */
export function tooLarge(tool: string, bytes: number, maximum: number): ToolError {
	return new ToolError(`The result of ${tool} is too large: about ${bytes} bytes, at most ${maximum} can be sent`);
}
