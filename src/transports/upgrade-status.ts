// Puts the status of an answer to a WebSocket upgrade into words for the log.

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

/** A refusal such as `401 Unauthorized: not authorised`. A redirect's query is left out: it may hold a token. */
export function statusText(status: number, phrase: string, location: string | undefined): string {
	const words = STATUS_WORDS[status] ?? "the server did not upgrade";
	return `${status}${phrase ? ` ${phrase}` : ""}: ${words}${location ? ` to ${location.split("?")[0]}` : ""}`;
}
