// The reply of a configuration server: which backend to connect to, and the code by which an owner claims the device.

import { utf8Bytes } from "../base/bytes.js";
import { type JsonLimits, jsonLimits, jsonProblem } from "../base/json.js";
import { oneLine } from "../base/text.js";
import { MAX_TEXT_BYTES } from "../http/client.js";
import { isObject } from "../mcp/schema.js";
import { parseHttpUrl, type ServerAddress } from "../net/address.js";
import { type ConnectionSettings, connectionsOf, type Parsed, parseSetting, rowOf } from "../settings/connection-settings.js";
import { SETTING_NAMES, type SettingName } from "../settings/table.js";
import type { OfferedFirmware } from "./firmware-offer.js";

/** What an answer may build. */
const LIMITS: JsonLimits = Object.freeze({ ...jsonLimits(MAX_TEXT_BYTES), stringBytes: MAX_TEXT_BYTES });
/** No value of a reply may be longer. */
const MAX_VALUE_LENGTH = 1024;
/** The member names that are looked for; XS leaves out the others, so that a server cannot fill its table of keys. */
const NAMES: readonly string[] = Object.freeze([
	...["success", "message", "error", "activation", "code", "challenge", "server_time", "timestamp", "timezone_offset", "firmware", "version"],
	...SETTING_NAMES.flatMap((name) => rowOf(name).reply?.split(".") ?? []),
]);

const NOTHING: { readonly [name: string]: unknown } = Object.freeze({});

export interface Activation {
	/** What the owner types in at the server's page. */
	readonly code: string;
	readonly message: string;
	/** What a device with a serial number and a key has to answer. */
	readonly challenge?: string | undefined;
}

/** What is of use in a reply; what is missing or not valid is undefined. */
export interface Configuration {
	/** The main session; a broker goes before a backend, as in the reference. */
	readonly connection?: ConnectionSettings | undefined;
	readonly activation?: Activation | undefined;
	/** In milliseconds since 1970 UTC. */
	readonly serverTimeMs?: number | undefined;
	/** How many minutes local time is ahead of UTC. */
	readonly zone?: number | undefined;
	/** The firmware that the server knows. Some servers put their own address into its url: an image is checked before it is flashed. */
	readonly firmware?: OfferedFirmware | undefined;
	/** What is wrong with values that were left out, one line each; no secret is in them. */
	readonly problems: readonly string[];
}

/**
 * Takes a reply apart.
 * @param mayBePlain may it lead to a server without TLS? What an https:// server says should not be undone on the way.
 * @throws Error that says in plain words what is wrong with it
 */
export function parseConfigurationReply(text: string, mayBePlain = true): Configuration {
	const trimmed = text.trim();
	if (trimmed.startsWith("<")) throw new Error("the answer is a web page, not a configuration; is the address right?");
	const past = jsonProblem(utf8Bytes(trimmed), LIMITS);
	if (past) throw new Error(`the answer is JSON ${past}`);
	let reply: unknown;
	try {
		reply = JSON.parse(trimmed, NAMES as never);
	} catch {
		// What breaks off may hold a token.
		throw new Error(`the answer is not JSON${trimmed.startsWith("{") ? "" : `: "${oneLine(trimmed, 40)}"`}`);
	}
	if (!isObject(reply)) throw new Error("the answer is not a JSON object");
	if (reply.success === false || reply.error !== undefined) {
		const reason = reply.message ?? reply.error;
		throw new Error(`the server refused: ${typeof reason === "string" ? oneLine(reason) : "it did not say why"}`);
	}
	const problems: string[] = [];
	const connection = mainConnection(reply, mayBePlain, problems);
	const activation = isObject(reply.activation) ? activationOf(reply.activation) : undefined;
	if (!connection && !activation) throw new Error("the answer has no usable websocket, mqtt or activation");
	const { timestamp: time, timezone_offset: zone } = isObject(reply.server_time) ? reply.server_time : NOTHING;
	return {
		connection,
		activation,
		serverTimeMs: typeof time === "number" && time > 0 && time < 8.64e15 ? time : undefined,
		zone: Number.isInteger(zone) ? (zone as number) : undefined,
		firmware: isObject(reply.firmware) ? firmwareOf(reply.firmware) : undefined,
		problems,
	};
}

/** Values of a broker or backend that the reply does not give must not come from another one: the settings' are not used, nor their token. */
function mainConnection(reply: { readonly [name: string]: unknown }, mayBePlain: boolean, problems: string[]): ConnectionSettings | undefined {
	const parsedOf = (name: SettingName): readonly Parsed[] => {
		const [object = "", member = ""] = rowOf(name).reply?.split(".") ?? [];
		const group = reply[object];
		const value = isObject(group) ? group[member] : undefined;
		const text = typeof value === "number" ? String(value) : (asText(value) ?? "");
		return parseSetting(name, text).filter((it) => {
			if ("problem" in it) problems.push(`${object}.${member}: ${it.problem}`);
			else if (!mayBePlain && rowOf(name).required && !(it.value as ServerAddress).secure)
				problems.push(`${object}.${member}: an https:// server must not lead to one without TLS; the setting allow_plain=on allows it`);
			else return true;
			return false;
		});
	};
	const connections = connectionsOf(parsedOf);
	return connections.find((it) => it.kind === "mqtt" && "publishTopic" in it) ?? connections.find(({ kind }) => kind === "session");
}

function activationOf({ code, message, challenge }: { [name: string]: unknown }): Activation | undefined {
	const digits = typeof code === "number" ? String(code) : asText(code);
	return digits ? { code: oneLine(digits, 40), message: oneLine(asText(message) ?? "", 200), challenge: asText(challenge) } : undefined;
}

function firmwareOf({ version, url }: { [name: string]: unknown }): OfferedFirmware | undefined {
	const text = asText(version);
	if (!text) return undefined;
	try {
		const address = asText(url) ?? "";
		parseHttpUrl(address);
		return { version: text, url: address };
	} catch {
		return { version: text };
	}
}

function asText(value: unknown): string | undefined {
	return typeof value === "string" && value.length <= MAX_VALUE_LENGTH ? value : undefined;
}
