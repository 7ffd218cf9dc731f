// Parses what a peer sends, after a look at its size, its UTF-8 and what it would build. Nothing deeper in the firmware sees the bytes.

import { countColons, findScalar, hasMoreBrackets, jsonLimits, jsonProblem, shortBytes } from "../base/json.js";
import type { Source } from "../mcp/arguments.js";
import type { Names } from "../mcp/host.js";
import { idText } from "../mcp/json-rpc.js";
import TextDecoder from "../sdk/text-decoder.js";
import { MAX_INBOUND_BYTES } from "../transports/transport.js";

/** A message that is JSON. */
export interface JsonMessage extends Source {
	readonly value: unknown;
	readonly problem?: never;
}

/**
 * A parsed message; or why there is none: with its text where that is not JSON, or marked as `refused` where a limit was the
 * reason, and it was not read.
 */
export type ParsedMessage = JsonMessage | { readonly problem: string; readonly text?: string | undefined; readonly refused?: boolean | undefined };

const LIMITS = jsonLimits(MAX_INBOUND_BYTES);
const SHORT_BYTES = shortBytes(LIMITS);

/** Turns the bytes of one message into a value. It never throws. */
export class MessageParser {
	private readonly decoder = new TextDecoder("utf-8", { fatal: true });
	/** Was the last message a plain call? The next one probably is. */
	private expectsCall = false;

	/**
	 * @param bytes whose buffer is emptied where they are many and are parsed
	 * @param names the member names to keep, at any depth. XS leaves out the others while it parses, so that names made up
	 * by a peer do not fill its table of keys, which never shrinks. Other engines keep them all.
	 * @param isMcp is it an MCP message, perhaps in an envelope? Only such a one is looked at as a call first.
	 */
	parse(bytes: Uint8Array, names: Names, isMcp = true): ParsedMessage {
		const { length } = bytes;
		if (length > MAX_INBOUND_BYTES) return TOO_LONG;
		const short = length <= SHORT_BYTES;
		// Before there is a text of it, which takes as much again.
		let problem = short ? undefined : jsonProblem(bytes, LIMITS);
		if (problem) return { problem: `a message ${problem}`, refused: true };
		let text: string | undefined;
		try {
			text = this.decoder.decode(bytes);
			let colons: number | undefined;
			// Whoever called holds the bytes still, and what is parsed takes as much again.
			if (!short) (bytes.buffer as Partial<ArrayBuffer>).transfer?.(0);
			else {
				colons = countColons(text, LIMITS.depth);
				// Without arrays each object but the outermost is a member.
				if (((colons as number) >= LIMITS.depth || text.includes("[")) && hasMoreBrackets(text, LIMITS.depth)) problem = jsonProblem(bytes, LIMITS);
				if (problem) return { problem: `a message ${problem}`, refused: true };
			}
			let value: unknown;
			const { callNames } = names;
			if (this.expectsCall && short && isMcp && callNames) {
				value = JSON.parse(text, callNames as never);
				if (isPlainCall(value)) return { value, text, colons };
			}
			value = JSON.parse(text, names.knownNames as never);
			this.expectsCall = isPlainCall(value);
			return { value, text, colons };
		} catch {
			return text === undefined ? NOT_UTF8 : { problem: "a message that is not JSON", text };
		}
	}

	/** The text of a message that need not be JSON, or the problem with it. */
	decode(
		bytes: Uint8Array,
	): { readonly text: string; readonly problem?: never } | { readonly problem: string; readonly text?: never; readonly refused?: boolean } {
		if (bytes.length > MAX_INBOUND_BYTES) return TOO_LONG;
		try {
			return { text: this.decoder.decode(bytes) };
		} catch {
			return NOT_UTF8;
		}
	}
}

/** Is it a `tools/call` without `_meta`, perhaps in an envelope? Nothing else of it is looked for but what a call has. */
function isPlainCall(value: unknown): boolean {
	let message = value as Envelope;
	let method = message?.method;
	if (method === undefined) {
		message = message?.payload as Envelope;
		method = message?.method;
	}
	return method === "tools/call" && (message?.params as Envelope)?._meta === undefined;
}

/** What any JSON value may have. */
type Envelope = { readonly [name: string]: unknown } | null;

const TOO_LONG = Object.freeze({ problem: `a message over ${MAX_INBOUND_BYTES} bytes`, refused: true });
const NOT_UTF8 = Object.freeze({ problem: "a message that is not UTF-8" });

/**
 * The id of a JSON-RPC request that was refused unread, as JSON text, so that its caller need not wait.
 * @param bytes the message, or its beginning
 * @param envelope the names of the members around the JSON-RPC message
 * @returns undefined where it is not found or this is no request
 */
export function refusedId(bytes: Uint8Array, ...envelope: readonly string[]): string | undefined {
	if (typeof findScalar(bytes, [...envelope, "method"]) !== "string") return undefined;
	return idText(findScalar(bytes, [...envelope, "id"]));
}
