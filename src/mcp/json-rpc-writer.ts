// JSON-RPC messages to one peer, in the envelope that its session puts around them.

import type { ListedTools } from "./host.js";
import { utf8Length } from "./schema.js";

/** No message that goes out is longer than this, in bytes of UTF-8; some backends close past it. */
export const MAX_OUTBOUND_BYTES = 8192;

/** A message in texts that follow each other: `head`, then `texts`, then `tail`. Most of them are in flash. */
export interface TextMessage {
	readonly head: string;
	readonly texts: readonly string[];
	readonly tail: string;
	/** Of all of it in UTF-8. */
	readonly byteLength: number;
}

/** The message as one text. */
export function joinTexts({ head, texts, tail }: TextMessage): string {
	return head.concat(texts.join(""), tail);
}

/** Takes messages for a peer. */
export interface Outlet {
	/**
	 * Sends one message, the whole text of it.
	 * @param isReply is it the reply to a request, after which nothing belongs to that any more?
	 */
	send(text: string, isReply?: boolean): void;
	/** Sends one reply in texts; without it `send` gets them joined. */
	sendTexts?(message: TextMessage): void;
	/** Is so much waiting that only replies should be added? Notifications are dropped then. */
	congested?(): boolean;
}

/** What became of a message: it was taken in, its request was answered, or it was refused with this JSON-RPC error code. */
export type Verdict = "accepted" | "answered" | number;

/** A request on its way to its reply. */
export interface Request {
	/** The id as JSON text. */
	readonly id: string;
	/** Takes the reply, and what belongs to it. */
	readonly outlet: Outlet;
	/** The revision that it was made in. */
	revision: string;
	/** What every result of that revision ends with, as JSON members that begin with a comma. */
	suffix?: string;
	/** Undefined until there is a reply. */
	verdict?: Verdict;
}

const { stringify } = JSON;

export class JsonRpcWriter {
	/** What stands before each message: the envelope's opening, or "". */
	head = "";
	/** The end of each message: of its last member, of itself, and what stands after it. */
	end = "}}";
	/** Has a result gone out, and not only errors? */
	answered = false;
	private readonly outlet: Outlet;
	private readonly log: (line: string) => void;

	constructor(outlet: Outlet, log: (line: string) => void) {
		this.outlet = outlet;
		this.log = log;
	}

	/** Sends a result whose members are the texts one after the other: joined once, since a copy of 8 KB costs a collection. */
	result(request: Request, a: string, b = "", c = "", d = ""): void {
		this.answered = true;
		request.verdict = "answered";
		const { id, outlet, suffix = "" } = request;
		outlet.send(this.head.concat('{"jsonrpc":"2.0","id":', id, ',"result":{', a, b, c, d, suffix, this.end), true);
	}

	/**
	 * Sends a result of large texts that follow each other: they are not copied.
	 * @param bytes of the texts in UTF-8
	 */
	resultTexts(request: Request, start: string, texts: readonly string[], bytes: number, end: string): void {
		this.answered = true;
		request.verdict = "answered";
		const { id, outlet, suffix = "" } = request;
		const head = this.head.concat('{"jsonrpc":"2.0","id":', id, ',"result":{', start);
		const tail = end.concat(suffix, this.end);
		const message = { head, texts, tail, byteLength: utf8Length(head.concat(tail)) + bytes };
		if (outlet.sendTexts) outlet.sendTexts(message);
		else outlet.send(joinTexts(message), true);
	}

	/** The bytes, at most, that stand around the texts of a result. */
	bytesAround({ id, suffix = "" }: Request): number {
		return (this.head.length + this.end.length + id.length + suffix.length + 80) * 3;
	}

	/**
	 * Sends a page of tools.
	 * @param end more members of the result that begin with a comma, or ""
	 */
	toolList(request: Request, { texts, bytes, next }: ListedTools, end: string): void {
		this.resultTexts(request, '"tools":[', texts, bytes, (next === "" ? "]" : `],"nextCursor":"${next}"`).concat(end));
	}

	/** @param data further members of the error that begin with a comma, or "" */
	error(request: Request, code: number, message: string, data = ""): void {
		request.verdict = code;
		request.outlet.send(
			this.head.concat(
				'{"jsonrpc":"2.0","id":',
				request.id,
				',"error":{"code":',
				code as unknown as string,
				',"message":',
				stringify(message),
				data === "" ? this.end : data.concat(this.end),
			),
			true,
		);
	}

	/**
	 * Sends a notification, or drops and logs it when the peer does not keep up or it is too large.
	 * @param params as JSON text
	 * @param outlet that of the request that it belongs to
	 */
	notification(method: string, params?: string, outlet = this.outlet): void {
		if (outlet.congested?.()) return this.log(`mcp: ${method} is dropped, the peer does not keep up`);
		const text = this.head.concat(
			'{"jsonrpc":"2.0","method":',
			JSON.stringify(method),
			params === undefined ? "" : `,"params":${params}`,
			this.end.slice(1),
		);
		if (text.length * 3 > MAX_OUTBOUND_BYTES && utf8Length(text) > MAX_OUTBOUND_BYTES)
			return this.log(`mcp: ${method} is dropped, it is over ${MAX_OUTBOUND_BYTES} bytes`);
		outlet.send(text);
	}
}
