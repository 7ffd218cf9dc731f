// What the settings say about whom to talk to.

import { describe, expect, test } from "@jest/globals";
import { peersOf } from "../../src/settings/peers.js";
import type { SettingName } from "../../src/settings/setting-names.js";

/** The peers of these settings, all others being "". */
function peers(settings: { readonly [name in SettingName]?: string }) {
	return peersOf((name) => settings[name] ?? "");
}

describe("the peers in the settings", () => {
	test("are none where there is nothing", () => {
		expect(peers({})).toEqual({ url: undefined, token: undefined, endpoints: [], mqtt: undefined, framed: undefined });
	});

	test("are endpoints with spaces between, each once", () => {
		expect(peers({ endpoint: "ws://a/?t=1" }).endpoints).toEqual(["ws://a/?t=1"]);
		expect(peers({ endpoint: " ws://b/  ws://a/ ws://b/ wss://c/" }).endpoints).toEqual(["ws://b/", "ws://a/", "wss://c/"]);
	});

	test("are a broker with this device's topics; a subscription to null is none", () => {
		const settings = {
			mqtt_endpoint: "h:1883",
			mqtt_username: "u",
			mqtt_password: "p",
			mqtt_publish: "up",
			mqtt_subscribe: "null",
			mqtt_keepalive: "120",
		};
		expect(peers(settings).mqtt).toEqual({
			endpoint: "h:1883",
			clientId: undefined,
			username: "u",
			password: "p",
			publishTopic: "up",
			subscribeTopic: undefined,
			keepaliveS: 120,
		});
		expect(peers({ ...settings, mqtt_subscribe: "down", mqtt_keepalive: "" }).mqtt).toMatchObject({
			subscribeTopic: "down",
			keepaliveS: undefined,
		});
	});

	test("are a framed service", () => {
		expect(peers({ framed_address: "tcp://h:1", framed_token: "t", framed_voice_id: "7" }).framed).toEqual({
			address: "tcp://h:1",
			token: "t",
			voiceId: "7",
			language: undefined,
		});
	});
});
