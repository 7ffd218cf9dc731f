// Says HTTP statuses and WebSocket close codes in words for the log.

import { oneLine } from "../base/text.js";

const STATUS_WORDS: { readonly [status: number]: string } = Object.freeze({
	200: "the server did not upgrade",
	301: "moved",
	302: "moved",
	303: "moved",
	307: "moved",
	308: "moved",
	400: "the server did not understand the request",
	401: "not authorised",
	403: "forbidden",
	404: "nothing at this path",
	405: "no WebSocket at this path",
	407: "a proxy wants authorisation",
	408: "the server waited too long",
	426: "another protocol version is wanted",
	429: "too many connections",
	500: "the server failed",
	502: "the server behind the gateway failed",
	503: "the server is not available",
	504: "the server behind the gateway did not answer",
});

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

/** A refusal such as `401 Unauthorized: not authorised`. Of where it leads to, what may hold a token is left out. */
export function statusText(status: number, phrase: string, location: string | undefined): string {
	const words = STATUS_WORDS[status] ?? "the server did not upgrade";
	return `${status}${phrase ? ` ${phrase}` : ""}: ${words}${location ? ` to ${location.split("?")[0]}` : ""}`;
}

/** The payload of a close frame such as `1008 policy violation, "bad token"`. */
export function closeText(payload: Uint8Array): string {
	if (payload.byteLength < 2) return "without a code";
	const code = ((payload[0] ?? 0) << 8) | (payload[1] ?? 0);
	const words = CLOSE_WORDS[code] ?? (code >= 4000 && code < 5000 ? "the server's own code" : "unknown code");
	const reason = oneLine(utf8(payload.subarray(2)));
	return `${code} ${words}${reason ? `, "${reason}"` : ""}`;
}

/** Decodes short UTF-8 of unknown quality; whatever is malformed becomes U+FFFD. */
function utf8(bytes: Uint8Array): string {
	let text = "";
	let i = 0;
	while (i < bytes.byteLength) {
		const first = bytes[i++] ?? 0;
		const more = first < 0x80 ? 0 : first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : -1;
		let code = more < 0 ? 0xfffd : more === 0 ? first : first & (0x3f >> more);
		for (let n = 0; n < more; n++) {
			const next = bytes[i] ?? 0;
			if ((next & 0xc0) !== 0x80) {
				code = 0xfffd;
				break;
			}
			code = (code << 6) | (next & 0x3f);
			i++;
		}
		text += code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? "\ufffd" : String.fromCodePoint(code);
	}
	return text;
}
