// Puts WebSocket close codes into words for the log.

import { oneLine } from "../base/text.js";
import TextDecoder from "../sdk/text-decoder.js";

/** Close codes of RFC 6455, section 7.4.1, and of IANA's registry. */
const CLOSE_WORDS: { readonly [code: number]: string } = Object.freeze({
	1000: "normal closure",
	1001: "going away",
	1002: "protocol error",
	1003: "unsupported data",
	1007: "invalid data",
	1008: "policy violation",
	1009: "message too big",
	1010: "extension missing",
	1011: "internal error",
	1012: "service restart",
	1013: "try again later",
	1014: "bad gateway",
	3000: "unauthorized",
	3003: "forbidden",
	3008: "timeout",
});

/** The payload of a close frame such as `1008 policy violation, "bad token"`; malformed UTF-8 becomes U+FFFD. */
export function closeText(payload: Uint8Array): string {
	if (payload.byteLength < 2) return "without a code";
	const code = ((payload[0] ?? 0) << 8) | (payload[1] ?? 0);
	const words = CLOSE_WORDS[code] ?? (code >= 4000 && code < 5000 ? "the server's own code" : "unknown code");
	const reason = oneLine(new TextDecoder("utf-8", { ignoreBOM: true }).decode(payload.slice(2)));
	return `${code} ${words}${reason ? `, "${reason}"` : ""}`;
}
