// The first look at what a peer sends: size, depth, UTF-8 and JSON, before anything deeper in the firmware sees it.

import TextDecoder from "text/decoder";
import { isDeeper, MAX_DEPTH } from "../base/json.js";
import { MAX_INBOUND_BYTES } from "../transports/transport.js";

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
