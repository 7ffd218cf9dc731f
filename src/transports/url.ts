// A small strict parser for ws:// and wss:// addresses: devices have no URL class.

/** An address of a WebSocket server, taken apart. */
export interface WebSocketUrl {
	/** Is it wss://? */
	readonly secure: boolean;
	/** A name in lower case, or an IPv4 address. */
	readonly host: string;
	/** 1–65535; 80 or 443 where the address names none. */
	readonly port: number;
	/** Path and query exactly as given; "/" where there is none. */
	readonly path: string;
	/** What belongs into the Host header: the port is left out where it is the default. */
	readonly authority: string;
}

/**
 * Takes a WebSocket address apart. Path and query are used as they are: nothing is decoded or encoded.
 * @throws TypeError or RangeError in plain words. The words never repeat path or query, since tokens stand there.
 */
export function parseWebSocketUrl(url: string): WebSocketUrl {
	if (typeof url !== "string") throw new TypeError("the WebSocket address must be a string");
	for (let i = 0; i < url.length; i++) {
		const code = url.charCodeAt(i);
		if (code <= 0x20 || code >= 0x7f) {
			throw new TypeError(`the WebSocket address has a space, control or non-ASCII character at position ${i + 1}; write it percent-encoded`);
		}
	}
	const schemeEnd = url.indexOf("://");
	const scheme = url.slice(0, Math.max(schemeEnd, 0)).toLowerCase();
	if (scheme !== "ws" && scheme !== "wss") throw new TypeError("the WebSocket address must begin with ws:// or wss://");
	if (url.includes("#")) throw new TypeError("a WebSocket address has no fragment: write # as %23");
	const secure = scheme === "wss";

	const start = schemeEnd + 3;
	let end = start;
	while (end < url.length && url[end] !== "/" && url[end] !== "?") end++;
	const place = url.slice(start, end);
	const rest = url.slice(end);
	const path = rest === "" ? "/" : rest[0] === "?" ? `/${rest}` : rest;

	if (place.includes("@")) throw new TypeError("user name and password in a WebSocket address are not supported: use a header");
	if (place.includes("[")) throw new TypeError("IPv6 addresses are not supported: use a name or an IPv4 address");
	const colon = place.indexOf(":");
	const host = (colon < 0 ? place : place.slice(0, colon)).toLowerCase();
	checkHost(host);

	const defaultPort = secure ? 443 : 80;
	const port = colon < 0 ? defaultPort : parsePort(place.slice(colon + 1));
	return { secure, host, port, path, authority: port === defaultPort ? host : `${host}:${port}` };
}

/** Is this text an IPv4 address in its four-number form? */
export function isIpv4(host: string): boolean {
	const parts = host.split(".");
	return parts.length === 4 && parts.every((part) => isNumber(part) && part.length <= 3 && Number(part) <= 255);
}

function isNumber(text: string): boolean {
	if (text === "") return false;
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (code < 0x30 || code > 0x39) return false;
	}
	return true;
}

function parsePort(text: string): number {
	const port = isNumber(text) && text.length <= 5 ? Number(text) : 0;
	if (port < 1 || port > 65535) throw new RangeError("the port of the WebSocket address must be a number from 1 to 65535");
	return port;
}

/** DNS limits are held here because the SDK's resolver throws in a timer, where nothing can catch it, when a label is too long. */
function checkHost(host: string): void {
	if (host === "") throw new TypeError("the WebSocket address has no host");
	if (host.length > 253) throw new RangeError("the host of the WebSocket address is longer than 253 characters");
	const labels = host.split(".");
	for (const label of labels) {
		if (label === "" || label.length > 63) throw new RangeError("each part of a host name has 1 to 63 characters");
		for (let i = 0; i < label.length; i++) {
			const code = label.charCodeAt(i);
			const good = (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || code === 0x2d || code === 0x5f;
			if (!good) throw new TypeError("a host name has only letters, digits, hyphens and dots");
		}
	}
	const last = labels[labels.length - 1] ?? "";
	if (isNumber(last) && !isIpv4(host)) throw new RangeError("an IPv4 address is four numbers from 0 to 255");
}
