// The reply to one `tools/call`: its result, its failure and the progress on the way.

import { plainText, StructuredResult, ToolError, toContent } from "./content.js";
import { type Dialect, isFull, maxResultBytes } from "./dialect.js";
import { INVALID_PARAMS } from "./json-rpc.js";
import type { JsonRpcWriter, Request } from "./json-rpc-writer.js";
import { Call } from "./running-calls.js";
import { checkMembers, describe, isObject, utf8Length } from "./schema.js";
import { clip } from "./text.js";
import type { Tool } from "./tool.js";

/** From this revision on wrong arguments are a result with `isError`, so that the model sees what is wrong. */
const BAD_ARGUMENTS_ARE_RESULTS = "2025-11-25";

/** A result of so few bytes is joined into one text. */
const SMALL_RESULT_BYTES = 8192;

/** A text of so many characters is one, with the longest ids and whatever stands around it. */
const SHORT_TEXT = 512;

export class ToolReply<B> extends Call<B> {
	private readonly writer: JsonRpcWriter;
	private readonly dialect: Dialect;
	private readonly request: Request;
	/** As JSON text; undefined where nobody asks for progress. */
	declare progressToken: string | undefined;

	constructor(writer: JsonRpcWriter, dialect: Dialect, request: Request, tool: Tool<B>) {
		super(tool);
		this.writer = writer;
		this.dialect = dialect;
		this.request = request;
	}

	override get id(): string {
		return this.request.id;
	}

	override get outlet(): object {
		return this.request.outlet;
	}

	override get maxResultBytes(): number {
		return maxResultBytes(this.dialect, this.request.revision);
	}

	returned(value: unknown): void {
		const { output } = this.tool;
		const request = this.request;
		const { guardsAction } = this.dialect;
		// Most tools return true, and the rest costs as much again.
		if (!output && (typeof value !== "object" || value === null)) {
			const text = plainText(value, guardsAction);
			if (text.length <= SHORT_TEXT) return this.writer.result(request, '"content":[{"type":"text","text":', text, '}],"isError":false');
		}
		const around = this.writer.bytesAround(request);
		const { texts, structured } = toContent(value, guardsAction, request.revision <= this.dialect.rpcErrorsUpTo);
		if (isFull(this.dialect, request.revision) && (output || value instanceof StructuredResult)) {
			const data = value instanceof StructuredResult ? value.data : value;
			const problem = !isObject(data) ? `an object was expected, got ${describe(data)}` : output && checkMembers(output, data, "", false);
			if (problem) throw new TypeError(`its result does not fit its outputSchema: ${problem}`);
			texts.push('],"structuredContent":', structured as string, ',"isError":false');
		} else texts.push('],"isError":false');
		let bytes = around;
		for (const text of texts) bytes += text.length * 3;
		if (bytes <= SMALL_RESULT_BYTES) return this.writer.result(request, '"content":[', texts.join(""));
		bytes = 0;
		for (const text of texts) bytes += utf8Length(text);
		const maximum = this.maxResultBytes;
		if (bytes + around > maximum) throw tooLarge(this.tool.name, bytes + around, maximum);
		this.writer.resultTexts(request, '"content":[', texts, bytes, "");
	}

	failed(code: number, message: string): void {
		sayFailure(this.writer, this.dialect, this.request, code, message);
	}

	protected override moved(done: number, total: number | undefined, message: string | undefined): void {
		if (this.progressToken === undefined) return;
		const parts = `${total === undefined ? "" : `,"total":${total}`}${message === undefined ? "" : `,"message":${JSON.stringify(clip(message, 200))}`}`;
		const params = `{"progressToken":${this.progressToken},"progress":${done}${parts}}`;
		this.writer.notification("notifications/progress", params, this.request.outlet);
	}
}

/** Tells a call's caller that it has failed, as the revision wants it. */
export function sayFailure(writer: JsonRpcWriter, dialect: Dialect, request: Request, code: number, message: string): void {
	const { revision } = request;
	if (revision <= dialect.rpcErrorsUpTo || (code === INVALID_PARAMS && revision < BAD_ARGUMENTS_ARE_RESULTS)) {
		if (dialect.spoken) sayError(writer, dialect, request, code, message);
		else writer.error(request, code, message);
	} else writer.result(request, `"content":[{"type":"text","text":${JSON.stringify(message)}}],"isError":true`);
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
