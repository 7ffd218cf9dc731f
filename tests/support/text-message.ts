// A message in texts, as a page of `tools/list` is.

import type { TextMessage } from "../../src/net/outbound-message.js";

/** The message that these texts make up. */
export function textMessage(parts: readonly string[]): TextMessage {
	const [head = "", ...rest] = parts;
	const tail = rest.pop() ?? "";
	return { head, texts: rest, tail, byteLength: Buffer.byteLength(parts.join("")) };
}
