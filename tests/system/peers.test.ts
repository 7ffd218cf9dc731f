// What the configuration says about whom to talk to.

import { describe, expect, test } from "@jest/globals";
import { peersOf } from "../../src/system/peers.js";

describe("the peers in a configuration", () => {
	test("are none where there is nothing, or nonsense", () => {
		const none = { url: undefined, token: undefined, endpoints: [], mqtt: undefined, framed: undefined };
		expect(peersOf({})).toEqual(none);
		expect(peersOf({ url: "", token: 7, endpoint: null, endpoints: { a: 1 }, mqttEndpoint: "", framedAddress: [] })).toEqual(none);
	});

	test("are endpoints from a list, from texts with spaces between, each once", () => {
		expect(peersOf({ endpoint: "ws://a/?t=1" }).endpoints).toEqual(["ws://a/?t=1"]);
		expect(peersOf({ endpoint: "ws://a/", endpoints: "ws://b/  ws://a/ wss://c/" }).endpoints).toEqual(["ws://a/", "ws://b/", "wss://c/"]);
		expect(peersOf({ endpoints: ["ws://a/", 7, "", "ws://a/"] }).endpoints).toEqual(["ws://a/"]);
	});

	test("are a broker with this device's topics; a subscription to null is none", () => {
		const config = {
			mqttEndpoint: "h:1883",
			mqttUsername: "u",
			mqttPassword: "p",
			mqttPublishTopic: "up",
			mqttSubscribeTopic: "null",
			mqttKeepalive: "120",
		};
		expect(peersOf(config).mqtt).toEqual({
			endpoint: "h:1883",
			clientId: undefined,
			username: "u",
			password: "p",
			publishTopic: "up",
			subscribeTopic: undefined,
			keepaliveS: 120,
		});
		expect(peersOf({ ...config, mqttSubscribeTopic: "down", mqttKeepalive: undefined }).mqtt).toMatchObject({
			subscribeTopic: "down",
			keepaliveS: undefined,
		});
	});

	test("are a framed service", () => {
		expect(peersOf({ framedAddress: "tcp://h:1", framedToken: "t", framedVoiceId: "7" }).framed).toEqual({
			address: "tcp://h:1",
			token: "t",
			voiceId: "7",
			language: undefined,
		});
	});
});
