// The table of a device's settings: a new setting is one row.

import { parseHttpUrl, parseMqttEndpoint, parseTcpAddress, parseWebSocketUrl } from "../net/address.js";
import { checkTopic } from "../net/mqtt-topic.js";

/** One setting. */
export interface SettingRow {
	/** Is it never shown, only whether it is set? */
	readonly secret?: boolean;
	/** The setting, an address or a network, that it was entered for: it is forgotten when that becomes another one. */
	readonly belongsTo?: string;
	/** The longest value that the device keeps, in bytes of UTF-8. */
	readonly maximumBytes: number;
	/** The value as the program uses it. @throws an error in plain words that do not repeat the value */
	parse(text: string): unknown;
	/** May there be several values, separated by spaces? Each is parsed alone. */
	readonly list?: boolean;
	/** `KIND.MEMBER`: the kind of connection that it belongs to, and the member of its settings that it becomes. */
	readonly connection?: `${string}.${string}`;
	/** Is there no such connection without it? */
	readonly required?: boolean;
	/** `OBJECT.MEMBER`: where a configuration reply has it. */
	readonly reply?: `${string}.${string}`;
	/** `PART.TYPE`: its part of the set-up page, and its field's type in HTML. A password field never shows its value. Absent: not there. */
	readonly page?: `${"wifi" | "server"}.${"text" | "password" | "url"}`;
}

/** When the main session may change settings and firmware: never, over TLS, or always. */
export const OWNER_TOOLS = Object.freeze(["off", "tls", "on"] as const);

/** In the order in which they are listed. Names are those of `self.settings.set`, the set-up page and mcconfig (`name=value`). */
export const SETTINGS = Object.freeze({
	ssid: row({ maximumBytes: 32, parse: asText, page: "wifi.text" }),
	password: row({ secret: true, belongsTo: "ssid", maximumBytes: 64, parse: parseWifiPassword, page: "wifi.password" }),
	url: row({
		maximumBytes: 512,
		parse: parseWebSocketUrl,
		connection: "session.url",
		required: true,
		reply: "websocket.url",
		page: "server.url",
	}),
	token: row({
		secret: true,
		belongsTo: "url",
		maximumBytes: 1024,
		parse: parseHeaderText,
		connection: "session.token",
		reply: "websocket.token",
		page: "server.password",
	}),
	ota_url: row({ maximumBytes: 512, parse: parseHttpUrl, page: "server.url" }),
	// Its query holds the token.
	endpoint: row({
		secret: true,
		maximumBytes: 2048,
		parse: parseWebSocketUrl,
		list: true,
		connection: "endpoint.url",
		required: true,
		page: "server.password",
	}),
	mqtt_endpoint: row({
		maximumBytes: 512,
		parse: parseMqttEndpoint,
		connection: "mqtt.address",
		required: true,
		reply: "mqtt.endpoint",
	}),
	mqtt_client_id: row({ maximumBytes: 512, parse: asText, connection: "mqtt.clientId", reply: "mqtt.client_id" }),
	mqtt_username: row({ maximumBytes: 1024, parse: asText, connection: "mqtt.username", reply: "mqtt.username" }),
	mqtt_password: row({
		secret: true,
		belongsTo: "mqtt_endpoint",
		maximumBytes: 1024,
		parse: asText,
		connection: "mqtt.password",
		reply: "mqtt.password",
	}),
	mqtt_publish: row({ maximumBytes: 512, parse: parseTopic, connection: "mqtt.publishTopic", reply: "mqtt.publish_topic" }),
	mqtt_subscribe: row({
		maximumBytes: 512,
		parse: parseSubscription,
		connection: "mqtt.subscribeTopic",
		reply: "mqtt.subscribe_topic",
	}),
	mqtt_keepalive: row({ maximumBytes: 5, parse: parseSeconds, connection: "mqtt.keepaliveS", reply: "mqtt.keepalive" }),
	framed_address: row({ maximumBytes: 512, parse: parseTcpAddress, connection: "framed.address", required: true }),
	framed_token: row({ secret: true, belongsTo: "framed_address", maximumBytes: 2048, parse: parseFrameText, connection: "framed.token" }),
	framed_voice_id: row({ maximumBytes: 128, parse: parseFrameText, connection: "framed.voiceId" }),
	framed_language: row({ maximumBytes: 32, parse: parseFrameText, connection: "framed.language" }),
	http_port: row({ maximumBytes: 5, parse: parsePort, connection: "http.port", required: true, page: "server.text" }),
	http_token: row({ secret: true, maximumBytes: 128, parse: parseBearer, connection: "http.token", page: "server.password" }),
	http_tools: row({ maximumBytes: 3, parse: parseSwitch, connection: "http.userTools" }),
	owner_tools: row({ maximumBytes: 3, parse: (text) => oneOf(text, OWNER_TOOLS), page: "server.text" }),
	endpoint_tools: row({ maximumBytes: 1024, parse: parseHosts, connection: "endpoint.trusted" }),
	endpoint_prefix: row({ maximumBytes: 16, parse: parsePrefix, connection: "endpoint.prefix" }),
	framed_tools: row({ maximumBytes: 3, parse: parseSwitch, connection: "framed.userTools" }),
	allow_plain: row({ maximumBytes: 3, parse: parseSwitch }),
	timezone: row({ maximumBytes: 6, parse: parseZone }),
	auto_upgrade: row({ maximumBytes: 3, parse: parseSwitch }),
	language: row({ maximumBytes: 2, parse: (text) => oneOf(text, LANGUAGES) }),
	// As in the eFuse of the reference's own boards: text, and 32 bytes.
	serial_number: row({ maximumBytes: 32, parse: parseHeaderText }),
	hmac_key: row({ secret: true, maximumBytes: 64, parse: parseKey }),
	session: row({ maximumBytes: 9, parse: (text) => oneOf(text, SESSION_KINDS) }),
});

