// A small, strict parser for server addresses. The SDK's URL class costs flash, accepts far more, and percent-encodes what must go out as given.

/** Where a server is. */
export interface HostPort {
	/** A name in lower case, or an IPv4 address. */
	readonly host: string;
	/** 1–65535. */
	readonly port: number;
	/** Host, and port where it is not the default: the value of a Host header. */
	readonly authority: string;
}

/** The parsed address of a WebSocket or web server. */
export interface Url extends HostPort {
	/** Is it wss://? */
	readonly secure: boolean;
	/** Path and query exactly as given; "/" where there is none. */
	readonly path: string;
}

/**
 * Parses a WebSocket address. Path and query are used as they are: nothing is decoded or encoded.
 * @throws TypeError or RangeError in plain words. The words never repeat path or query, which may hold tokens.
 */
export function parseWebSocketUrl(url: string): Url {
	return parseUrl(url, WEB_SOCKET, "ws", "wss");
}

/** As `parseWebSocketUrl`, for the http:// or https:// address of a web server. */
export function parseHttpUrl(url: string): Url {
	return parseUrl(url, WEB, "http", "https");
}

function parseUrl(url: string, kind: string, plain: string, safe: string): Url {
	checkCharacters(url, kind);
	const schemeEnd = url.indexOf("://");
	const scheme = url.slice(0, Math.max(schemeEnd, 0)).toLowerCase();
	if (scheme !== plain && scheme !== safe) throw new TypeError(`the ${kind} address must begin with ${plain}:// or ${safe}://`);
	if (url.includes("#")) throw new TypeError(`a ${kind} address has no fragment: write # as %23`);
	const secure = scheme === safe;

	const start = schemeEnd + 3;
	let end = start;
	while (end < url.length && url[end] !== "/" && url[end] !== "?") end++;
	const rest = url.slice(end);
	const path = rest === "" ? "/" : rest[0] === "?" ? `/${rest}` : rest;
	const place = url.slice(start, end);
	if (place.includes("@")) throw new TypeError(`user name and password in a ${kind} address are not supported: use a header`);
	return { secure, ...parseHostPort(place, kind, secure ? 443 : 80), path };
}

/** The address of a server that may speak TLS. */
export interface ServerAddress extends HostPort {
	/** Is it to be reached over TLS? */
	readonly secure: boolean;
}

/**
 * Parses an MQTT endpoint: `host[:port]`, where 8883, the default, means TLS and any other port means none; or the
 * same with mqtts:// (TLS on any port) or mqtt:// (none, 1883 by default) before it.
 * @throws TypeError or RangeError in plain words
 */
export function parseMqttEndpoint(endpoint: string): ServerAddress {
	checkCharacters(endpoint, MQTT);
	const schemeEnd = endpoint.indexOf("://");
	const scheme = schemeEnd < 0 ? undefined : endpoint.slice(0, schemeEnd).toLowerCase();
	if (scheme !== undefined && scheme !== "mqtt" && scheme !== "mqtts")
		throw new TypeError("the MQTT address must be host:port, or begin with mqtt:// or mqtts://");
	let place = scheme === undefined ? endpoint : endpoint.slice(schemeEnd + 3);
	if (scheme !== undefined && place.endsWith("/")) place = place.slice(0, -1);
	if (place.includes("@")) throw new TypeError("user name and password do not belong in the MQTT address: they are settings of their own");
	const address = parseHostPort(place, MQTT, scheme === "mqtt" ? 1883 : 8883);
	return { secure: scheme === undefined ? address.port === 8883 : scheme === "mqtts", ...address };
}

/**
 * Parses the address of a TCP service: `tcp://host:port`, or `tls://host:port`.
 * @throws TypeError or RangeError in plain words
 */
export function parseTcpAddress(address: string): ServerAddress {
	checkCharacters(address, TCP);
	const schemeEnd = address.indexOf("://");
	const scheme = address.slice(0, Math.max(schemeEnd, 0)).toLowerCase();
	if (scheme !== "tcp" && scheme !== "tls") throw new TypeError("the TCP address must begin with tcp:// or tls://");
	let place = address.slice(schemeEnd + 3);
	if (place.endsWith("/")) place = place.slice(0, -1);
	if (place.includes("@")) throw new TypeError("an account does not belong in the TCP address: the token is a setting of its own");
	if (!place.includes(":")) throw new TypeError("the TCP address has no port: write tcp://host:port");
	return { secure: scheme === "tls", ...parseHostPort(place, TCP, 0) };
}

/**
 * Parses the address of a time server: `host`, or `host:port`; without a port it is 123.
 * @throws TypeError or RangeError in plain words
 */
export function parseTimeServer(address: string): HostPort {
	checkCharacters(address, TIME);
	return parseHostPort(address, TIME, 123);
}

const WEB_SOCKET = "WebSocket";
const WEB = "web";
const MQTT = "MQTT";
const TCP = "TCP";
const TIME = "time server's";

function checkCharacters(address: string, kind: string): void {
	if (typeof address !== "string") throw new TypeError(`the ${kind} address must be a string`);
	for (let i = 0; i < address.length; i++) {
		const code = address.charCodeAt(i);
		if (code <= 0x20 || code >= 0x7f)
			throw new TypeError(`the ${kind} address has a space, control or non-ASCII character at position ${i + 1}; write it percent-encoded`);
	}
}

function parseHostPort(place: string, kind: string, defaultPort: number): HostPort {
	if (place.includes("[")) throw new TypeError("IPv6 addresses are not supported: use a name or an IPv4 address");
	const colon = place.indexOf(":");
	const host = (colon < 0 ? place : place.slice(0, colon)).toLowerCase();
	checkHost(host, kind);
	const port = colon < 0 ? defaultPort : parsePort(place.slice(colon + 1), kind);
	return { host, port, authority: port === defaultPort ? host : `${host}:${port}` };
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

function parsePort(text: string, kind: string): number {
	const port = isNumber(text) && text.length <= 5 ? Number(text) : 0;
	if (port < 1 || port > 65535) throw new RangeError(`the port of the ${kind} address must be a number from 1 to 65535`);
	return port;
}

/** Enforces DNS limits here: on a label that is too long the SDK's resolver throws in a timer, where nothing can catch it. */
function checkHost(host: string, kind: string): void {
	if (host === "") throw new TypeError(`the ${kind} address has no host`);
	if (host.length > 253) throw new RangeError(`the host of the ${kind} address is longer than 253 characters`);
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
