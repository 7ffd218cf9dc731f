// A message in texts, as a page of `tools/list` is: with others before and behind it.

import type { TextMessage } from "../../src/net/outbound-message.js";

/** The message that these texts make up. */
export function textMessage(parts: readonly string[]): TextMessage {
	const [head = "", ...rest] = parts;
	const tail = rest.pop() ?? "";
	const texts = ["before", "灯", ...rest, "behind"];
	return { head, texts, from: 2, to: 2 + rest.length, tail, byteLength: Buffer.byteLength(parts.join("")) };
}
