// The first look at what a peer sends: size, depth, UTF-8 and JSON, before anything deeper in the firmware sees it.

import TextDecoder from "text/decoder";
import { MAX_INBOUND_BYTES } from "../transports/transport.js";

/** JSON nested deeper than this is refused before it is parsed; far deeper would overflow the machine's stack. */
export const MAX_DEPTH = 32;

/** What became of a message: a value, or why there is none and the text as far as it could be read. */
export type Inbound = { readonly value: unknown } | { readonly problem: string; readonly text?: string | undefined };

/** Turns the bytes of one message into a value. It never throws. */
export class InboundReader {
	readonly #decoder = new TextDecoder("utf-8", { fatal: true });

	/**
	 * @param names the member names to keep, at any depth. XS leaves out the others while it parses, so that names made up
	 * by a peer do not fill its table of keys, which never shrinks. Other engines keep them all.
	 */
	read(bytes: Uint8Array, names: readonly string[]): Inbound {
		if (bytes.length <= MAX_INBOUND_BYTES && isDeeper(bytes, MAX_DEPTH)) return { problem: `a message nested deeper than ${MAX_DEPTH}` };
		const inbound = this.readText(bytes);
		if (inbound.text === undefined) return inbound;
		try {
			return { value: JSON.parse(inbound.text, names as never) };
		} catch {
			return { problem: "a message that is not JSON", text: inbound.text };
		}
	}

	/** Reads what need not be JSON: its text, or the problem with it. */
	readText(bytes: Uint8Array): { readonly text: string; readonly problem?: never } | { readonly problem: string; readonly text?: never } {
		if (bytes.length > MAX_INBOUND_BYTES) return { problem: `a message of ${bytes.length} bytes, at most ${MAX_INBOUND_BYTES} are read` };
		try {
			return { text: this.#decoder.decode(bytes) };
		} catch {
			return { problem: "a message that is not UTF-8" };
		}
	}
}

/** Is this JSON text nested deeper than `limit`? Text that is no JSON may get either answer. */
export function isDeeper(bytes: Uint8Array, limit: number): boolean {
	if (!hasOver(bytes, limit)) return false;
	let depth = 0;
	let inString = false;
	for (let i = 0; i < bytes.length; i++) {
		const byte = bytes[i];
		if (inString) {
			if (byte === BACKSLASH) i++;
			else if (byte === QUOTE) inString = false;
		} else if (byte === QUOTE) inString = true;
		else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
			if (++depth > limit) return true;
		} else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
	}
	return false;
}

/** The cheap question first, which native code answers: are there more than `limit` opening brackets at all? */
function hasOver(bytes: Uint8Array, limit: number): boolean {
	let count = 0;
	for (let at = bytes.indexOf(OPEN_BRACE); at >= 0; at = bytes.indexOf(OPEN_BRACE, at + 1)) if (++count > limit) return true;
	for (let at = bytes.indexOf(OPEN_BRACKET); at >= 0; at = bytes.indexOf(OPEN_BRACKET, at + 1)) if (++count > limit) return true;
	return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
