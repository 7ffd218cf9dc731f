// The configuration server's reply: what is taken from it, what is said about a bad one, and what a device does without one.

import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { HttpOptions } from "http/client";
import Preference from "preference";
import { parseSetting } from "settings/connection-settings";
import { resetSettings, setting } from "settings/settings";
import { ACTIVATION_LIMIT_MS, ACTIVATION_POLL_MS, CONFIGURATION_REST_MS, ConfigurationClient } from "system/configuration-client";
import { type Configuration, parseConfigurationReply } from "system/configuration-reply";
import { MAX_KEPT_BYTES } from "system/configuration-store";
import { ManualTimers, settle } from "../mcp/support.js";

const WEBSOCKET = { url: "ws://backend/xiaozhi/v1/", token: "secret" };
const board = { name: "test", system: { version: "1.0.0", chip: "x", macAddress: "aa:bb", uuid: "u", restart() {} }, close() {} };

beforeEach(() => {
	for (const key of Preference.keys("mcp-config")) Preference.delete("mcp-config", key);
});
const SESSION = {
	kind: "session",
	name: "session",
	url: { secure: false, host: "backend", port: 80, authority: "backend", path: "/xiaozhi/v1/" },
	token: "secret",
};
const MQTT = { endpoint: "broker:1883", client_id: "c", username: "u", password: "p", publish_topic: "up", subscribe_topic: "down" };

describe("a reply", () => {
	test("gives websocket, mqtt, activation and time", () => {
		expect(
			parseConfigurationReply(
				JSON.stringify({
					websocket: { ...WEBSOCKET, version: 1 },
					mqtt: { ...MQTT, keepalive: 120 },
					activation: { code: "123456", message: "example.com\n123456", challenge: "x" },
					server_time: { timestamp: 1_760_000_000_000, timezone_offset: 480 },
					firmware: { version: "2.0.0", url: "http://host/ota/" },
					more: { is: "ignored" },
				}),
			),
		).toEqual({
			connection: {
				kind: "mqtt",
				name: "mqtt",
				address: { secure: false, host: "broker", port: 1883, authority: "broker:1883" },
				clientId: "c",
				username: "u",
				password: "p",
				publishTopic: "up",
				subscribeTopic: "down",
				keepaliveS: 120,
			},
			activation: { code: "123456", message: "example.com 123456", challenge: "x" },
			serverTimeMs: 1_760_000_000_000,
			zone: 480,
			firmware: { version: "2.0.0", url: "http://host/ota/" },
			problems: [],
		});
	});

	test.each([-1, 65536, 1.5, "soon", null])("takes no keepalive of %p", (keepalive) => {
		const { connection } = parseConfigurationReply(JSON.stringify({ mqtt: { ...MQTT, keepalive } }));
		expect(connection).toMatchObject({ kind: "mqtt", clientId: "c" });
		expect(connection).not.toHaveProperty("keepaliveS");
	});

	test("with a broker that cannot be one gives the backend", () => {
		const reply = (mqtt: object) => parseConfigurationReply(JSON.stringify({ websocket: WEBSOCKET, mqtt: { ...MQTT, ...mqtt } }));
		const bad = reply({ endpoint: "broker:99999" });
		expect(bad.connection).toEqual(SESSION);
		expect(bad.problems).toEqual(["mqtt.endpoint: the port of the MQTT address must be a number from 1 to 65535"]);
		for (const publish_topic of [undefined, "", "up/#"]) expect(reply({ publish_topic }).connection).toEqual(SESSION);
		expect(reply({}).connection).toMatchObject({ kind: "mqtt" });
	});

	test("with a backend but without a token sends none: the device's own is for the address that it was entered for", () => {
		Preference.set("mcp-settings", "token", "own");
		const { token, ...withoutToken } = SESSION;
		const reply = (websocket: object) => parseConfigurationReply(JSON.stringify({ websocket: { url: WEBSOCKET.url, ...websocket } })).connection;
		expect([reply({}), reply({ token: "" })]).toEqual([withoutToken, withoutToken]);
		expect(reply({ token: "theirs" })).toEqual({ ...SESSION, token: "theirs" });
		Preference.delete("mcp-settings", "token");
	});

	test("of a server over TLS leads to none without, unless its owner allows it", () => {
		const safe = { url: "wss://backend/", token: "t" };
		const reply = (value: object, mayBePlain: boolean) => parseConfigurationReply(JSON.stringify(value), mayBePlain);
		const PROBLEM = "an https:// server must not lead to one without TLS; the setting allow_plain=on allows it";
		expect(() => reply({ websocket: WEBSOCKET }, false)).toThrow("no usable websocket");
		expect(reply({ websocket: safe, mqtt: MQTT }, false)).toMatchObject({
			connection: { kind: "session", url: { secure: true } },
			problems: [`mqtt.endpoint: ${PROBLEM}`],
		});
		expect(reply({ websocket: WEBSOCKET }, true).connection).toEqual(SESSION);
	});

	test.each([
		["<!DOCTYPE html><html>", "the answer is a web page, not a configuration; is the address right?"],
		["OTA interface works", 'the answer is not JSON: "OTA interface works"'],
		["", 'the answer is not JSON: ""'],
		["[]", "the answer is not a JSON object"],
		["null", "the answer is not a JSON object"],
		["[".repeat(9000), "the answer is JSON nested deeper than 32"],
		['{"success":false,"message":"Invalid device ID"}', "the server refused: Invalid device ID"],
		['{"success":false}', "the server refused: it did not say why"],
		['{"error":"Device not found"}', "the server refused: Device not found"],
		["{}", "the answer has no usable websocket, mqtt or activation"],
		['{"websocket":{"url":"http://x/"}}', "the answer has no usable websocket, mqtt or activation"],
		['{"websocket":{"url":5},"mqtt":null,"activation":{"code":{}}}', "the answer has no usable websocket, mqtt or activation"],
		[`{"websocket":{"url":"ws://x/${"y".repeat(2000)}"}}`, "the answer has no usable websocket, mqtt or activation"],
	])("is refused in words, number %#", (text, problem) => {
		expect(() => parseConfigurationReply(text)).toThrow(problem);
	});
});