/** What the user speaks. */
export const LANGUAGES = Object.freeze(["en", "zh"] as const);
/** When the main session is open: at all times, or while something is said. */
export const SESSION_KINDS = Object.freeze(["always", "on_demand"] as const);
const SWITCH = Object.freeze(["off", "on"] as const);

export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.freeze(Object.keys(SETTINGS)) as readonly SettingName[];

/** Keeps the literal types of a row, of which those of the connections are made. */
function row<const R extends SettingRow>(row: R): R {
	return Object.freeze(row);
}

function asText(text: string): string {
	return text;
}

function parseWifiPassword(text: string): string {
	if (text.length < 8) throw new RangeError("a Wi-Fi password has 8 to 64 characters");
	return text;
}

function parseHeaderText(text: string): string {
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (code < 0x20 || code > 0x7e) throw new RangeError("only printable ASCII characters can be sent");
	}
	return text;
}

function parsePort(text: string): number {
	const port = Number(text);
	if (!(Number.isInteger(port) && port > 0 && port <= 65535)) throw new RangeError("must be a port, 1 to 65535");
	return port;
}

function parseBearer(text: string): string {
	if (text.length < 16 || text.includes(" ")) throw new RangeError("a token has at least 16 characters and no space");
	return parseHeaderText(text);
}

function parseKey(text: string): string {
	if (!/^[0-9a-f]{64}$/i.test(text)) throw new RangeError("a key has 64 hexadecimal digits");
	return text;
}

function parseTopic(text: string): string {
	return checkTopic(text, "topic");
}

/** Some gateways say "null" where nothing has to be subscribed to. */
function parseSubscription(text: string): string | undefined {
	return text === "null" ? undefined : checkTopic(text, "topic");
}

function parseSeconds(text: string): number {
	const seconds = Number(text);
	if (!(Number.isInteger(seconds) && seconds >= 0 && seconds <= 65535)) throw new RangeError("must be 0 to 65535 whole seconds");
	return seconds;
}

/** "+HH:MM" or "-HH:MM": minutes ahead of UTC. */
export function parseZone(text: string): number {
	const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
	const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
	if (!(ahead >= -720 && ahead <= 840 && Number(minutes) < 60)) throw new RangeError("it must look like +08:00, from -12:00 to +14:00");
	return ahead;
}

function parseSwitch(text: string): boolean {
	return oneOf(text, SWITCH) === "on";
}

function oneOf<const T extends string>(text: string, choices: readonly T[]): T {
	if (!choices.includes(text as T)) throw new RangeError(`it must be ${choices.join(" or ")}`);
	return text as T;
}

/** Hosts of endpoints as in their addresses, `host` or `host:port`. */
function parseHosts(text: string): readonly string[] {
	return text
		.split(" ")
		.filter((host) => host)
		.map((host) => parseWebSocketUrl(`ws://${host}`).authority);
}

/** What a tool's name may begin with. */
function parsePrefix(text: string): string {
	if (!/^[a-z][a-z0-9_]*$/.test(text)) throw new RangeError("it must be of lower-case letters, digits and _, and begin with a letter");
	return text;
}

function parseFrameText(text: string): string {
	if (text.includes("##")) throw new RangeError("it must not contain ##, which marks the frames of the service");
	return text;
}
