// The owner's settings: what is taken, what is shown, where it comes from, and what a factory reset leaves.

import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import Preference from "preference";

const config: { [name: string]: unknown } = {};
jest.unstable_mockModule("mc/config", () => ({ __esModule: true, default: config }));
const { SETTING_NAMES } = await import("settings/table");
const { listSettings, resetSettings, setSetting, readSetting, setting, settingsLine } = await import("settings/settings");
const { systemTools } = await import("tools/system");
const { RESTART_DELAY_MS } = await import("system/services");
const { ownerToolRefusal } = await import("system/owner-tools");
const { openBootLog, withServices } = await import("../support/services.js");
const { ToolError } = await import("mcp/content");
const { call } = await import("../tools/call.js");

const DOMAINS = ["mcp-settings", "mcp-config", "mcp-life", "moddable-mcp"];
const TRIMS = ["otto-trims", "servo"];
const SECRETS = {
	password: "correct horse",
	token: "secret-token",
	endpoint: "wss://host/mcp/?token=hidden",
	mqtt_password: "secret-broker",
	framed_token: "secret-service",
	http_token: "secret-of-clients",
	hmac_key: "5ec7".repeat(16),
} as const;

beforeEach(() => {
	for (const domain of DOMAINS) for (const key of Preference.keys(domain)) Preference.delete(domain, key);
	for (const name of Object.keys(config)) delete config[name];
});

test("the device's value goes before the build's, and the build's is back when it is forgotten", () => {
	expect([setting("url"), readSetting("url").source]).toEqual(["", "none"]);
	config.url = "ws://build/";
	expect([setting("url"), readSetting("url").source]).toEqual(["ws://build/", "build"]);
	setSetting("url", "ws://device/");
	expect([setting("url"), readSetting("url").source]).toEqual(["ws://device/", "device"]);
	setSetting("url", "");
	expect(setting("url")).toBe("ws://build/");
});

test("takes a password of digits, which mcconfig gives as a number", () => {
	config.password = 12345678;
	expect(setting("password")).toBe("12345678");
});

test.each([5, true, "ftp://x/", "ws://host:0/", "x".repeat(5000)])("what is damaged in the store (%p) counts as not there", (kept) => {
	config.url = "ws://build/";
	Preference.set("mcp-settings", "url", kept);
	expect(setting("url")).toBe("ws://build/");
});

test.each([
	["ssid", "x".repeat(33), "ssid is too long: at most 32 bytes"],
	["ssid", "音".repeat(11), "ssid is too long: at most 32 bytes"],
	["ssid", "a\nb", "ssid has a control character"],
	["password", "short", "password: a Wi-Fi password has 8 to 64 characters"],
	["password", "x".repeat(65), "password is too long: at most 64 bytes"],
	["url", "http://host/", "url: the WebSocket address must begin with ws:// or wss://"],
	["url", "ws://host:70000/", "url: the port of the WebSocket address must be a number from 1 to 65535"],
	["token", "geheim ä", "token: only printable ASCII characters can be sent"],
	["endpoint", "wss://", "endpoint: the WebSocket address has no host"],
	["endpoint", "wss://good/ http://bad/", "endpoint: the WebSocket address must begin with ws:// or wss://"],
	["ota_url", "ws://host/", "ota_url: the web address must begin with http:// or https://"],
	["mqtt_endpoint", "http://host", "mqtt_endpoint: the MQTT address must be host:port, or begin with mqtt:// or mqtts://"],
	["mqtt_endpoint", "host:0", "mqtt_endpoint: the port of the MQTT address must be a number from 1 to 65535"],
	["mqtt_endpoint", ":1883", "mqtt_endpoint: the MQTT address has no host"],
	["mqtt_endpoint", "mqtt://me:hidden@h:1883", "mqtt_endpoint: user name and password"],
	["mqtt_publish", "devices/+/up", "mqtt_publish: the topic has a wildcard: devices/+/up"],
	["mqtt_keepalive", "65536", "mqtt_keepalive: must be 0 to 65535 whole seconds"],
	["mqtt_keepalive", "soon", "mqtt_keepalive: must be 0 to 65535 whole seconds"],
	["framed_address", "host:1", "framed_address: the TCP address must begin with tcp:// or tls://"],
	["framed_token", "a##b", "framed_token: it must not contain ##, which marks the frames of the service"],
] as const)("refuses %s %p in words, and keeps nothing", (name, value, problem) => {
	expect(() => setSetting(name, value)).toThrow(problem);
	expect(() => setSetting(name, value)).not.toThrow("hidden");
	expect(readSetting(name).source).toBe("none");
});

test("shows secrets only as set or not set, and of an address nothing behind the question mark", () => {
	for (const [name, value] of Object.entries(SECRETS)) setSetting(name as keyof typeof SECRETS, value);
	setSetting("url", "ws://host/path?token=hidden");
	setSetting("mqtt_endpoint", "broker:8883");
	const empty = Object.fromEntries(SETTING_NAMES.map((name) => [name, ""]));
	const secrets = Object.fromEntries(Object.keys(SECRETS).map((name) => [name, "set"]));
	expect(listSettings()).toEqual({ ...empty, ...secrets, url: "ws://host/path?…", mqtt_endpoint: "broker:8883" });
	const names = ["password", "url", "token", "endpoint", "mqtt_endpoint", "mqtt_password", "framed_token", "http_token", "hmac_key"];
	expect(settingsLine()).toBe(`settings: ${names.map((name) => `${name} from the device`).join(", ")}`);
});

