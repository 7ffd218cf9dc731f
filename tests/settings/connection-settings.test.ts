// The connections that settings describe, whatever the settings come from.

import { describe, expect, test } from "@jest/globals";
import { connectionsOf, parseSetting, secretsOf } from "../../src/settings/connection-settings.js";
import type { SettingName } from "../../src/settings/table.js";

/** The connections of these settings, all others being "". */
function connections(settings: { readonly [name in SettingName]?: string }) {
	return connectionsOf((name) => parseSetting(name, settings[name] ?? ""));
}

const MQTT = { mqtt_endpoint: "h:1883", mqtt_username: "u", mqtt_password: "p", mqtt_publish: "up", mqtt_subscribe: "null", mqtt_keepalive: "120" };

test("the secrets of a connection are its own and what its address has in its query", () => {
	const all = connections({ url: "ws://h/?a=in-query&b", token: "tok", endpoint: "ws://a/?token=t1 ws://b/x", ...MQTT });
	expect(all.map(secretsOf)).toEqual([["in-query", "b", "tok"], ["t1"], [], ["p"]]);
});

test("endpoints that get the user-only tools are named as in their addresses", () => {
	expect(connections({ endpoint: "ws://A:81/", endpoint_tools: " a:81  b" })).toMatchObject([{ url: { authority: "a:81" }, trusted: ["a:81", "b"] }]);
	expect(connections({ endpoint: "ws://a/", endpoint_tools: "a/b?c" })).toMatchObject([{ trusted: ["a"] }]);
});

describe("connections", () => {
	test("are none where there is nothing, nor with a token alone", () => {
		expect(connections({})).toEqual([]);
		expect(connections({ token: "t", mqtt_publish: "up", framed_token: "t" })).toEqual([]);
	});

	test("to a backend have its address taken apart", () => {
		expect(connections({ url: "wss://h:8443/a?b=c", token: "t" })).toEqual([
			{ kind: "session", name: "session", url: { secure: true, host: "h", port: 8443, authority: "h:8443", path: "/a?b=c" }, token: "t" },
		]);
	});

	test("to endpoints with spaces between are one each, numbered where there are several", () => {
		expect(connections({ endpoint: "ws://a/?t=1" })).toMatchObject([{ kind: "endpoint", name: "endpoint", url: { host: "a", path: "/?t=1" } }]);
		expect(connections({ endpoint: " ws://b/  ws://a/ ws://b/ wss://c/" })).toMatchObject([
			{ name: "endpoint 1", url: { host: "b" } },
			{ name: "endpoint 2", url: { host: "a" } },
			{ name: "endpoint 3", url: { host: "c", secure: true } },
		]);
	});

	test("to a broker have this device's topics; a subscription to null is none", () => {
		const address = { secure: false, host: "h", port: 1883, authority: "h:1883" };
		expect(connections(MQTT)).toEqual([
			{ kind: "mqtt", name: "mqtt", address, username: "u", password: "p", publishTopic: "up", subscribeTopic: undefined, keepaliveS: 120 },
		]);
		const [mqtt] = connections({ ...MQTT, mqtt_subscribe: "down", mqtt_keepalive: "" });
		expect(mqtt).toMatchObject({ subscribeTopic: "down" });
		expect(mqtt).not.toHaveProperty("keepaliveS");
	});

	test("to a framed service", () => {
		expect(connections({ framed_address: "tcp://h:1", framed_token: "t", framed_voice_id: "7" })).toMatchObject([
			{ kind: "framed", name: "framed", address: { host: "h", port: 1 }, token: "t", voiceId: "7" },
		]);
	});

	test("that cannot work say why, each for itself", () => {
		const settings = { url: "http://h/", endpoint: "ws://a/ nonsense wss://b/", ...MQTT, mqtt_publish: "up/#", framed_address: "tls://h:1" };
		expect(connections(settings)).toMatchObject([
			{ name: "session", problem: "the WebSocket address must begin with ws:// or wss://" },
			{ name: "endpoint 1", url: { host: "a" } },
			{ name: "endpoint 2", problem: "the WebSocket address must begin with ws:// or wss://" },
			{ name: "endpoint 3", url: { host: "b" } },
			{ name: "mqtt", problem: "mqtt_publish: the topic has a wildcard: up/#" },
			{ name: "framed", address: { secure: true } },
		]);
	});
});