function createSource(url = "http://config/ota/") {
	const timers = new ManualTimers();
	const logged: string[] = [];
	const configurations: Configuration[] = [];
	const activations: (string | undefined)[] = [];
	const asked: HttpOptions[] = [];
	let missing = 0;
	const answers: (string | Error | number)[] = [];
	const source = new ConfigurationClient({
		address: { text: url, parsed: parseSetting("ota_url", url), source: "build" },
		board,
		deviceId: "aa:bb",
		clientId: "uuid",
		timers,
		random: () => 0,
		log: (line) => logged.push(line),
		onConfiguration: (configuration) => configurations.push(configuration),
		onActivation: (activation) => activations.push(activation?.code),
		onMissing: () => void missing++,
		async request(options) {
			asked.push(options);
			const answer = answers.shift() ?? new Error("could not connect");
			if (answer instanceof Error) throw answer;
			return typeof answer === "number" ? { status: answer, text: "" } : { status: 200, text: answer };
		},
	});
	return { timers, logged, configurations, activations, asked, answers, source, missing: () => missing };
}

describe("the source", () => {
	test("posts the system's information with the reference's headers", async () => {
		const { source, asked, answers, configurations } = createSource();
		answers.push(JSON.stringify({ websocket: WEBSOCKET }));
		source.start();
		await settle();
		expect(asked[0]).toMatchObject({ url: { host: "config", path: "/ota/" }, method: "POST", timeoutMs: 20_000 });
		expect(Object.fromEntries(asked[0]?.headers as [string, string][])).toEqual({
			"Device-Id": "aa:bb",
			"Client-Id": "uuid",
			"Activation-Version": "1",
			"User-Agent": "test/1.0.0",
			"Accept-Language": "en-US",
			"Content-Type": "application/json",
		});
		expect(JSON.parse(asked[0]?.body as string)).toMatchObject({ version: 2, mac_address: "aa:bb", uuid: "uuid", application: { version: "1.0.0" } });
		expect(configurations).toMatchObject([{ connection: SESSION }]);
	});

	test("with a serial number and a key asks for version 2, and answers the challenge", async () => {
		const key = "00ff".repeat(16);
		const hmac = createHmac("sha256", Buffer.from(key, "hex")).update("a challenge").digest("hex");
		const activation = { activation: { code: "1", challenge: "a challenge" } };
		const ask = async (reply: object) => {
			const { source, asked, answers, logged, timers } = createSource();
			answers.push(JSON.stringify(reply), 202);
			source.start();
			await settle();
			timers.advance(ACTIVATION_POLL_MS);
			await settle();
			expect(logged.join()).not.toContain(key);
			source.close();
			return asked.map(({ headers, body = "" }) => [new Headers(headers as [string, string][]), body] as const);
		};
		Preference.set("mcp-settings", "serial_number", "SN-1");
		for (const [headers, body] of await ask(activation))
			expect([headers.get("Activation-Version"), headers.get("Serial-Number"), body.includes("hmac")]).toEqual(["1", null, false]);
		Preference.set("mcp-settings", "hmac_key", key);
		const [[first, information], [second, proof]] = (await ask(activation)) as [[Headers, string], [Headers, string]];
		for (const headers of [first, second]) expect([headers.get("Activation-Version"), headers.get("Serial-Number")]).toEqual(["2", "SN-1"]);
		expect(information).not.toContain(key);
		expect(JSON.parse(proof)).toEqual({ algorithm: "hmac-sha256", serial_number: "SN-1", challenge: "a challenge", hmac });
		expect((await ask({ activation: { code: "1" } }))[1]?.[1]).toBe("{}");
		// Who the device is outlives a factory reset.
		resetSettings();
		expect([setting("serial_number"), setting("hmac_key")]).toEqual(["SN-1", key]);
		for (const name of ["serial_number", "hmac_key"]) Preference.delete("mcp-settings", name);
	});

	test("uses the last configuration while its server is dead, and only that server's", async () => {
		const first = createSource();
		first.answers.push(JSON.stringify({ websocket: WEBSOCKET }));
		first.source.start();
		await settle();
		const second = createSource();
		second.source.start();
		await settle();
		expect(second.configurations).toMatchObject([{ connection: SESSION }]);
		expect(second.logged.at(-1)).toBe("configuration: could not connect; using the last one");
		const other = createSource("http://other/");
		other.source.start();
		await settle();
		expect(other.configurations).toEqual([]);
	});

	test("keeps all of a broker", async () => {
		const first = createSource();
		first.answers.push(JSON.stringify({ mqtt: { ...MQTT, keepalive: 120 } }));
		first.source.start();
		await settle();
		const second = createSource();
		second.source.start();
		await settle();
		expect(second.configurations[0]?.connection).toEqual(first.configurations[0]?.connection);
		expect(second.configurations[0]?.connection).toMatchObject({ keepaliveS: 120 });
	});

	test("keeps the reply as it came, but not its time", async () => {
		const first = createSource();
		const text = ` {"more":[1,{}], "websocket":${JSON.stringify(WEBSOCKET)},"server_time":{"timestamp":1760000000000}}\n`;
		first.answers.push(text);
		first.source.start();
		await settle();
		expect(first.configurations[0]?.serverTimeMs).toBe(1_760_000_000_000);
		expect(Preference.get("mcp-config", "last")).toBe(text);
		const second = createSource();
		second.source.start();
		await settle();
		expect(second.configurations).toMatchObject([{ connection: SESSION, serverTimeMs: undefined }]);
	});

	test("uses a reply that is too long to keep, says so, and keeps the one before", async () => {
		const first = createSource();
		first.answers.push(JSON.stringify({ websocket: WEBSOCKET }));
		first.source.start();
		await settle();
		const kept = Preference.get("mcp-config", "last");
		const second = createSource();
		second.answers.push(JSON.stringify({ websocket: { url: "ws://new/" }, notes: "é".repeat(MAX_KEPT_BYTES / 2) }));
		second.source.start();
		await settle();
		expect(second.configurations).toMatchObject([{ connection: { url: { host: "new" } } }]);
		expect(second.logged.at(-1)).toMatch(/^configuration: it could not be kept: it has \d+ bytes, at most 3900 are kept$/);
		expect(Preference.get("mcp-config", "last")).toBe(kept);
	});

	test("says once that its address can never work, and sends nothing", async () => {
		const { source, asked, logged, missing } = createSource("ftp://config/");
		source.start();
		await settle();
		expect(logged).toEqual(["configuration: the web address must begin with http:// or https://; off until its settings change"]);
		expect([asked.length, missing()]).toEqual([0, 1]);
	});

	test("asks again after 10 s, then later and later, where it never had one", async () => {
		const { source, timers, logged, asked, missing } = createSource();
		source.start();
		const delays: number[] = [];
		for (let i = 0; i < 8; i++) {
			await settle();
			delays.push(timers.next as number);
			timers.advance(timers.next as number);
		}
		expect(delays).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
		expect(asked).toHaveLength(9);
		expect(missing()).toBe(8);
		expect(logged[1]).toBe("configuration: could not connect; asking again in 10.0 s");
	});

	test("keeps out of the log what it was sent in the address, and what it gave before, when it repeats them", async () => {
		const first = createSource();
		first.answers.push(JSON.stringify({ websocket: { ...WEBSOCKET, token: "given-before" } }));
		first.source.start();
		await settle();
		const second = createSource("http://config/ota/?key=in-the-query");
		second.answers.push(JSON.stringify({ success: false, message: "key in-the-query is unknown" }));
		second.source.start();
		await settle();
		expect(second.logged.at(-1)).toBe("configuration: the server refused: key … is unknown; asking again in 10.0 s");
		const third = createSource();
		third.answers.push(JSON.stringify({ error: "token given-before has expired" }));
		third.source.start();
		await settle();
		expect(third.logged.at(-1)).toBe("configuration: the server refused: token … has expired; using the last one");
	});

	test("shows nothing of a reply that breaks off: a token may be in it", async () => {
		const { source, answers, logged } = createSource();
		answers.push('{"websocket":{"token":"broken-off-to');
		source.start();
		await settle();
		expect(logged.at(-1)).toBe("configuration: the answer is not JSON; asking again in 10.0 s");
	});

	test("says what is wrong, a status included", async () => {
		const { source, answers, logged } = createSource();
		answers.push(500);
		source.start();
		await settle();
		expect(logged.at(-1)).toBe("configuration: the server answered 500; asking again in 10.0 s");
	});

	test("shows an activation's code, asks after it every 3 s, and fetches the configuration when it is done", async () => {
		const { source, answers, asked, activations, configurations, timers, logged } = createSource("http://config/ota?x=1");
		const activation = { code: "654321", message: "Type this in" };
		answers.push(JSON.stringify({ websocket: WEBSOCKET, activation }), 202, 202, 200, JSON.stringify({ websocket: WEBSOCKET }));
		source.start();
		await settle();
		expect(logged.at(-1)).toBe("activation: enter the code 654321 (Type this in)");
		for (let i = 0; i < 3; i++) {
			expect(configurations).toEqual([]);
			timers.advance(ACTIVATION_POLL_MS);
			await settle();
		}
		expect(asked.map(({ url }) => `http://${url.authority}${url.path}`)).toEqual([
			"http://config/ota?x=1",
			...Array(3).fill("http://config/ota/activate?x=1"),
			"http://config/ota?x=1",
		]);
		expect(asked[1]?.body).toBe("{}");
		expect(activations).toEqual(["654321", undefined]);
		expect(configurations).toMatchObject([{ connection: SESSION }]);
		expect(timers.size).toBe(1); // the rest until the server may be asked again
	});

	test("takes a new code when the old one was not used in time", async () => {
		const { source, answers, activations, timers } = createSource();
		answers.push(JSON.stringify({ activation: { code: "1" } }), ...Array(ACTIVATION_LIMIT_MS / ACTIVATION_POLL_MS).fill(202));
		answers.push(JSON.stringify({ activation: { code: "2" } }));
		source.start();
		await settle();
		for (let i = 0; i < ACTIVATION_LIMIT_MS / ACTIVATION_POLL_MS; i++) {
			timers.advance(ACTIVATION_POLL_MS);
			await settle();
		}
		expect(activations).toEqual(["1", "2"]);
	});

	test("is asked again when what it said no longer works, at most every 5 minutes, and a failure changes nothing", async () => {
		const { source, answers, asked, configurations, timers, logged, missing } = createSource();
		answers.push(JSON.stringify({ websocket: WEBSOCKET }), 500, JSON.stringify({ websocket: { url: "ws://moved/", token: "new" } }));
		source.start();
		source.askAgain();
		await settle();
		source.askAgain();
		timers.advance(CONFIGURATION_REST_MS - 1);
		source.askAgain();
		expect(asked).toHaveLength(1);
		timers.advance(1);
		source.askAgain();
		source.askAgain();
		await settle();
		expect([asked.length, configurations.length, missing(), logged.at(-1)]).toEqual([
			2,
			1,
			0,
			"configuration: the server answered 500; going on with the one before",
		]);
		timers.advance(CONFIGURATION_REST_MS);
		source.askAgain();
		await settle();
		expect(configurations.at(-1)?.connection).toMatchObject({ url: { host: "moved" }, token: "new" });
		source.close();
		source.askAgain();
		expect([asked.length, timers.size]).toEqual([3, 0]);
	});

	test("does nothing more after close", async () => {
		const { source, timers, logged } = createSource();
		source.start();
		source.close();
		source.close();
		await settle();
		expect(logged).toHaveLength(1);
		expect(timers.size).toBe(0);
	});
});