describe("a secret", () => {
	const CASES = [
		["token", "url", "ws://home/a", "ws://home/b?c", ["ws://other/", "wss://home/a", "ws://home:81/a"]],
		["mqtt_password", "mqtt_endpoint", "home:1883", "mqtt://home", ["other:1883", "home:8883"]],
		["framed_token", "framed_address", "tcp://home:9", "tcp://HOME:9/", ["tls://home:9", "tcp://home:8"]],
		["password", "ssid", "Home", "Home", ["home"]],
	] as const;

	test.each(CASES)("%s is kept while the place in %s stays the same, and forgotten when it changes", (secret, address, first, same, others) => {
		for (const other of others) {
			// It may be entered before its address.
			setSetting(secret, "correct horse");
			setSetting(address, first);
			expect([setSetting(address, same), setting(secret)]).toEqual([[], "correct horse"]);
			expect([setSetting(address, other), setting(secret)]).toEqual([[secret], ""]);
			setSetting(address, "");
		}
	});

	test.each(CASES)("%s of the build is for %s of the build", (secret, address, first, same, [other]) => {
		config[address] = first;
		config[secret] = "correct horse";
		expect(setting(secret)).toBe("correct horse");
		setSetting(address, same);
		expect(setting(secret)).toBe("correct horse");
		setSetting(address, other);
		expect([setting(secret), settingsLine()]).toEqual(["", `settings: ${address} from the device`]);
		setSetting(address, "");
		expect(setting(secret)).toBe("correct horse");
	});

	test("is forgotten by self.settings.set too, which says so", () => {
		setSetting("url", "wss://home/");
		setSetting("token", "correct horse");
		const device = withServices({ name: "b", system: { version: "1", chip: "x", macAddress: "m", uuid: "u", restart() {} }, close() {} });
		const tool = systemTools(SETTING_NAMES).find(({ name }) => name === "self.settings.set");
		expect(call(tool, { name: "url", value: "wss://other/" }, device)).toBe(
			"Saved. token was for the old url and is forgotten. The device uses it after a restart (self.reboot).",
		);
		expect(setting("token")).toBe("");
	});
});

test("half of a character is refused", () => {
	for (const value of ["\ud800", "a\udc00b", "\ud83d"]) expect(() => setSetting("ssid", value)).toThrow("ssid has half of a character");
	setSetting("ssid", "😀");
});

describe("the tools that change whom the device obeys", () => {
	test.each([
		["", true, false],
		["tls", true, false],
		["on", true, true],
		["off", false, false],
	])("with owner_tools %p are allowed over TLS: %p, without: %p", (value, over, without) => {
		setSetting("owner_tools", value);
		for (const name of ["self.settings.set", "self.settings.reset", "self.upgrade_firmware"]) {
			expect([ownerToolRefusal(name, true) === undefined, ownerToolRefusal(name, false) === undefined]).toEqual([over, without]);
			if (!without)
				expect(ownerToolRefusal(name, false)).toMatch(/^self\.[a-z_.]+ is .*owner_tools=on, on the device's set-up page or in the build$/);
		}
		expect(ownerToolRefusal("self.reboot", false)).toBeUndefined();
	});
});

test("a factory reset forgets everything but the trims and who the device is", () => {
	for (const [name, value] of Object.entries(SECRETS)) setSetting(name as keyof typeof SECRETS, value);
	for (const domain of DOMAINS) Preference.set(domain, "volume", 5);
	Preference.set("moddable-mcp", "uuid", "kept");
	for (const domain of TRIMS) Preference.set(domain, "left_leg", 5);
	resetSettings();
	expect(DOMAINS.map((domain) => Preference.keys(domain))).toEqual([["hmac_key"], [], [], ["uuid"]]);
	for (const domain of TRIMS) expect(Preference.keys(domain)).toEqual(["left_leg"]);
	expect(SETTING_NAMES.filter((name) => setting(name))).toEqual(["hmac_key"]);
});

describe("tools", () => {
	const restart = jest.fn();
	const system = { version: "1", chip: "x", macAddress: "m", uuid: "u", restart };
	const tools = systemTools(SETTING_NAMES);
	const ask = (name: string, args: { [name: string]: unknown } = {}) =>
		call(
			tools.find((tool) => tool.name === name),
			args,
			withServices({ name: "b", system, close() {} }),
		);

	test("self.settings.set keeps a value and self.settings.get shows it", () => {
		expect(ask("self.settings.set", { name: "ssid", value: "home" })).toMatch(/^Saved/);
		expect(ask("self.settings.get")).toMatchObject({ ssid: "home" });
	});

	test("a refused secret is in no error", () => {
		const secret = "sécret-value";
		expect(() => ask("self.settings.set", { name: "token", value: secret })).toThrow(ToolError);
		expect(() => ask("self.settings.set", { name: "token", value: secret })).not.toThrow(secret);
	});

	test("an unknown setting is refused", () => {
		expect(() => ask("self.settings.set", { name: "uuid", value: "x" })).toThrow(RangeError);
	});

	test.each(tools.map((tool) => [tool.name, tool] as const))("%s says that there is no running firmware", async (_, tool) => {
		const args = { name: "ssid", value: "home", url: "http://x/" };
		await expect((async () => tool.call(args as never, { name: "b", system, close() {} }, {} as never))()).rejects.toThrow(ToolError);
	});

	test("self.settings.reset forgets, answers, and restarts one second later, which the next start knows", () => {
		jest.useFakeTimers();
		setSetting("ssid", "home");
		expect(ask("self.settings.reset")).toBe(true);
		expect(setting("ssid")).toBe("");
		jest.advanceTimersByTime(RESTART_DELAY_MS - 1);
		expect(restart).not.toHaveBeenCalled();
		jest.advanceTimersByTime(1);
		expect(restart).toHaveBeenCalledTimes(1);
		expect(openBootLog(system).bootLog.restarts.at(-1)).toBe("factory reset");
		jest.useRealTimers();
	});
});
