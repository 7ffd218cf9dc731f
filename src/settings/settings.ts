// The settings of this device: kept in flash by its owner, over the values that the build was given.

import { isWellFormed } from "../base/text.js";
import type { ServerAddress } from "../net/address.js";
import config from "../sdk/config.js";
import { type ConnectionSettings, connectionsOf, type Parsed, parseSetting, rowOf } from "./connection-settings.js";
import { PreferenceStore } from "./preference-store.js";
import { SETTING_NAMES, type SettingName } from "./table.js";

/** Where a value comes from: set on the device, given to the build, or nowhere. */
export type SettingSource = "device" | "build" | "none";

/** A setting as it is now. */
export interface Setting {
	/** "" where there is none. */
	readonly text: string;
	readonly parsed: readonly Parsed[];
	readonly source: SettingSource;
}

const store = Object.freeze(new PreferenceStore("mcp-settings"));

/** A setting as it is now: the device's, else the build's. */
export function readSetting(name: SettingName): Setting {
	const kept = store.anyText(name);
	if (kept && !limitProblem(name, kept)) {
		const parsed = parseSetting(name, kept);
		// One that is damaged counts as absent.
		if (!parsed.some((it) => "problem" in it)) return { text: kept, parsed, source: "device" };
	}
	const text = fitsAddress(name) ? givenText(name) : "";
	// A wrong value of the build is used all the same: its connection says what is wrong with it.
	return { text, parsed: parseSetting(name, text), source: text ? "build" : "none" };
}

/** The value that the build was given; "" where there is none. */
function givenText(name: SettingName): string {
	const given: unknown = config[name];
	// mcconfig turns a password of digits into a number.
	return typeof given === "string" || typeof given === "number" ? String(given) : "";
}

/** Is a secret of the build for the address that is used now? It is for the one that the build has. */
function fitsAddress(name: SettingName): boolean {
	const address = rowOf(name).belongsTo as SettingName | undefined;
	return (
		address === undefined || readSetting(address).source !== "device" || placeOf(address, givenText(address)) === placeOf(address, setting(address))
	);
}

/** Scheme, host and port of an address, or whatever else secrets are entered for; "" for none. */
function placeOf(name: SettingName, text: string): string {
	const [parsed] = parseSetting(name, text);
	if (!parsed || "problem" in parsed) return text;
	const { value } = parsed;
	if (typeof value !== "object" || value === null) return text;
	const { host, port, secure } = value as ServerAddress;
	return `${secure} ${host} ${port}`;
}

/** The text of a setting: the device's, else the build's, else "". */
export function setting(name: SettingName): string {
	return readSetting(name).text;
}

/** The connections that this device's settings describe. */
export function connectionSettings(): ConnectionSettings[] {
	return connectionsOf((name) => readSetting(name).parsed);
}

/**
 * Keeps a setting on the device, for use from the next start on; "" forgets it, so that the build's value holds again. Secrets
 * that were entered for another address are forgotten with it.
 * @returns the names of the secrets that were forgotten
 * @throws RangeError in plain words that do not repeat the value; what the store throws when it is full
 */
export function setSetting(name: SettingName, value: string): readonly SettingName[] {
	const problem = settingProblem(name, value);
	if (problem !== undefined) throw new RangeError(problem);
	const before = placeOf(name, setting(name));
	const secrets = SETTING_NAMES.filter((other) => rowOf(other).belongsTo === name && store.anyText(other));
	const after = placeOf(name, value || givenText(name));
	// A secret may be entered before its first address. It goes before the address does, in case the store fails in between.
	const forgotten = before && before !== after ? secrets : [];
	for (const secret of forgotten) store.delete(secret);
	if (value === "") store.delete(name);
	else store.set(name, value);
	return forgotten;
}

/** What is wrong with a value for a setting, in words that do not repeat it; undefined when it is good. */
export function settingProblem(name: SettingName, value: string): string | undefined {
	const limit = limitProblem(name, value);
	if (limit) return limit;
	for (const it of parseSetting(name, value)) if ("problem" in it) return `${name}: ${it.problem}`;
}

/** All settings as they may be shown: secrets as "set" or "not set", addresses without what follows the `?`. */
export function listSettings(): { [name in SettingName]: string } {
	const list = {} as { [name in SettingName]: string };
	for (const name of SETTING_NAMES) {
		const text = setting(name);
		list[name] = rowOf(name).secret ? (text ? "set" : "not set") : withoutQuery(text);
	}
	return list;
}

/** One line for the log: which settings there are and where each comes from. It contains no value. */
export function settingsLine(): string {
	const parts: string[] = [];
	for (const name of SETTING_NAMES) {
		const { source } = readSetting(name);
		if (source !== "none") parts.push(`${name} from the ${source}`);
	}
	return parts.length ? `settings: ${parts.join(", ")}` : "settings: none";
}

/** Factory reset: forgets everything that the owner has set, but not who the device is and how its servos are trimmed. */
export function resetSettings(): void {
	store.clear("serial_number", "hmac_key");
	new PreferenceStore("mcp-config").clear();
	// A peer that resets over and over must not begin anew to count.
	new PreferenceStore("mcp-life").clear("asked");
	new PreferenceStore("moddable-mcp").clear("uuid", "ap_password", "http_token");
}

function limitProblem(name: SettingName, value: string): string | undefined {
	const { maximumBytes } = rowOf(name);
	if (ArrayBuffer.fromString(value).byteLength > maximumBytes) return `${name} is too long: at most ${maximumBytes} bytes`;
	for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) < 0x20) return `${name} has a control character`;
	if (!isWellFormed(value)) return `${name} has half of a character`;
}

/** An address as it may be shown. */
export function withoutQuery(text: string): string {
	const query = text.indexOf("?");
	return query < 0 ? text : `${text.slice(0, query)}?…`;
}
