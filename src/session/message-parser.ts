// Parses what a peer sends, after a look at its size, its UTF-8 and its depth. Nothing deeper in the firmware sees the bytes.

import { isDeeper, MAX_DEPTH } from "../base/json.js";
import TextDecoder from "../sdk/text-decoder.js";
import { MAX_INBOUND_BYTES } from "../transports/transport.js";

/** A parsed message; or why there is none, and its text where that could be read. */
export type ParsedMessage = { readonly value: unknown } | { readonly problem: string; readonly text?: string | undefined };

/** Turns the bytes of one message into a value. It never throws. */
export class MessageParser {
	readonly #decoder = new TextDecoder("utf-8", { fatal: true });

	/**
	 * @param names the member names to keep, at any depth. XS leaves out the others while it parses, so that names made up
	 * by a peer do not fill its table of keys, which never shrinks. Other engines keep them all.
	 */
	parse(bytes: Uint8Array, names: readonly string[]): ParsedMessage {
		const decoded = this.decode(bytes);
		const { text } = decoded;
		if (text === undefined) return decoded;
		if (isDeeper(text, MAX_DEPTH)) return { problem: `a message nested deeper than ${MAX_DEPTH}` };
		try {
			return { value: JSON.parse(text, names as never) };
		} catch {
			return { problem: "a message that is not JSON", text };
		}
	}

	/** The text of a message that need not be JSON, or the problem with it. */
	decode(bytes: Uint8Array): { readonly text: string; readonly problem?: never } | { readonly problem: string; readonly text?: never } {
		if (bytes.length > MAX_INBOUND_BYTES) return { problem: `a message of ${bytes.length} bytes, at most ${MAX_INBOUND_BYTES} are read` };
		try {
			return { text: this.#decoder.decode(bytes) };
		} catch {
			return { problem: "a message that is not UTF-8" };
		}
	}
}
