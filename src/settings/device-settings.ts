// The settings of a device that its owner may change: kept in flash over the values that the build was given, and checked both ways.

import config from "mc/config";
import { parseHttpUrl, parseMqttEndpoint, parseTcpAddress, parseWebSocketUrl } from "../net/address.js";
import { checkTopic } from "../transports/mqtt-packets.js";
import type { SettingName } from "./setting-names.js";
import { Settings } from "./store.js";

interface Definition {
	readonly name: SettingName;
	/** Is it never shown, only whether it is set? */
	readonly secret: boolean;
	/** The most bytes of UTF-8. */
	readonly maximumBytes: number;
	/** Throws an error in plain words that do not repeat the value. */
	check?(value: string): unknown;
}

/** Where a value comes from: set on the device, given to the build, or nowhere. */
export type SettingSource = "device" | "build" | "none";

const DEFINITIONS: readonly Definition[] = Object.freeze(
	(
		[
			{ name: "ssid", secret: false, maximumBytes: 32 },
			{
				name: "password",
				secret: true,
				maximumBytes: 64,
				check(value) {
					if (value.length < 8) throw new RangeError("a Wi-Fi password has 8 to 64 characters");
				},
			},
			{ name: "url", secret: false, maximumBytes: 512, check: parseWebSocketUrl },
			{ name: "token", secret: true, maximumBytes: 1024, check: checkHeaderText },
			// Its query holds the token. There may be several, with spaces between.
			{
				name: "endpoint",
				secret: true,
				maximumBytes: 2048,
				check(value) {
					for (const url of value.split(" ")) if (url) parseWebSocketUrl(url);
				},
			},
			{ name: "ota_url", secret: false, maximumBytes: 512, check: parseHttpUrl },
			{ name: "mqtt_endpoint", secret: false, maximumBytes: 512, check: parseMqttEndpoint },
			{ name: "mqtt_client_id", secret: false, maximumBytes: 512 },
			{ name: "mqtt_username", secret: false, maximumBytes: 1024 },
			{ name: "mqtt_password", secret: true, maximumBytes: 1024 },
			{ name: "mqtt_publish", secret: false, maximumBytes: 512, check: (value) => checkTopic(value, "topic") },
			{ name: "mqtt_subscribe", secret: false, maximumBytes: 512, check: (value) => checkTopic(value, "topic", true) },
			{ name: "mqtt_keepalive", secret: false, maximumBytes: 5, check: checkSeconds },
			{ name: "framed_address", secret: false, maximumBytes: 512, check: parseTcpAddress },
			{ name: "framed_token", secret: true, maximumBytes: 2048, check: checkFrameText },
			{ name: "framed_voice_id", secret: false, maximumBytes: 128, check: checkFrameText },
			{ name: "framed_language", secret: false, maximumBytes: 32, check: checkFrameText },
		] as Definition[]
	).map((definition) => Object.freeze(definition)),
);

const store = Object.freeze(new Settings("mcp-settings"));

/** The value of a setting: the one set on the device, else the build's, else "". One that fails its check counts as not there. */
export function setting(name: SettingName): string {
	return find(name).value;
}

/** Where the value of a setting comes from. */
export function settingSource(name: SettingName): SettingSource {
	return find(name).source;
}

/**
 * Keeps a setting on the device; "" forgets it, so that the build's value holds again. It is used from the next start on.
 * @throws RangeError or TypeError in plain words that do not repeat the value; what the store throws when it is full
 */
export function setSetting(name: SettingName, value: string): void {
	const problem = value === "" ? undefined : problemOf(definitionOf(name), value);
	if (problem !== undefined) throw new RangeError(problem);
	if (value === "") store.delete(name);
	else store.set(name, value);
}

/** What is wrong with a value for a setting, in words that do not repeat it; undefined when it is good. */
export function settingProblem(name: SettingName, value: string): string | undefined {
	return problemOf(definitionOf(name), value);
}

/** All settings as they may be shown: secrets as "set" or "not set", addresses without what follows the `?`. */
export function listSettings(): { [name in SettingName]: string } {
	const list = {} as { [name in SettingName]: string };
	for (const { name, secret } of DEFINITIONS) {
		const value = setting(name);
		list[name] = secret ? (value ? "set" : "not set") : shown(value);
	}
	return list;
}

/** One line for the log: which settings there are and where each comes from. No value of any is in it. */
export function settingsLine(): string {
	const parts: string[] = [];
	for (const { name } of DEFINITIONS) {
		const source = settingSource(name);
		if (source !== "none") parts.push(`${name} from the ${source}`);
	}
	return parts.length ? `settings: ${parts.join(", ")}` : "settings: none";
}

/** Factory reset: forgets everything that was kept on the device but its UUID, so that servers know it again. */
export function resetSettings(): void {
	store.clear();
	for (const domain of ["mcp-config", "mcp-life"]) new Settings(domain).clear();
	new Settings("moddable-mcp").clear("uuid");
}

function definitionOf(name: SettingName): Definition {
	return DEFINITIONS.find((definition) => definition.name === name) as Definition;
}

function find(name: SettingName): { value: string; source: SettingSource } {
	const definition = definitionOf(name);
	const kept = store.anyText(name);
	if (kept && problemOf(definition, kept) === undefined) return { value: kept, source: "device" };
	const given: unknown = config[name];
	// What was given to the build is used even if it is wrong: the connection that it is for says what is wrong with it.
	if (typeof given === "string" && given) return { value: given, source: "build" };
	// mcconfig makes a number of a password of digits.
	if (typeof given === "number") return { value: String(given), source: "build" };
	return { value: "", source: "none" };
}

function problemOf({ name, maximumBytes, check }: Definition, value: string): string | undefined {
	if (ArrayBuffer.fromString(value).byteLength > maximumBytes) return `${name} is too long: at most ${maximumBytes} bytes`;
	for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) < 0x20) return `${name} has a control character`;
	try {
		check?.(value);
	} catch (error) {
		return `${name}: ${(error as Error).message}`;
	}
}

function checkSeconds(value: string): void {
	const seconds = Number(value);
	if (!(Number.isInteger(seconds) && seconds >= 0 && seconds <= 65535)) throw new RangeError("must be 0 to 65535 whole seconds");
}

function checkFrameText(value: string): void {
	if (value.includes("##")) throw new RangeError("it must not have ## in it, which marks the frames of the service");
}

function checkHeaderText(value: string): void {
	for (let i = 0; i < value.length; i++) {
		const code = value.charCodeAt(i);
		if (code < 0x20 || code > 0x7e) throw new RangeError("only printable ASCII characters can be sent");
	}
}

function shown(value: string): string {
	const query = value.indexOf("?");
	return query < 0 ? value : `${value.slice(0, query)}?…`;
}
